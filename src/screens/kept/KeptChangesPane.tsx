import { useStore } from 'zustand';
import { painted, type Span, wrapSpans } from '../../components/spans.ts';
import { marksOf, type Role, type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { idOf, queryKey } from '../../store/cache.ts';
import { valueChanges } from '../../store/history/valueChanges.ts';
import { changedLists, countsText, type ListChanges } from '../../store/kept/listChanges.ts';
import { rowIn } from '../../store/rows.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { momentWords } from '../../text/times.ts';
import { changeSpans } from '../history/changeSpans.ts';
import { Page } from '../page/Page.tsx';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';

/** More rows of a list are counted only: its filter finds them. */
const maxRows = 500;

/** All that changed since an earlier session, list by list: what came, what went, and what of a row is different. */
export function KeptChangesPane({ width, height }: Size) {
  const { keptChanges, cache, navigation, now } = useStores();
  const theme = useTheme();
  const lists = changedLists(useStore(keptChanges, (state) => state.lists));
  const rowsOf = ({ query }: ListChanges) => cache.getState().collections[queryKey(query)]?.rows ?? [];
  const lines = lists.flatMap((list, index) => [
    ...(index > 0 ? [''] : []),
    headLine(theme, list, now(), width),
    ...changeLines(theme, list, rowsOf(list), width),
  ]);
  return (
    <Page
      layer="pane"
      title="Changed since last time"
      lines={lines}
      none="Nothing has changed in the lists that were kept and that were read again so far."
      width={width}
      height={height}
      keys={{ close: () => navigation.close() }}
    />
  );
}

function headLine(theme: Theme, list: ListChanges, now: number, width: number): string {
  const { many } = resourceNamed(list.resource);
  const says = `${countsText(list)} since ${momentWords(list.since, now)}`;
  const way = `   ${keyLabel('list.filter', '/')} is:changed there`;
  const more = widthOf(` ${many}  ${says}${way}`) <= width && list.came.size + list.changed.size > 0 ? way : '';
  return ` ${theme.paint('title', many)}  ${cut(says, width - widthOf(many) - 3)}${theme.paint('dim', more)}`;
}

/** The rows of a list that came, went or changed, one on each line, with the values that changed. */
function changeLines(theme: Theme, list: ListChanges, rows: readonly Row[], width: number): readonly string[] {
  const resource = resourceNamed(list.resource);
  const came = rows.filter((row) => list.came.has(idOf(resource, row)));
  const changed = [...list.changed].flatMap(([id, before]) => {
    const after = rowIn(resource, rows, id);
    return after ? [{ before, after }] : [];
  });
  const text = (sign: string, role: Role, row: Row, spans: readonly Span[]) =>
    rowText(theme, sign, role, clean(resource.label(row)), spans, width);
  const said = (word: string): readonly Span[] => [{ text: word, role: 'dim' }];
  const minus = theme.glyphs === 'ascii' ? '-' : '−';
  const all: readonly (() => readonly string[])[] = [
    ...came.map((row) => () => text('+', 'good', row, said('new'))),
    ...list.gone.map((row) => () => text(minus, 'bad', row, said('gone'))),
    ...changed.map(
      ({ before, after }) =>
        () =>
          text(marksOf(theme).changed, 'warn', after, spansOf(resource, before, after, theme)),
    ),
  ];
  const shown = all.slice(0, maxRows).flatMap((draw) => draw());
  return all.length > maxRows ? [...shown, theme.paint('dim', `   and ${all.length - maxRows} more`)] : shown;
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
  const indent = widthOf(name) + 6;
  const lines = wrapSpans(spans, Math.max(8, width - indent));
  return lines.slice(0, maxLines).map((line, index) => {
    const isCut = index === maxLines - 1 && lines.length > maxLines;
    const lead = index === 0 ? `   ${theme.paint(role, sign)} ${name} ` : ' '.repeat(indent);
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
