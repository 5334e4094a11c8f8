import type { Problem } from '../../resources/problems/rule.ts';
import type { AccountState } from '../../store/kept/accountState.ts';
import { createAcknowledgements } from '../../store/problems/acknowledgements.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { stateDirectory } from '../directories.ts';
import { type KeptLists, openKeptLists } from '../kept/keptLists.ts';
import type { RunSettings } from '../settings.ts';
import { loginState } from '../state/accounts.ts';
import { loginOf } from '../state/login.ts';
import type { RunOwner } from '../state/runs.ts';
import { openState } from '../state/state.ts';
import { takeOver } from '../state/takeOver.ts';

/** The state of an account, for a run without a screen. */
export interface PrintedState {
  account: AccountState;
  lists: KeptLists;
  close(): void;
}

/** Where the state is. */
export interface StatePlace {
  env: Environment;
  /** The only user who may have written it; absent on Windows. */
  owner: number | undefined;
  /** The process that may carry plans out. */
  process?: RunOwner;
}

/**
 * Opens what is kept of the account of these settings; undefined with the demo.
 * @param say told, as sentences, of what was set aside
 */
export function stateFor(
  settings: RunSettings,
  { env, owner, process }: StatePlace,
  say: (says: string) => void,
): PrintedState | undefined {
  const login = loginOf(settings);
  if (!login) return undefined;
  const state = openState(stateDirectory(env), owner);
  state.onNotice(say);
  const account = loginState(state, login, process);
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
  place: StatePlace,
  say: (says: string) => void,
): ((problem: Problem) => boolean) | undefined {
  const state = stateFor(settings, place, say);
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
  place: StatePlace,
  say: (says: string) => void,
) => ({ isAcknowledged: acknowledgedIn(settings, euuid, place, say), journal: { settings, euuid, ...place } });
