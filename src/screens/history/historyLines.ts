import { formatValue, glyphOf } from '../../components/format.ts';
import { painted, type Span, wrapSpans } from '../../components/spans.ts';
import { marksOf, pointerOf, rowTinted, type Theme } from '../../components/theme.ts';
import { actionWords, entityWords, isInProgress } from '../../resources/account/events.ts';
import { actionsOf, knownResource } from '../../resources/index.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import { isRow, type Resource } from '../../resources/resource.ts';
import { actionOn } from '../../resources/wording.ts';
import { percentOf } from '../../store/events.ts';
import type { HistoryEntry } from '../../store/history/history.ts';
import { changedLabel } from '../../store/history/valueChanges.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import { ageText } from '../../text/times.ts';
import { textIn } from '../../text/words.ts';
import { durationOf } from '../home/eventTiles.ts';
import type { DrawContext } from '../home/tile.ts';
import { changeSpans } from './changeSpans.ts';

export interface LineContext extends DrawContext {
  resource: Resource;
}

/** Cells before who did it: cursor, mark, outcome and age. */
const lead = 14;
const minWideColumns = 120;
/** No value hides the entries below it; compared, it is seen whole. */
const maxValueLines = 4;

/** The cells of each part of a line; the first three and the gaps between always have their place. */
function partsOf(width: number) {
  if (width >= minWideColumns) return { who: 14, what: 26, took: 12, changes: lead + 14 + 26 + 12 + 6 };
  const [who, took] = width < 70 ? [10, 11] : [14, 12];
  return {
    who,
    took,
    what: Math.max(8, width - lead - who - took - 5),
    /** Where the values begin that changed: beside what happened in a wide terminal, below it else. */
    changes: lead,
  };
}

/** The titles above the entries. */
export function historyHead(theme: Theme, width: number): string {
  const { who, what, took, changes } = partsOf(width);
  const titles = `${' '.repeat(lead - 6)}WHEN  ${cell('WHO', who)}  ${cell('WHAT', what)}  ${cell('TOOK', took, 'right')}`;
  return theme.paint('dim', changes > lead ? `${titles}  CHANGED` : titles);
}

/** Names an entry: the action that was sent, the words of the event, or that it was found. */
export function entryWords(resource: Resource, { event, sent, isOfPart }: HistoryEntry): string {
  if (!sent) return event ? actionWords(event.action) : 'seen changed';
  const of = isOfPart ? knownResource(sent.resource) : resource;
  const action = of && actionsOf(of).find(({ name }) => name === sent.action);
  const program = textIn(sent.command) ?? (sent.shell ? 'Shell' : undefined);
  if (action && isOfPart) return actionOn(action, String(sent.label ?? of?.one));
  return action?.help ?? program ?? textIn(sent.action) ?? [sent.method, sent.path].filter(Boolean).join(' ');
}

function tookOf({ event }: HistoryEntry): string {
  const percent = event && isInProgress(event) ? percentOf(event) : undefined;
  return percent === undefined ? durationOf(event) : `${Math.round(percent)}%`;
}

/** The words of the audit log for what is not known to be done, as statuses that have a sign. */
const outcomes: Readonly<Record<string, string>> = {
  pending: 'pending',
  begun: 'notice',
  'answer lost': 'warning',
  'answer unknown': 'warning',
};

/** The outcome in one word, as statuses are written. */
function outcomeOf({ event, sent, seen }: HistoryEntry): string {
  if (sent && sent.outcome !== 'done') return outcomes[String(sent.outcome)] ?? 'failed';
  if (event) return textIn(event.status) ?? 'notification';
  return seen ? 'notice' : 'done';
}

/** Why it failed, and the values that changed; `room` is that of the values' lines. */
function detailsOf(
  entry: HistoryEntry,
  { resource, theme, room }: Pick<LineContext, 'resource' | 'theme'> & { room: number },
): readonly string[] {
  const { event, sent, changes } = entry;
  const why = sent?.outcome !== 'done' && textIn(sent?.error);
  // An event of a part, such as a record, names it in its second entity, or in words.
  const part = isRow(event?.secondary_entity) ? entityWords(event.secondary_entity) : undefined;
  const said = [why, ...(entry.isOfPart ? [] : [part, textIn(event?.message)])].flatMap((text) =>
    text ? wrapCells(clean(text), room).slice(0, maxValueLines) : [],
  );
  const names = changes.map((change) => clean(changedLabel(resource, change)));
  const longest = Math.max(0, ...names.map((name) => name.length));
  const nameWidth = Math.min(longest, Math.max(8, Math.floor(room / 3)));
  const values = changes.flatMap((change, index) => {
    const lines = wrapSpans(changeSpans(resource, change, theme), Math.max(8, room - nameWidth - 2));
    return lines.slice(0, maxValueLines).map((spans, nth) => {
      const name: Span = { text: cell(nth === 0 ? (names[index] ?? '') : '', nameWidth), role: 'accent' };
      const rest: readonly Span[] = nth === maxValueLines - 1 && lines.length > maxValueLines ? [{ text: '…' }] : [];
      return painted(theme, [name, { text: '  ' }, ...spans, ...rest]);
    });
  });
  return [...said.map((line) => theme.paint('dim', line)), ...values];
}

/** Writes entries; each is worked out once for a width. */
export function createEntryLines() {
  const details = memoize((entry: HistoryEntry) =>
    memoizeOne((resource: Resource, theme: Theme, width: number) =>
      detailsOf(entry, { resource, theme, room: Math.max(12, width - partsOf(width).changes - 1) }),
    ),
  );

  return {
    height: (entry: HistoryEntry, { resource, theme, width }: LineContext): number => {
      const { length } = details(entry)(resource, theme, width);
      return partsOf(width).changes > lead ? Math.max(1, length) : 1 + length;
    },
    lines: (entry: HistoryEntry, state: Parameters<typeof rowTinted>[1], context: LineContext): readonly string[] => {
      const { theme, now, width, resource } = context;
      const { who, what, took, changes } = partsOf(width);
      const status = formatValue(outcomeOf(entry), 'status', theme);
      const glyph = cell(glyphOf(status.text), 1);
      const words = cell(entryWords(resource, entry), what);
      const first = [
        pointerOf(theme, state.isCurrent),
        state.isMarked ? theme.paint('mark', marksOf(theme).mark) : ' ',
        ' ',
        theme.paint(status.role, glyph),
        theme.paint('dim', cell(entry.at > 0 ? ageText(now - entry.at) : '', 8, 'right')),
        // A change without an event was sent from here.
        `  ${cell(textIn(entry.event?.username) ?? (entry.sent ? 'you' : ''), who)}  `,
        theme.paint(state.isCurrent ? 'cursor' : undefined, words),
        theme.paint('dim', `  ${cell(tookOf(entry), took, 'right')}`),
      ].join('');
      const own = details(entry)(resource, theme, width);
      const isWide = changes > lead;
      const [beside, ...below] = isWide ? own : ['', ...own];
      const lines = [
        isWide && beside ? `${first}  ${beside}` : first,
        ...below.map((line) => `${' '.repeat(changes)}${line}`),
      ];
      return lines.map((line) => rowTinted(theme, state, line, width));
    },
  };
}
