import type { Theme } from '../../components/theme.ts';
import type { ResultState } from '../../store/changes/change.ts';
import { changeFacts, type PendingChange } from '../../store/changes/pendingChanges.ts';
import type { Transfer } from '../../store/changes/transfers.ts';
import type { Notice } from '../../store/notices.ts';
import type { Overlay } from '../../store/overlay.ts';
import type { PlansState } from '../../store/plans/plans.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import { ageText, type Timestamp } from '../../text/times.ts';
import { markOf, planFacts, transferFacts } from '../transfers/changeLines.ts';

/** An entry of the journal: what is said of it, what it opens, and what was sent. */
export interface JournalEntry {
  /** Undefined of a heading. */
  id?: string;
  at: Timestamp;
  isRunning?: boolean;
  /** Painted; the lines after the first belong to it. */
  lines: readonly string[];
  open?: (() => void) | string;
  /** The names of the changes. */
  sent?: readonly string[];
}

/** The room of an entry, and how it is painted. */
export interface EntryRoom {
  theme: Theme;
  width: number;
  now: Timestamp;
  /** Cells of the longest name of what is or was under way, which is not cut while there is room. */
  longest?: number;
}

const ageCell = (theme: Theme, ms: number, isFirst: boolean): string =>
  theme.paint('dim', cell(isFirst ? ageText(ms) : '', 8, 'right'));

/** Its age, what it is, and how far it is, which wraps. */
function progressLines(room: EntryRoom, state: ResultState, at: Timestamp | undefined, what: string, facts: string) {
  const { theme, width, now, longest = 0 } = room;
  const whatWidth = Math.floor(Math.max(Math.min(44, width / 2.5), Math.min(longest, (width * 2) / 3 - 17)));
  const mark = theme.paint(...markOf(theme, state));
  return wrapCells(clean(facts, facts.length), Math.max(10, width - whatWidth - 17)).map(
    (line, nth) =>
      `${ageCell(theme, now - (at ?? now), nth === 0 && at !== undefined)}  ${nth === 0 ? mark : ' '} ${cell(nth === 0 ? clean(what) : '', whatWidth)}  ${theme.paint('dim', line)}`,
  );
}

/**
 * A change of this session with how far it is; it opens what became of each row, or what a program printed.
 * @param where its only row lies: `at port 443 of NodeBalancer web-lb`
 */
export function changeEntry(
  room: EntryRoom,
  change: PendingChange,
  open: (overlay: Overlay) => void,
  where = '',
): JournalEntry {
  const { id, isOver, results, startedAt: at, title } = change;
  const states = new Set(results.map(({ state }) => state));
  const isRunning = !isOver || states.has('running');
  const worst = (['failed', 'unknown', 'not sent'] as const).find((state) => states.has(state));
  const what = `${title} ${where}`.trim();
  const hasOutput = results.some(({ output }) => output);
  return {
    id: `change ${id}`,
    at,
    isRunning,
    lines: progressLines(room, isRunning ? 'running' : (worst ?? 'done'), at, what, changeFacts(change)),
    open: () => open(hasOutput ? { kind: 'output', change: id } : { kind: 'results', change: id, leftOut: [] }),
    sent: results.flatMap(({ uid }) => uid ?? []),
  };
}

/** The plan that is being carried out; it opens it. */
export function planEntry(room: EntryRoom, state: PlansState, open: (overlay: Overlay) => void): JournalEntry {
  const { title, done, count, now, ways } = planFacts(state);
  const facts = [`${done} of ${count} done`, ...now, ...ways].join('; ');
  const lines = progressLines(room, 'running', undefined, title, facts);
  return { id: 'plan', at: Number.POSITIVE_INFINITY, isRunning: true, lines, open: () => open({ kind: 'plan' }) };
}

/** An upload or download of this session; while it is under way it is cancelled by what opens others. */
export function transferEntry(room: EntryRoom, transfer: Transfer, open: () => void): JournalEntry {
  const { id, what, state, startedAt: at } = transfer;
  const became = state === 'cancelled' ? 'not sent' : state;
  const lines = progressLines(room, became, at, what, transferFacts(transfer));
  return { id: `transfer ${id}`, at, isRunning: state === 'running', lines, open };
}

/** A message with its age, wrapped. */
export function messageEntry(room: EntryRoom, notice: Notice, open: (() => void) | string): JournalEntry {
  const { theme, width, now } = room;
  const { id, tone, text, at, sent = [] } = notice;
  const lines = wrapCells(clean(text, text.length), width - 13).map(
    (line, nth) => `${ageCell(theme, now - at, nth === 0)}  ${theme.paint(tone, line)}`,
  );
  return { id: String(id), at, lines, open, sent };
}
