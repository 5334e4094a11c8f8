import type { Span } from '../../components/spans.ts';
import type { Theme } from '../../components/theme.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { clean, cut, widthOf } from '../../text/cells.ts';
import type { Timestamp } from '../../text/times.ts';
import { closedRow, openRow } from '../accounts/accountRows.ts';

/**
 * The accounts of a wall in one line: what is wrong with each, or why nothing is known of it.
 * @param since when they were asked first, in ms since the epoch
 */
export function accountsStrip(
  theme: Theme,
  accounts: Accounts,
  since: Timestamp,
  now: Timestamp,
  width: number,
): string {
  const { opened, failures } = accounts.getState();
  let line = ' ';
  let room = width - 1;
  for (const profile of accounts.profiles()) {
    const stores = opened[profile];
    const { cells } = stores ? openRow(profile, stores, since, now) : closedRow(profile, failures[profile]);
    const state: readonly Span[] =
      cells.STATE.text === 'ok'
        ? [
            { ...cells.CRITICAL, text: `${cells.CRITICAL.text} critical` },
            { ...cells.WARNINGS, text: `${cells.WARNINGS.text} warnings` },
          ]
        : [cells.STATE];
    const name = clean(profile);
    const plain = `${name} ${state.map(({ text }) => text).join(' ')}`;
    if (widthOf(plain) > room) return line + cut(plain, room);
    const hue = stores?.configuration.getState().color;
    const said = state.map(({ text, role }) => (role ? theme.paint(role, text) : text)).join(' ');
    line += `${hue ? theme.hue(hue, name) : theme.paint('title', name)} ${said}   `;
    room -= widthOf(plain) + 3;
  }
  return line.slice(0, line.trimEnd().length);
}
