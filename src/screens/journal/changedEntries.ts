import { painted, type Span, wrapSpans } from '../../components/spans.ts';
import { marksOf, type Role, type Theme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Resource, Row } from '../../resources/resource.ts';
import { idOf, paramsOf, queryKey } from '../../store/cache.ts';
import { valueChanges } from '../../store/history/valueChanges.ts';
import { countsText, type ListChanges } from '../../store/kept/listChanges.ts';
import { whereWords } from '../../store/plans/names.ts';
import { rowIn } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { momentWords } from '../../text/times.ts';
import { changeSpans } from '../history/changeSpans.ts';
import { placeOfRow } from '../places.ts';
import type { EntryRoom, JournalEntry } from './entries.ts';

/** More rows of a list are counted only: its filter finds them. */
const maxRows = 500;

/** All that changed since an earlier session, list by list: what came, what went, and what of a row is different. */
export function changedEntries(
  room: EntryRoom,
  { cache, navigation, view, now }: Stores,
  lists: readonly ListChanges[],
): readonly JournalEntry[] {
  return lists.flatMap((list, nth) => {
    const { query, since: at } = list;
    const rows = cache.getState().collections[queryKey(query)]?.rows ?? [];
    const resource = resourceNamed(list.resource);
    const open = (row: Row) => () => navigation.go(placeOfRow(resource, paramsOf(resource, row, query.params)));
    const heading = { at, lines: [...(nth > 0 ? [''] : []), headLine(room, list, view, now())] };
    return [heading, ...changedRows(room, list, rows, queryKey(query), open)];
  });
}

/** Its rows and where they lie, such as `Nodes at port 443 of NodeBalancer web-lb`. */
function headLine({ theme, width }: EntryRoom, list: ListChanges, view: CacheView, now: number): string {
  const resource = resourceNamed(list.resource);
  const record = { resource: resource.name, action: '', label: '', params: list.query.params };
  const where = clean(whereWords({ record }, resource, { view, steps: [] }));
  const many = cut(where === '' ? resource.many : `${resource.many} ${where}`, Math.ceil(width / 2));
  const says = `${countsText(list)} since ${momentWords(list.since, now)}`;
  const way = `   ${keyLabel('list.filter', '/')} is:changed there`;
  const more = widthOf(` ${many}  ${says}${way}`) <= width && list.came.size + list.changed.size > 0 ? way : '';
  return ` ${theme.paint('title', many)}  ${cut(says, width - widthOf(many) - 3)}${theme.paint('dim', more)}`;
}

/** The rows of a list that came, went or changed, each with the values that changed. */
function changedRows(
  { theme, width }: EntryRoom,
  list: ListChanges,
  rows: readonly Row[],
  key: string,
  open: (row: Row) => () => void,
): readonly JournalEntry[] {
  const resource = resourceNamed(list.resource);
  const { one } = resource;
  const entry = (sign: string, role: Role, row: Row, spans: readonly Span[], isGone = false): JournalEntry => ({
    id: `${key} ${idOf(resource, row)}`,
    at: list.since,
    lines: rowText(theme, sign, role, clean(resource.label(row)), spans, width - 2),
    open: isGone ? `This ${one} is there no more.` : resource.view ? open(row) : `A ${one} has no page of its own.`,
  });
  const said = (word: string): readonly Span[] => [{ text: word, role: 'dim' }];
  const minus = theme.glyphs === 'ascii' ? '-' : '−';
  const all: readonly (() => JournalEntry)[] = [
    ...rows
      .filter((row) => list.came.has(idOf(resource, row)))
      .map((row) => () => entry('+', 'good', row, said('new'))),
    ...list.gone.map((row) => () => entry(minus, 'bad', row, said('gone'), true)),
    ...[...list.changed].flatMap(([id, before]) => {
      const after = rowIn(resource, rows, id);
      const { changed } = marksOf(theme);
      return after ? [() => entry(changed, 'warn', after, spansOf(resource, before, after, theme))] : [];
    }),
  ];
  const shown = all.slice(0, maxRows).map((draw) => draw());
  const more = theme.paint('dim', `   and ${all.length - maxRows} more`);
  return all.length > maxRows ? [...shown, { at: list.since, lines: [more] }] : shown;
}

const labelWidth = 24;
/** Of one row; its history tells all. */
const maxLines = 4;

/** The lines of a row: what is said of it wraps beside its label. */
function rowText(
  theme: Theme,
  sign: string,
  role: Role,
  label: string,
  spans: readonly Span[],
  width: number,
): readonly string[] {
  const name = cell(label, Math.min(labelWidth, Math.max(8, Math.floor(width / 3))));
  const indent = widthOf(name) + 4;
  const lines = wrapSpans(spans, Math.max(8, width - indent));
  return lines.slice(0, maxLines).map((line, index) => {
    const isCut = index === maxLines - 1 && lines.length > maxLines;
    const lead = index === 0 ? ` ${theme.paint(role, sign)} ${name} ` : ' '.repeat(indent);
    return `${lead}${painted(theme, isCut ? [...line, { text: '…' }] : line)}`;
  });
}

/** The values that changed in a row: `status running → offline; label a → b`. */
function spansOf(resource: Resource, before: Row, after: Row, theme: Theme): readonly Span[] {
  return valueChanges(resource, before, after).flatMap((change, index) => [
    { text: `${index > 0 ? '; ' : ''}${clean(change.path.join('.'))} `, role: 'dim' as const },
    ...changeSpans(resource, change, theme),
  ]);
}
