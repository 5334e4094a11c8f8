import { formatValue, glyphOf } from '../../components/format.ts';
import { fitSpans, type Span } from '../../components/spans.ts';
import { marksOf } from '../../components/theme.ts';
import { isInProgress } from '../../resources/account/events.ts';
import { idIn, liesUnder } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import type { SummaryPart } from '../../resources/overview.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { CacheView, Column, Params, Resource, Row } from '../../resources/resource.ts';
import { isNothing } from '../../resources/row.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { valueChanges } from '../../store/history/valueChanges.ts';
import type { KeptChangesState } from '../../store/kept/keptChanges.ts';
import { tabKey } from '../../store/navigation.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { ageText, momentWords } from '../../text/times.ts';
import { changeSpans } from '../history/changeSpans.ts';
import type { LineContext } from '../history/historyLines.ts';
import { countLines, countsBy } from '../home/countLines.ts';
import { finishedWords, lineOfEvents, progressLine } from '../home/eventTiles.ts';
import { nameSpan, noteLine, type TileLine, type TileLink } from '../home/tile.ts';
import { formatCell, type RowContext } from '../list/rowLines.ts';
import { placeOfOwn } from '../places.ts';
import { placeOfProblem } from '../problems/remedies.ts';
import type { OverviewBlock } from './layout.ts';

/** The first line of an overview, and a second one where there is room for it; with the titles of the columns that they tell. */
export function summaryLines(
  row: Row,
  { resource, ...context }: Omit<RowContext, 'columns'>,
  width: number,
  maxLines: number,
): { lines: readonly TileLine[]; told: readonly string[] } {
  // A link can be followed from the facts alone.
  const isLink = (column: Column) => formatCell(row, column, { ...context, resource, columns: [column] }).link;
  const titlesOf = ({ value, tells }: SummaryPart): readonly string[] =>
    [...resource.columns, ...(resource.card ?? [])].flatMap((column) =>
      (column.value === value || column.title === tells) && !isLink(column) ? [column.title] : [],
    );
  const parts = (resource.overview?.summary ?? []).flatMap((part) => {
    const { value, format, says = '{}' } = part;
    const column = { title: '', value, format };
    const known = valueIn(row, column, context.cacheView);
    if (isNothing(known)) return [];
    const { text, role } = formatCell(row, column, { ...context, resource, columns: [column] });
    return [{ text: clean(says.replace('{}', () => text)), role, titles: titlesOf(part) }];
  });
  const lines: Span[][] = [];
  const told: string[] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { titles, ...part } of parts) {
    const cells = widthOf(part.text) + 2;
    if (used + cells > width) {
      if (lines.length === maxLines) break;
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push({ text: '  ' }, part);
    told.push(...titles);
    used += cells;
  }
  return { lines: lines.map((spans, index) => ({ id: `summary:${index}`, draw: () => spans.slice(1) })), told };
}

/** The guards that deny something of a row, each after a lock. */
export const lockLines = (denials: readonly string[], width: number): readonly TileLine[] =>
  denials.flatMap((says, nth) =>
    wrapCells(clean(says), Math.max(8, width - 4)).map((text, index) => ({
      id: `lock:${nth}:${index}`,
      draw: ({ theme }) => [{ text: `${index === 0 ? marksOf(theme).lock : ' '} ${text}`, role: 'warn' }],
    })),
  );

/** The problems of a row and of what lies below it; undefined where none is known. */
export function problemsBlock(
  problems: readonly Problem[],
  isAcknowledged: (problem: Problem) => boolean,
  width: number,
) {
  const open = problems.filter((problem) => !isAcknowledged(problem));
  const known = problems.length - open.length;
  if (problems.length === 0) return undefined;
  const figures: readonly Span[] = [
    ...(open.length > 0 ? [{ text: String(open.length) }] : []),
    ...(known > 0 ? [{ text: `${known} acknowledged`, role: 'dim' } as const] : []),
  ];
  return {
    name: 'problems',
    title: 'Problems',
    figures,
    lines: open.flatMap((problem) => problemLines(problem, width)),
    usual: 4,
  } satisfies OverviewBlock;
}

const ageWidth = 8;

/** A problem: its sentence, whole, after a mark for its severity, and its age. */
function problemLines(problem: Problem, width: number): readonly TileLine[] {
  const { id, says, severity, since } = problem;
  const room = Math.max(8, width - 4 - ageWidth);
  return wrapCells(clean(says), room).map((text, index): TileLine => {
    if (index > 0) return { id: `problem:${id}:${index}`, draw: () => [{ text: `  ${text}` }] };
    return {
      id: `problem:${id}`,
      link: { place: placeOfProblem(problem) },
      problem,
      draw: (context, isCurrent) => {
        const { theme, now } = context;
        const mark = formatValue(severity, 'status', theme);
        const age = since === undefined ? '' : ageText(now - since);
        return [
          { text: cell(glyphOf(mark.text), 2), role: mark.role },
          nameSpan(text, isCurrent),
          { text: ' '.repeat(Math.max(0, room - widthOf(text))) },
          { text: cell(age, ageWidth, 'right'), role: 'dim' },
        ];
      },
    };
  });
}

/** The children of a row, counted by one of their columns. */
export function countsBlock(
  { name, overview }: Resource,
  params: Params,
  rows: readonly Row[],
  view: CacheView,
  placeholder: string | undefined,
): OverviewBlock | undefined {
  const { list, by } = overview?.counts ?? {};
  const child = list && resourceNamed(list);
  const column = child?.columns.find(({ title }) => title === by);
  if (!child || !column) return undefined;
  const place = { screen: 'detail', resource: name, params, tab: child.many.toLowerCase() } as const;
  const viewKey = tabKey(child.name, name, params);
  const counts = countsBy((row) => valueIn(row, column, view))(rows);
  const lines = countLines(child, column.title, counts, (value) => ({ text: value }));
  return {
    name: 'counts',
    title: child.many,
    figures: [placeholder ? { text: placeholder, role: 'dim' } : { text: String(rows.length) }],
    link: { place },
    lines: lines.map((line) => ({ ...line, link: { place, filter: line.link?.filter, viewKey } })),
    usual: 8,
  };
}

/** Some of the texts to copy, whole. */
export function commandsBlock(resource: Resource, row: Row, view: CacheView, width: number): OverviewBlock | undefined {
  const { title, names } = resource.overview?.commands ?? { title: '', names: [] };
  const titles = Math.max(0, ...names.map(widthOf)) + 2;
  const lines = names.flatMap((name): readonly TileLine[] => {
    const text = resource.copies?.[name]?.(row, view);
    if (text === undefined) return [];
    return wrapCells(clean(text), Math.max(8, width - titles - 2)).map((part, index) => ({
      id: `command:${name}:${index}`,
      draw: () => [{ text: cell(index === 0 ? name : '', titles), role: 'dim' }, { text: part.trimStart() }],
    }));
  });
  if (lines.length === 0) return undefined;
  return {
    name: 'commands',
    title,
    figures: [{ text: `${keyLabel('detail.copy', 'c')} copies them`, role: 'dim' }],
    lines,
    usual: lines.length,
  };
}

/** Cells of the path of a value. */
const pathWidth = 16;

/** Lists the values of a row that an earlier session has read otherwise; undefined where none is known. */
export function changedBlock(
  { resource, theme, now, width }: LineContext,
  params: Params,
  row: Row,
  lists: KeptChangesState['lists'],
): OverviewBlock | undefined {
  const id = idIn(resource, params) ?? '';
  const list = Object.values(lists).find(
    (one) =>
      one.resource === resource.name &&
      liesUnder(params, one.query.params) &&
      (one.came.has(id) || one.changed.has(id)),
  );
  if (!list) return undefined;
  const before = list.changed.get(id);
  const changes = before ? valueChanges(resource, before, row) : [];
  if (before && changes.length === 0) return undefined;
  const lines = changes.map((change): TileLine => {
    const path = change.path.join('.');
    const name = clean(path).padEnd(pathWidth);
    const spans = fitSpans(changeSpans(resource, change, theme), Math.max(8, width - 4 - name.length));
    return { id: `changed:${path}`, draw: () => [{ text: `${cell(name, name.length)}  `, role: 'dim' }, ...spans] };
  });
  return {
    name: 'changed',
    title: `Since ${momentWords(list.since, now)}`,
    figures: [{ text: before ? `${changes.length} changed` : 'new', role: 'warn' }],
    lines,
    usual: 4,
  };
}

/** No screen has room for more. */
const maxEvents = 40;

/** The last finished events of a row. */
export function eventsBlock(
  own: readonly Row[],
  resource: Resource,
  params: Params,
  noneText: string,
  width: number,
): OverviewBlock {
  const past = own.filter((event) => !isInProgress(event));
  const none = noteLine('events:none', own.length > 0 ? 'None has ended yet.' : noneText);
  return {
    name: 'events',
    title: 'Events',
    figures: [],
    link: { place: { screen: 'detail', resource: resource.name, params, tab: 'history' } },
    lines:
      past.length > 0
        ? past.slice(0, maxEvents).flatMap((event) => [eventLine(event), ...messageLines(event, width)])
        : [none],
    omitted: Math.max(0, past.length - maxEvents),
    usual: 5,
  };
}

const maxMessageLines = 3;

/** Why an event failed, below its line. */
function messageLines({ id, message, status }: Row, width: number): readonly TileLine[] {
  if (status !== 'failed' || typeof message !== 'string' || message === '') return [];
  return wrapCells(clean(message), Math.max(8, width - 13))
    .slice(0, maxMessageLines)
    .map((text, index) => ({
      id: `event:${id}:${index}`,
      draw: () => [{ text: `${' '.repeat(11)}${text}`, role: 'dim' }],
    }));
}

const events = resourceNamed('events');

const linkToItself = (event: Row): TileLink => ({ place: placeOfOwn(events, event) });

/** An event in progress; it leads to the event, for its object is here. */
export const jobLine = memoize((event: Row): TileLine => ({ ...progressLine(event), link: linkToItself(event) }));

/** A finished event: outcome, age, action, user and duration. */
const eventLine = lineOfEvents((event, context, isCurrent) => {
  const { width } = context;
  const { status, age, action, duration, user } = finishedWords(event, context);
  const isWide = width >= 62;
  const spare = Math.max(0, width - 44);
  return [
    { text: cell(glyphOf(status.text), 2), role: status.role },
    { text: age, role: 'dim' },
    { text: '  ' },
    nameSpan(cell(action, isWide ? Math.min(30, width - 38) : 18 + Math.min(6, spare)), isCurrent),
    { text: `  ${cell(user, isWide ? 12 : 10 + Math.max(0, spare - 6))}` },
    { text: isWide ? cell(duration, 11, 'right') : '', role: 'dim' },
  ];
}, linkToItself);
