import { formatValue, type Glyphs } from '../../components/format.ts';
import { useTheme } from '../../components/theme.ts';
import { hasTextIds } from '../../resources/field.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Column, Field, Resource } from '../../resources/resource.ts';
import { type CacheView, isNothing, type Params, type Row, textsOf } from '../../resources/row.ts';
import type { Query } from '../../store/cache.ts';
import { knownOf, valueIn } from '../../store/filter/fields.ts';
import { plannedRows } from '../../store/plans/plannedRows.ts';
import { cell, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { textOf } from '../../text/words.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { useNextPage } from '../useReads.ts';
import { useCollections, useStores } from '../useStores.ts';
import { filterOptions, type PickerProps, usePicker } from './picker.tsx';
import type { Form } from './useForm.ts';

/** Picks the rows that a field refers to, or fills a typed field from a row; an id that is not listed can be typed. */
export function ReferencePicker(props: PickerProps) {
  const { form, formField, initialQuery, height } = props;
  const stores = useStores();
  const { view } = stores;
  const theme = useTheme();
  const { field } = formField;
  const { draft, targets, params } = form.submission;
  const [target] = targets;
  const own: Params = target?.params ?? params;
  const subjects = targets.length > 0 ? targets.map(({ row }) => row) : [undefined];
  const queries = [field.to ?? []].flat().flatMap((to) => queriesFor(to, field, form, own));
  const collections = useCollections(queries);
  const { query, ids, several, settle, choice, menu } = usePicker(props);
  const rows = queries.flatMap(({ resource }, nth) => (collections[nth]?.rows ?? []).map((row) => ({ resource, row })));
  const offered = rows
    .filter(({ row }) => isOffered(row))
    .map(({ resource: name, row }) => {
      const resource = resourceNamed(name);
      const own = `${field.kind === 'device' ? `${name}/` : ''}${idOf(resource, row)}`;
      const [id, label] = [picked(row) ?? own, resource.label(row)];
      return { resource, row, id, label, ownId: label === id ? '' : id, why: resource.offeredLast?.(row, view) };
    })
    .sort((one, other) => Number(one.why !== undefined) - Number(other.why !== undefined));
  const facts = alignedFacts(offered.map(({ resource, row }) => resource.choice?.(row) ?? []));
  const detailsOf = memoize((resource: Resource) => rowDetails(resource, offered, view, theme.glyphs));
  const parts = offered.map(({ resource, row, ownId }) => [ownId, ...detailsOf(resource)(row)]);
  const details = alignedFacts(parts, 'left');
  const every = offered.map(({ id, label, ownId, why }, index): MenuItem => {
    const chosenBy = facts[index];
    const told = chosenBy === undefined ? [why, details[index]?.trimEnd()] : [chosenBy, ownId];
    return {
      id,
      label,
      detail: told.filter(Boolean).join('  '),
      // Behind these stands the sign that there is more.
      ...((chosenBy ?? why) !== undefined && { factCells: widthOf(chosenBy ?? why ?? '') + 2 }),
      ...choice(id),
    };
  });
  const planned = plannedRows(stores, field, field.picks && picked, form.step).map(
    ({ id, label }): MenuItem => ({ id, label, ...choice(id) }),
  );
  const all = [...planned, ...new Map(every.map((item) => [item.id, item])).values()];
  const matching = filterOptions(all, query);
  const isFound = !matching[0]?.refusal;
  const items = matching.slice(0, 500);
  const wantsMore = !isFound || items.length < height;
  // A field names two lists at most.
  useNextPage(queries[0], collections[0], wantsMore);
  useNextPage(queries[1], collections[1], wantsMore);
  const loading = collections.some((collection) => collection?.loading);
  const failure = collections.find((collection) => collection?.error)?.error;
  const blank: MenuItem = { id: '', label: 'none', detail: 'leave it out', run: () => settle(undefined) };
  const typed = query.trim();
  const isId = field.kind !== 'device' && (hasTextIds(field) || /^\d+$/.test(typed));
  const typedId: MenuItem = { id: typed, label: typed, detail: 'use it as an id', ...choice(typed) };
  const takesTyped = isId && !field.picks && !loading && typed !== '' && (!isFound || items.length === 0);
  const offersBlank = query === '' && !field.picks && !formField.required && !several;
  const found = [...(offersBlank ? [blank] : []), ...(loading && !isFound ? [] : items)];
  const lines = takesTyped ? [...(hasTextIds(field) ? items : []), typedId] : found;

  /** The entry of a row for the first of the edited rows that it can be picked for. */
  function picked(row: Row): string | undefined {
    for (const subject of subjects) {
      const entry = field.picks?.(row, draft, subject);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** Offers a row that suits at least one of the edited rows. */
  function isOffered(row: Row): boolean {
    const { offers, picks } = field;
    if (picks && picked(row) === undefined) return false;
    return !offers || subjects.some((subject) => offers(row, draft, view, subject, own));
  }

  return (
    <Menu
      {...menu(lines)}
      start={several || initialQuery !== '' ? undefined : ids[0]}
      note={lines.length > 0 ? failure?.message : undefined}
      none={
        failure?.message ??
        (loading
          ? 'Reading …'
          : query !== '' && all.length > 0
            ? `Nothing matches; ${keyLabel('menu.clear', 'ctrl-u')} clears what is typed.`
            : 'There is nothing to choose from.')
      }
    />
  );
}

/** The lists to choose from, with the parents that the field names. */
function queriesFor(to: string, field: Field, form: Form, own: Params): readonly Query[] {
  const { under, sections = [] } = resourceNamed(to);
  const params = under ? field.under?.(form.submission.draft, own) : {};
  if (!params) return [];
  const operations = new Set(sections.length > 0 ? sections.map(({ operation = 'list' }) => operation) : ['list']);
  return [...operations].map((operation) => ({ resource: to, operation, params }));
}

/** Formats that need no column title. */
const plainFormats: ReadonlySet<Column['format']> = new Set([undefined, 'text', 'status']);

/** Formats that are too long, or do not tell rows apart; the words of a list stand behind all else, the rarest first. */
const excludedFormats: ReadonlySet<Column['format']> = new Set(['tags', 'list', 'paragraph', 'boolean', 'mark', 'id']);

const maxValues = 5;

type Offered = Record<'resource', Resource> & Record<'row', Row>;

/** The region of each row, its first columns besides its label and id, each in its place, and the words of its list. */
function rowDetails(resource: Resource, offered: readonly Offered[], view: CacheView, glyphs: Glyphs) {
  const known = resource.columns.filter(({ fetches, keep }) => !fetches && keep !== 3);
  const told = known.filter(({ format }) => !excludedFormats.has(format));
  const columns = told.map((column) => ({ column, isKnown: knownOf(column, view) }));
  const list = known.find(({ format }) => format === 'list');
  const own = offered.filter((one) => list && one.resource === resource);
  const wordsOf = new Map(own.map(({ row }) => [row, textsOf(list && valueIn(row, list, view))]));
  const having = Map.groupBy([...wordsOf.values()].flat(), (word) => word);
  const rarity = (word: string) => having.get(word)?.length ?? 0;
  return (row: Row): readonly string[] => {
    const said = [resource.label(row), row[resource.id], row.region].map(String);
    let left = maxValues;
    const parts = columns.map(({ column, isKnown }) => {
      const { title, format: as } = column;
      const value = left > 0 && isKnown(row) ? valueIn(row, column, view) : undefined;
      if (isNothing(value) || said.includes(String(value))) return '';
      left -= 1;
      const { text } = formatValue(value, as, { now: view.now, glyphs });
      return plainFormats.has(as) ? text : `${title} ${text}`;
    });
    const words = wordsOf.get(row)?.toSorted((one, other) => rarity(one) - rarity(other)) ?? [];
    return [textOf(row.region), ...parts, words.join('  ')];
  };
}

/** Facts of several rows, those of one column below each other, as numbers stand by default; undefined where a row has none. */
export function alignedFacts(rows: readonly (readonly string[])[], align: 'left' | 'right' = 'right') {
  const widths: number[] = [];
  for (const facts of rows)
    for (const [index, fact] of facts.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(fact));
  const used = widths.flatMap((width, index) => (width > 0 ? [index] : []));
  return rows.map((facts) =>
    facts.some((fact) => fact !== '')
      ? used.map((index) => cell(facts[index] ?? '', widths[index] ?? 0, align)).join('  ')
      : undefined,
  );
}
