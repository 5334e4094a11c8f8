import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { formatValue } from '../../components/format.ts';
import { fitSpans, painted, type Span, saidLines, wrapSpans } from '../../components/spans.ts';
import { type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type CacheView, type Column, isRow, type Resource, type Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { valueIn } from '../../store/filter/fields.ts';
import { type HistoryEntry, type RowThen, rowAt } from '../../store/history/history.ts';
import { withoutSecrets } from '../../store/history/valueChanges.ts';
import type { ComparedSide } from '../../store/navigation.ts';
import { isSame } from '../../store/rows.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { unitText } from '../../text/numbers.ts';
import { ageText, momentWords } from '../../text/times.ts';
import { aNoun, counted, listed } from '../../text/words.ts';
import { Page } from '../page/Page.tsx';
import type { PagePart } from '../page/usePage.ts';
import { type OverlayProps, useStores } from '../useStores.ts';
import { useHistory } from './HistoryTab.tsx';
import { entryWords } from './historyLines.ts';

/** Two rows, or two moments of one row, field by field; at first those that differ. */
export function ComparisonPane({ overlay, width, height }: OverlayProps<'comparison'>) {
  const stores = useStores();
  const theme = useTheme();
  const { view, navigation, cache, seenChanges, now } = stores;
  const resource = resourceNamed(overlay.resource);
  const [one, other] = overlay.sides;
  const { entries } = useHistory(resource, one.params);
  const left = useStore(cache, () => cachedRow(stores.view, resource, one.params));
  const right = useStore(cache, () => cachedRow(stores.view, resource, other.params));
  const [isAll, setAll] = useState(false);
  const page = useRef<PagePart>(null);
  const isMoments = one.moment !== undefined || other.moment !== undefined;
  const [was, is] = [stateOf(left, entries, one), stateOf(right, entries, other)];
  const [before, after] = [was?.row, is?.row];
  const fields = useMemo(
    () => (before && after ? comparedFields(before, after, { resource, view, theme }) : []),
    [before, after, resource, view, theme],
  );
  const shown = isAll ? fields : fields.filter(({ isSame }) => !isSame);
  const same = fields.length - shown.length;
  const titles = [titleOf(one, left), titleOf(other, right)] as const;
  const title = isMoments && left ? `Two moments of ${resource.label(left)}` : `Compare two ${plural(resource)}`;
  const all = () => {
    setAll(!isAll);
    page.current?.scrollTo(0);
  };
  return (
    <Page
      ref={page}
      layer="comparison"
      title={title}
      head={[compareHead(shown, titles, theme, width)]}
      lines={[...compareLines(shown, theme, width), '', ...wrapped(remarks())]}
      keys={{ all, palette: () => navigation.open({ kind: 'palette' }), close: () => navigation.close() }}
      width={width}
      height={height}
    />
  );

  function titleOf({ moment }: ComparedSide, row: Row | undefined): string {
    const entry = moment && entries.find(({ id }) => id === moment.entry);
    if (moment && entry)
      return `${moment.side} ${entryWords(resource, entry)}, ${entry.at > 0 ? `${ageText(now() - entry.at)} ago` : 'at an unknown time'}`;
    if (moment) return 'a moment that is forgotten';
    return isMoments ? 'now' : row ? resource.label(row) : `${aNoun(resource.one)} that is gone`;
  }

  /** Sentences about what is not shown, and what is not known. */
  function remarks(): readonly string[] {
    if (!was || !is) return [`There is nothing to compare: ${missing(was ? right : left, resource)}.`];
    const unexplained = [...new Set([...was.unexplained, ...is.unexplained])];
    const reach = [one, other].flatMap(({ moment }) => entries.find(({ id }) => id === moment?.entry)?.at ?? []);
    const isOld = reach.some((time) => time < seenChanges.beganAt);
    const all = keyLabel('comparison.all', 'a');
    return [
      shown.length === 0 ? `No field of the ${isMoments ? 'two moments' : `two ${plural(resource)}`} differs.` : '',
      same > 0 ? `${counted(same, 'field')} ${same === 1 ? 'is' : 'are'} the same; ${all} shows all.` : '',
      isAll ? `${all} shows those that differ.` : '',
      isOld
        ? `Before ${momentWords(seenChanges.beganAt, now())} only what was changed from here is known; other fields are as they were first read.`
        : '',
      unexplained.length > 0 ? `Changed in between, and nothing tells by what: ${listed(unexplained, 5)}.` : '',
    ].filter(Boolean);
  }

  function wrapped(texts: readonly string[]): readonly string[] {
    return texts.flatMap((text) => saidLines(theme, text, width - 4, 'dim', 2));
  }
}

const missing = (row: Row | undefined, { one }: Resource): string =>
  row ? 'that moment is forgotten' : `${aNoun(one)} is gone`;

/** The row of a side as it was; undefined where it is not known. */
const stateOf = (
  row: Row | undefined,
  entries: readonly HistoryEntry[],
  { moment }: ComparedSide,
): RowThen | undefined => row && (moment ? rowAt(row, entries, moment) : { row, unexplained: [] });

/** A field of two rows, written in clean lines; `isColumn` tells one of the list's own from a field of the API. */
type ComparedField = ReturnType<typeof comparedFields>[number];

/** Two rows field by field: first as their list shows them, then the fields of the API that it does not show as they are. */
export function comparedFields(
  one: Row,
  other: Row,
  { resource, view, theme }: { resource: Resource; view: CacheView; theme: Theme },
) {
  const [shown, others] = [withoutSecrets(one), withoutSecrets(other)];
  const columns = [...resource.columns, ...(resource.card ?? [])].filter(({ fetches }) => !fetches);
  const values = columns.map((column) => [valueIn(shown, column, view), valueIn(others, column, view)]);
  const ofColumns = columns.map((column, nth) => {
    const [was, is] = values[nth] ?? [];
    const [text = '', otherText = ''] = [was, is].map((value) => columnText(value, column, theme));
    // Values that differ are not written alike: where they are, they are written exactly.
    const isExact = text === otherText && !isSame(was, is);
    const exact = (value: unknown) =>
      exactText(value) + unitText(typeof value === 'number' ? units[column.format ?? 'text'] : '');
    const [before, after] = isExact ? [exact(was), exact(is)] : [text, otherText];
    return { name: column.title, one: before, other: after, isSame: isSame(was, is), isColumn: true };
  });
  const told = columns.flatMap((column, nth) =>
    toldBy(column, ofColumns[nth]?.isSame === false, shown, view).map((path) => ({ path, values: values[nth] ?? [] })),
  );
  const [left, right] = [leavesOf(shown), leavesOf(others)];
  // Of a field in parts, a column may have one: the date of its last backup.
  const isTold = (path: string) =>
    told.some(({ path: own, values: [was, is] }) => {
      return own === path || (own === path.replace(/\..*/s, '') && was === left.get(path) && is === right.get(path));
    });
  const ofFields = [...new Set([...left.keys(), ...right.keys()])]
    .filter((path) => !isTold(path))
    .map((path) => {
      const [was, is] = [left.get(path), right.get(path)];
      return { name: path, one: exactText(was), other: exactText(is), isSame: isSame(was, is), isColumn: false };
    });
  return [...ofColumns, ...ofFields];
}

/**
 * The fields that a column tells of, by their paths: its own, or the only one from which its value is worked out.
 * @param differs it tells the two rows apart
 */
function toldBy({ value }: Column, differs: boolean, row: Row, view: CacheView): readonly string[] {
  if (typeof value === 'string') return [value];
  const read = new Set<string>();
  const noted = new Proxy(row, {
    get: (target, name) => {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(target, name);
    },
  });
  value(noted, view);
  const [only, ...others] = read;
  return differs && only !== undefined && others.length === 0 ? [only] : [];
}

/** The units of numbers that are not rounded. */
const units: Partial<Record<Exclude<Column['format'], undefined>, string>> = {
  bytes: 'B',
  megabytes: 'MiB',
  gigabytes: 'GiB',
  duration: 's',
};

/** As the list writes it; two times of the same age are told apart, and lines stay lines. */
function columnText(value: unknown, { format }: Column, { glyphs }: Theme): string {
  if (format === 'paragraph' && typeof value === 'string') return cleanLines(value);
  return formatValue(value, format === 'age' || format === 'expiry' ? 'date' : format, { glyphs }).text;
}

const cleanLines = (text: string): string =>
  text
    .slice(0, maxText)
    .split('\n')
    .map((line) => clean(line))
    .join('\n');

const exactText = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? cleanLines(value) : clean(visibleJson(value), maxText);

/** The most of a value that is written, in UTF-16 units. */
const maxText = 4096;
const maxDepth = 12;

/** The values of a row by dotted paths; lists that hold no objects are one value. */
function leavesOf(row: Row): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (value: unknown, path: string, depth: number): void => {
    const isInner = isRow(value) || (Array.isArray(value) && value.some(isRow));
    const parts = isInner && depth < maxDepth ? Object.entries(value as object) : [];
    if (parts.length === 0) leaves.set(path, value);
    for (const [name, part] of parts) walk(part, path === '' ? name : `${path}.${name}`, depth + 1);
  };
  walk(row, '', 0);
  leaves.delete('');
  return leaves;
}

/** Compared fields as lines of three columns: names, and a value of each side, wrapped. */
export function compareLines(fields: readonly ComparedField[], theme: Theme, width: number): readonly string[] {
  const { names, values } = compareWidths(fields, width);
  return fields.flatMap(({ name, one, other, isSame: same, isColumn }, index) => {
    const isFirstRaw = !isColumn && fields[index - 1]?.isColumn === true;
    const role = same ? ('dim' as const) : undefined;
    const parts = [
      wrapCells(clean(name), names).map((text): readonly Span[] => [{ text, role: same ? 'dim' : 'accent' }]),
      ...[one, other].map((value) => value.split('\n').flatMap((line) => wrapSpans([{ text: line, role }], values))),
    ];
    const height = Math.max(...parts.map(({ length }) => length));
    const lines = Array.from({ length: height }, (_, nth) => {
      const cells = parts.map((part, place) => painted(theme, fitSpans(part[nth] ?? [], place === 0 ? names : values)));
      return `  ${cells.join('  ')}`;
    });
    return isFirstRaw ? ['', ...lines] : lines;
  });
}

/** The cells for the names of fields, and for a value of each side. */
function compareWidths(fields: readonly ComparedField[], width: number): { names: number; values: number } {
  const longest = Math.max(0, ...fields.map(({ name }) => widthOf(clean(name))));
  const names = Math.min(Math.max(longest, 8), Math.max(12, Math.floor(width * 0.3)));
  return { names, values: Math.max(8, Math.floor((width - names - 7) / 2)) };
}

/** The titles of the two sides above their values. */
function compareHead(
  fields: readonly ComparedField[],
  titles: readonly [string, string],
  theme: Theme,
  width: number,
): string {
  const { names, values } = compareWidths(fields, width);
  return theme.paint('title', `  ${cell('', names)}  ${cell(titles[0], values)}  ${cell(titles[1], values)}`);
}
