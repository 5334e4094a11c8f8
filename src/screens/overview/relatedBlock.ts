import type { Span } from '../../components/spans.ts';
import type { Theme } from '../../components/theme.ts';
import { idIn, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoizeOne } from '../../resources/memoize.ts';
import type { Lead } from '../../resources/overview.ts';
import { namesAbove, type Relations, type Relative, type Relatives } from '../../resources/relations.ts';
import type { CacheView, Params, Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { type Query, viewQuery } from '../../store/cache.ts';
import type { Event } from '../../store/events.ts';
import { cell, clean, widthOf } from '../../text/cells.ts';
import { capitalized, listed } from '../../text/words.ts';
import { fittingSpans, nameSpan, noteLine, type TileLine, type TileLink } from '../home/tile.ts';
import { keptValues } from '../list/rowLines.ts';
import { groupKey, inOrder, relativeName } from '../menus/RelatedMenu.tsx';
import { placeOfRow } from '../places.ts';
import type { OverviewBlock } from './layout.ts';
import type { ListReading } from './reads.ts';

interface RelatedOptions {
  subject: Resource;
  label: string;
  params: Params;
  relations: Relations;
  readings: readonly ListReading[];
  view: CacheView;
  events: readonly Event[];
}

/** The rows that use a row or that it belongs to, and what is not known of them; undefined where there is nothing to say. */
export function relatedBlock(options: RelatedOptions): OverviewBlock | undefined {
  const { subject, params, relations, readings, view } = options;
  const groups = groupsOf(subject, relations);
  /** Opens the related rows, all of them or those of a group. */
  const all = (group?: string): TileLink => ({
    place: placeOfRow(subject, params),
    overlay: { kind: 'related', resource: subject.name, params, group },
  });
  const widths = widthsOf(groups);
  const detailWidths = memoizeOne((theme: Theme) => detailWidthsOf(groups, options, theme));
  const lines = groups.flatMap((group) => {
    // Equal names would change places as lists are read.
    const rows = group.rows.toSorted((one, other) => (keyOf(group, one) < keyOf(group, other) ? -1 : 1));
    const ordered = inOrder({ ...group, rows }, view);
    return isTogether(group)
      ? [groupLine(group, ordered, all(groupKey(group)), widths)]
      : ordered.map((relative) => relatedLine(options, group.resource, relative, { ...widths, detailWidths }));
  });
  const unknown = unknownLines(readings, subject);
  if (lines.length + unknown.length === 0 && readings.length === 0) return undefined;
  const none = lines.length + unknown.length === 0 ? [noteLine('related:none', 'Nothing uses it.')] : [];
  return {
    name: 'related',
    title: 'Related',
    figures: [],
    link: all(),
    lines: [...lines, ...unknown, ...none],
    usual: 6,
  };
}

function groupsOf(subject: Resource, { groups }: Relations): readonly Relatives[] {
  const order = subject.overview?.related?.map(({ list }) => resourceNamed(list)) ?? [];
  const rank = (resource: Resource) => (order.indexOf(resource) + order.length + 1) % (order.length + 1);
  return groups
    .filter(({ resource }) => isShown(subject, resource))
    .sort((one, other) => rank(one.resource) - rank(other.resource));
}

/** The loaded row with a page of its own that a row is related to before all others. */
export function nearestOf(subject: Resource, relations: Relations, view: CacheView) {
  const withPage = groupsOf(subject, relations).filter(({ resource }) => resource.view);
  for (const group of [...withPage, ...relations.groups.filter(({ resource }) => resource.catalogue)]) {
    const [{ row, params } = {}] = inOrder(group, view);
    if (row && params) return { resource: group.resource, row, params };
  }
  return undefined;
}

/** The queries for the rows to which a row belongs and of which only the id is known. */
export const unseenOf = (subject: Resource, { groups }: Relations): readonly Query[] =>
  groups
    .filter((group) => group.side === 'belongs to' && isShown(subject, group.resource) && !isTogether(group))
    .flatMap(({ resource, rows }) =>
      (resource.view ? rows.filter(({ row }) => !row) : []).map(({ params }) => viewQuery(resource, params)),
    );

/** Not the regions and types that the facts name, nor what the tabs list or the counts count, nor events. */
function isShown({ tabs = [], overview }: Resource, { name, catalogue, about }: Resource): boolean {
  if (overview?.counts?.list === name || catalogue || (about !== undefined && name === 'events')) return false;
  const isRead = overview?.related?.some(({ list }) => list === name) ?? false;
  return isRead || !tabs.some((tab) => 'list' in tab && tab.list === name);
}

/** Says which lists are not there yet or cannot be read. */
function unknownLines(readings: readonly ListReading[], subject: Resource): readonly TileLine[] {
  const shown = readings.filter(
    ({ resource }) =>
      resource.name !== subject.overview?.counts?.list &&
      !readings.some(({ resource: { under } }) => under === resource.name),
  );
  const waiting = Map.groupBy(
    shown.filter(({ placeholder }) => placeholder),
    ({ placeholder = '' }) => placeholder,
  );
  const words = [...waiting].map(([placeholder, those]) => {
    const kinds = those.map(({ resource }) => plural(resource));
    const names = capitalized(listed(kinds, 4));
    return placeholder === '…' ? `${names} …` : `${names}: ${placeholder}`;
  });
  const left = readings
    .filter(({ left }) => left > 0)
    .map(({ resource, queries, left }) => {
      const parent = resource.under && resourceNamed(resource.under);
      return `${capitalized(plural(resource))} of ${queries.length} of ${queries.length + left} ${parent ? plural(parent) : ''}`;
    });
  return [...words, ...left].map((text, index) => noteLine(`related:unknown:${index}`, text));
}

/** Orders rows of one name by the rows above them, then by their ids. */
const keyOf = ({ resource }: Relatives, { params }: Relative): string =>
  Object.values(params).join(' ') + idIn(resource, params);

/** Several rows that a row belongs to, such as its tags, share a line. */
const isTogether = ({ side, rows }: Relatives): boolean => side === 'belongs to' && rows.length > 1;

type Widths = ReturnType<typeof widthsOf>;

const [maxKind, maxName] = [23, 24];
const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));

/** Cells of the kinds and of the names. */
function widthsOf(groups: readonly Relatives[]) {
  const kinds = groups.map((group) => (isTogether(group) ? plural(group.resource) : group.resource.one));
  const alone = groups.filter((group) => !isTogether(group));
  const names = alone.flatMap(({ resource, rows }) => rows.map((relative) => clean(relativeName(resource, relative))));
  return { kinds: Math.min(maxKind, widest(kinds)), names: Math.min(maxName, widest(names)) };
}

type RelatedContext = Pick<RelatedOptions, 'label' | 'view' | 'events'>;

/** The details of a related row: those above it, and what its list always shows; blank where the line says it already. */
function detailsOf(
  { label: own, view, events }: RelatedContext,
  resource: Resource,
  { row, params }: Relative,
  theme: Theme,
): readonly Span[] {
  const label = relativeName(resource, { row, params });
  const isSaid = (text: string) => text === own || text === label || label.split(/[ /]/).includes(text);
  const pen = { resource, columns: resource.columns, theme, cacheView: view, events };
  const values = row ? keptValues(row, pen) : [];
  const cells = values.map(({ text, role }) => ({ text: isSaid(text) ? '' : clean(text), role }));
  const above = namesAbove(view, resource, params).filter((name) => name !== own);
  return [{ text: clean(above.toReversed().join(' ')) }, ...cells];
}

/** The cells of each detail, by the kind of rows. */
const detailWidthsOf = (
  groups: readonly Relatives[],
  context: RelatedContext,
  theme: Theme,
): ReadonlyMap<Resource, readonly number[]> =>
  new Map(
    groups.map(({ resource, rows }) => {
      const widths: number[] = [];
      for (const relative of rows)
        for (const [nth, { text }] of detailsOf(context, resource, relative, theme).entries())
          widths[nth] = Math.max(widths[nth] ?? 0, widthOf(text));
      return [resource, widths];
    }),
  );

/** A related row: its kind, its name, and as many of its details as have room, below those of its kind. */
function relatedLine(
  context: RelatedContext,
  resource: Resource,
  relative: Relative,
  { kinds, names, detailWidths }: Widths & { detailWidths: (theme: Theme) => ReadonlyMap<Resource, readonly number[]> },
): TileLine {
  const { params } = relative;
  const label = relativeName(resource, relative);
  return {
    id: `related:${resource.name} ${idIn(resource, params)}:${Object.values(params).join(' ')}`,
    link: { place: placeOfRow(resource, params) },
    draw: (pen, isCurrent) => {
      const widths = detailWidths(pen.theme).get(resource) ?? [];
      const details = detailsOf(context, resource, relative, pen.theme)
        .map((span, nth) => ({ ...span, text: cell(span.text, widths[nth] ?? 0) }))
        .filter(({ text }) => text !== '');
      const name = Math.max(names, widthOf(clean(label)));
      const own = namedSpans(resource, label, { kinds, names }, isCurrent);
      return [...own, ...fittingSpans(details, pen.width - 4 - kinds - name)];
    },
  };
}

/** The kind of a row and its name, as wide as those of the others. */
const namedSpans = ({ one }: Resource, label: string, { kinds, names }: Widths, isCurrent: boolean) =>
  [
    { text: `${cell(one, kinds)}  `, role: 'dim' },
    nameSpan(label, isCurrent, 'accent'),
    { text: ' '.repeat(Math.max(0, names - widthOf(clean(label)))) },
  ] satisfies readonly Span[];

/** Several rows to which the row belongs, by name, as one line that leads to all of them. */
const groupLine = (
  { resource }: Relatives,
  rows: readonly Relative[],
  link: TileLink,
  { kinds }: Widths,
): TileLine => ({
  id: `related:${resource.name}`,
  link,
  draw: (_, isCurrent) => [
    { text: `${cell(plural(resource), kinds)}  `, role: 'dim' },
    nameSpan(rows.map((relative) => relativeName(resource, relative)).join(' '), isCurrent, 'accent'),
  ],
});

/** The rows that a row leads to; undefined where it leads nowhere. */
export function leadsBlock(leads: readonly Lead[]): OverviewBlock | undefined {
  if (leads.length === 0) return undefined;
  const kinds = widest(leads.map(({ to }) => resourceNamed(to).one));
  const names = Math.min(maxName, widest(leads.map(({ to, row }) => clean(resourceNamed(to).label(row)))));
  const lines = leads.map(({ to, row, by }): TileLine => {
    const resource = resourceNamed(to);
    const params = paramsOf(resource, row);
    return {
      id: `lead:${to} ${idIn(resource, params)}`,
      link: { place: placeOfRow(resource, params) },
      draw: (_, isCurrent) => [
        ...namedSpans(resource, resource.label(row), { kinds, names }, isCurrent),
        { text: `  ${by}`, role: 'dim' },
      ],
    };
  });
  return { name: 'leads', title: 'Leads to', figures: [{ text: String(lines.length) }], lines, usual: 6 };
}
