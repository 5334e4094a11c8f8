import { entryOf } from './body.ts';
import type { Loaded } from './description.ts';
import { type Field, hasTextIds } from './field.ts';
import { idOf } from './identity.ts';
import { actionsOf, isSingle, resourceNamed, resources } from './index.ts';
import { memoize, memoizeOne } from './memoize.ts';
import { at, type CacheView, isNothing, type Resource, type Row } from './resource.ts';

/** A way from rows of one resource to rows of another: they belong together where they have a value in common. */
export interface Link {
  from: Resource;
  to: Resource;
  /** The values of a row of `from`. */
  by: (row: Row, loaded: Loaded, view: CacheView) => readonly string[];
  /** Those of a row of `to`. */
  theirs: (row: Row) => readonly string[];
  /** The values are ids of `to`, so that its rows can be named although they are not loaded. */
  byId?: true;
  /** Hardly any row has such values. */
  unlikely?: true;
}

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter((value) => !isNothing(value)).map(String);

/** A row that there is only one of has this for an id, where it is named. */
const only = 'only';

const byId = (to: Resource, from: Resource, by: Link['by']): Link => ({
  from,
  to,
  by,
  theirs: isSingle(to) ? () => [only] : (row) => [idOf(to, row)],
  byId: true,
});

/** The kinds of fields whose values are ids of rows. */
export const referring: readonly Field['kind'][] = ['reference', 'references', 'device'];

/** The label of the row that an entry of such a field names, with its id. */
export function referenceText(field: Field, entry: string, view: CacheView): string {
  const [kind, id] = field.kind === 'device' ? entry.split('/') : [field.to, entry];
  const [name = ''] = [kind ?? ''].flat();
  const row = view.row(name, id);
  const label = row && resourceNamed(name).label(row);
  return label && label !== id ? `${label} (${id})` : entry;
}

/** The fields of a resource in which rows hold ids of others, with their names. */
function referencesOf(resource: Resource): readonly (readonly [string, Field])[] {
  const all = [resource.fields, ...actionsOf(resource).map(({ fields = {} }) => fields)].flatMap(Object.entries<Field>);
  const references = all.filter(
    ([, { kind, to, local, writeOnly }]) =>
      to && !local && !writeOnly && (referring.includes(kind) || (kind === 'strings' && hasTextIds({ to }))),
  );
  return [...new Map(references)];
}

function idsIn(row: Row, [name, field]: readonly [string, Field], to: Resource): readonly string[] {
  const entries = texts([entryOf(field, at(row, name))].flat());
  if (field.kind !== 'device') return entries;
  const prefix = `${to.name}/`;
  return entries.flatMap((entry) => (entry.startsWith(prefix) ? [entry.slice(prefix.length)] : []));
}

function fieldLinks(from: Resource): readonly Link[] {
  const references = referencesOf(from);
  const targets = new Set(references.flatMap(([, { to = [] }]) => to));
  return [...targets].map((name) => {
    const to = resourceNamed(name);
    const those = references.filter(([, field]) => [field.to].flat().includes(name));
    return byId(to, from, (row) => those.flatMap((reference) => idsIn(row, reference, to)));
  });
}

const writtenLinks = (from: Resource): readonly Link[] =>
  (from.relations ?? []).flatMap(({ to, by, theirs }) =>
    [to].flat().map((name): Link => {
      const values: Link['by'] = (row, loaded, view) => texts(by(row, loaded, view));
      const link = byId(resourceNamed(name), from, values);
      return theirs ? { ...link, theirs: (row) => texts(theirs(row)), byId: undefined } : link;
    }),
  );

function aboutLinks(from: Resource): readonly Link[] {
  const { about, aboutTypes } = from;
  if (about === undefined) return [];
  return resources.flatMap((to): readonly Link[] => {
    const { entity } = to;
    if (entity === undefined) return [];
    const link = byId(to, from, (row) => {
      if (at(row, `${about}.type`) !== entity) return [];
      return isSingle(to) ? [only] : texts([at(row, `${about}.id`)]);
    });
    return [aboutTypes && !aboutTypes.includes(entity) ? { ...link, unlikely: true } : link];
  });
}

/** Every way from rows to rows, except from children to their parents; looked for late, since that reads all descriptions. */
const everyLink = memoizeOne(() => [fieldLinks, writtenLinks, aboutLinks].flatMap((links) => resources.flatMap(links)));

/** The ways from rows of a resource. */
export const linksFrom = memoize((resource: Resource): readonly Link[] =>
  everyLink().filter(({ from }) => from === resource),
);

/** The ways to rows of a resource, in the order of the resources; those of what is about something, such as events, come last. */
export const linksTo = memoize((resource: Resource): readonly Link[] =>
  everyLink()
    .filter(({ to }) => to === resource)
    .sort((one, other) => rankOf(one) - rankOf(other)),
);

const rankOf = ({ from }: Link): number => resources.indexOf(from) + (from.about ? resources.length : 0);
