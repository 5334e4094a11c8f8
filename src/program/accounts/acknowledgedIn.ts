import type { Problem } from '../../resources/problems/rule.ts';
import type { AccountState } from '../../store/kept/accountState.ts';
import { createAcknowledgements } from '../../store/problems/acknowledgements.ts';
import { stateDirectory } from '../directories.ts';
import { type KeptLists, openKeptLists } from '../kept/keptLists.ts';
import type { RunSettings } from '../settings.ts';
import { loginState } from '../state/accounts.ts';
import { loginOf } from '../state/login.ts';
import { openState, type StateHost } from '../state/state.ts';
import { takeOver } from '../state/takeOver.ts';

/** The state of an account, for a run without a screen. */
export interface PrintedState {
  account: AccountState;
  lists: KeptLists;
  close(): void;
}

/**
 * Opens what is kept of the account of these settings; undefined with the demo.
 * @param say told, as sentences, of what was set aside
 */
export function stateFor(
  settings: RunSettings,
  host: StateHost,
  say: (says: string) => void,
): PrintedState | undefined {
  const login = loginOf(settings);
  if (!login) return undefined;
  const state = openState(stateDirectory(host.env), host.geteuid?.());
  state.onNotice(say);
  const account = loginState(state, login, host);
  takeOver(state, login.profile, account);
  return { account, lists: openKeptLists(state, login, account), close: state.close };
}

/**
 * Tells whether somebody has acknowledged a problem of the account of these settings; undefined with the demo.
 * @param euuid the account's own id, where the API has said it
 * @param say told, as sentences, where that cannot be read
 */
function acknowledgedIn(
  settings: RunSettings,
  euuid: string | undefined,
  host: StateHost,
  say: (says: string) => void,
): ((problem: Problem) => boolean) | undefined {
  const state = stateFor(settings, host, say);
  if (!state) return undefined;
  if (euuid !== undefined) state.account.confirm(euuid);
  const acknowledgements = createAcknowledgements(Date.now, state.account.of('acknowledged'), say);
  state.close();
  return (problem) => acknowledgements.of(problem) !== undefined;
}

/** Finds what is kept of an account on this machine, for its snapshot. */
export const keptOf = (
  settings: RunSettings,
  euuid: string | undefined,
  host: StateHost,
  say: (says: string) => void,
) => ({ isAcknowledged: acknowledgedIn(settings, euuid, host, say), journal: { settings, euuid, host } });
