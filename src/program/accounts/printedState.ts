import type { Problem } from '../../resources/problems/rule.ts';
import { createAcknowledgements } from '../../store/problems/acknowledgements.ts';
import { stateDirectory } from '../directories.ts';
import { openKeptLists } from '../kept/keptLists.ts';
import type { RunSettings } from '../settings.ts';
import { loginOf, loginState } from '../state/accounts.ts';
import { openState, type StateHost } from '../state/state.ts';
import { takeOver } from '../state/takeOver.ts';

/** The state of an account, for a run without a screen. */
export type PrintedState = NonNullable<ReturnType<typeof stateFor>>;

/**
 * Opens what is kept of the account of these settings; undefined with the demo.
 * @param say told, as sentences, of what was set aside
 */
export function stateFor(settings: RunSettings, host: StateHost, say: (says: string) => void) {
  const login = loginOf(settings);
  if (!login) return undefined;
  const state = openState(stateDirectory(host.env), host.geteuid?.());
  state.onNotice(say);
  const account = loginState(state, login, host);
  takeOver(state, login.profile, account);
  return { account, lists: openKeptLists(state, login, account), close: state.close };
}

/**
 * Finds what is kept of an account on this machine, for its snapshot: its journal, and whether somebody has acknowledged a
 * problem, of which the demo keeps nothing.
 * @param euuid the account's own id, where the API has said it
 * @param say told, as sentences, where that cannot be read
 */
export function keptOf(settings: RunSettings, euuid: string | undefined, host: StateHost, say: (says: string) => void) {
  const state = stateFor(settings, host, say);
  if (euuid !== undefined) state?.account.confirm(euuid);
  const acknowledged = state && createAcknowledgements(Date.now, state.account.of('acknowledged'), say);
  state?.close();
  const isAcknowledged = acknowledged && ((problem: Problem) => acknowledged.of(problem) !== undefined);
  return { isAcknowledged, journal: { settings, euuid, host } };
}
