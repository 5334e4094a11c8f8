import { counted, listed } from '../../text/words.ts';
import { memoize } from '../memoize.ts';
import type { ResourceName } from '../names.ts';
import { at, type CacheView, type Draft, type Field, type Resource, type Row, resource, textsOf } from '../resource.ts';

/** A user-defined label that is attached to things (document 1, 2.9). */
export type Tag = Row & { label: string };

/** The objects that can have tags: the resource of each and its noun in a sentence. */
const kinds = [
  { name: 'servers', one: 'server' },
  { name: 'volumes', one: 'volume' },
  { name: 'domains', one: 'domain' },
  { name: 'nodebalancers', one: 'NodeBalancer' },
] as const;

const kindNames = kinds.map(({ name }) => name);

/** Counts the rows with each tag, once for each version of the rows. */
const countsIn = memoize((rows): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { tags } of rows)
    for (const tag of Array.isArray(tags) ? tags : []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
});

const countOf =
  (name: string) =>
  ({ label }: Tag, view: CacheView): number | undefined =>
    countsIn(view.rows(name)).get(label);

const isWhole = (view: CacheView): boolean => kindNames.every((name) => view.isRead(name));

function totalOf(tag: Tag, view: CacheView): number | undefined {
  const total = kindNames.reduce((sum, name) => sum + (countOf(name)(tag, view) ?? 0), 0);
  return isWhole(view) ? total : undefined;
}

/** Counts the loaded objects with a tag: "19 servers and 4 volumes". */
function membersText(tag: Tag, view: CacheView): string {
  const counts = kinds.map(({ name, one }) => [countOf(name)(tag, view) ?? 0, one] as const);
  const parts = counts.flatMap(([count, one]) => (count === 0 ? [] : [counted(count, one)]));
  return listed(parts, parts.length);
}

/** The loaded objects with a tag, as entries of the form that makes it. */
const membersIn = ({ label }: Tag, view: CacheView): Draft =>
  Object.fromEntries(
    kinds.flatMap(({ name }) => {
      const ids = view.rows(name).flatMap(({ id, tags }) => (textsOf(tags).includes(label) ? [String(id)] : []));
      return ids.length > 0 ? [[name, ids]] : [];
    }),
  );

/** Clauses about the objects that a deleted tag is not on when it is made anew. */
function differing(tag: Tag, view: CacheView): readonly string[] {
  const had = membersText(tag, view);
  if (had === '') return ['it is on no object then'];
  return isWhole(view) ? [] : [`it is only on what is loaded, ${had}`];
}

const members = (label: string, to: ResourceName): Field => ({
  label,
  kind: 'references',
  to,
  writeOnly: true,
  section: 'Attach to',
});

/** Tags (document 1, 2.9 and 4.5). */
export const tags: Resource = resource<Tag>()({
  name: 'tags',
  area: 'Account',
  aliases: ['labels'],
  id: 'label',
  path: '/v4/tags',
  scope: 'account',
  entity: 'tag',
  reads: kindNames,
  sort: 'Label',
  empty: 'A tag is a label on servers, volumes, domains and NodeBalancers, so that they can be found together.',
  fields: {
    label: { min: 3, max: 50, help: 'Only unrestricted users may add tags.' },
    servers: members('Servers', 'servers'),
    volumes: members('Volumes', 'volumes'),
    domains: members('Domains', 'domains'),
    nodebalancers: members('NodeBalancers', 'nodebalancers'),
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Servers', value: countOf('servers'), format: 'number', keep: 1 },
    { title: 'Volumes', value: countOf('volumes'), format: 'number' },
    { title: 'Domains', value: countOf('domains'), format: 'number' },
    { title: 'NodeBalancers', value: countOf('nodebalancers'), format: 'number' },
    { title: 'Total', value: totalOf, format: 'number', keep: 1 },
  ],
  tabs: [{ title: 'Tagged objects', list: 'tagged' }],
  opensAt: 'Tagged objects',
  view: false,
  create: {
    shownBy: { events: ['tag_create'], names: ['label'], isUnique: true },
    body: ['label!', ...kindNames],
    ask: { note: 'If you may not change one of these objects, the tag is not created at all.' },
    inverse: () => ({ action: 'delete', differs: ['objects that had it before lose it too'] }),
    invalidates: ['tagged', ...kindNames],
  },
  remove: {
    reads: kindNames,
    ask: {
      warning: (tag, view) => {
        const losing = membersText(tag, view);
        return losing === ''
          ? `Deletes the tag ${tag.label}. Nothing that is loaded has it.`
          : `Deletes the tag ${tag.label} and removes it from ${losing}${isWhole(view) ? '' : ' that are loaded, and from others that have it'}, which stay but can no longer be found by it.`;
      },
      typeLabel: true,
      together: 'Deletes these tags and removes them from all objects, which stay but can no longer be found by them.',
    },
    inverse: ({ before }, view) =>
      before
        ? { action: 'create', entries: membersIn(before, view), differs: differing(before, view) }
        : 'The tag is not known.',
    invalidates: ['tagged', ...kindNames],
  },
});

/** An object with a tag: its kind and its own fields (document 1, 2.9). */
export type Tagged = Row & { type: string; data: Row; key: string };

const facts = ['ipv4', 'status', 'region', 'hostname'];

/** Values that tell objects of one kind apart, besides their name. */
const factsOf = ({ data }: Tagged) =>
  facts.flatMap((name) => {
    const [fact] = [at(data, name)].flat();
    return typeof fact === 'string' ? [fact] : [];
  });

const taggedName = ({ data }: Tagged) => String(data?.label ?? data?.domain ?? data?.address ?? data?.id ?? 'unnamed');

/** The objects with a tag, of several kinds; each opens in the screen of its own kind (document 1, 4.5). */
export const tagged: Resource = resource<Tagged>()({
  name: 'tagged',
  one: 'tagged object',
  many: 'Tagged objects',
  area: 'Account',
  id: 'key',
  scope: 'account',
  under: 'tags',
  label: taggedName,
  about: 'entity',
  sort: 'Kind',
  empty: 'No object has this tag. On servers, volumes, domains and NodeBalancers a and + add tags.',
  columns: [
    { title: 'Kind', value: 'type', keep: 1 },
    { title: 'Label', value: taggedName, keep: 1 },
    { title: 'Details', value: factsOf, format: 'list', keep: 1 },
    { title: 'Tags', value: 'data.tags', format: 'tags' },
    { title: 'ID', value: 'data.id', format: 'id', keep: 3 },
  ],
  list: {
    path: '/v4/tags/{label}',
    pages: 'numbered',
    // Ids are unique within a kind only.
    rows: (body) =>
      (body.data as readonly Tagged[]).map((one) => ({
        ...one,
        key: `${one.type}/${at(one, 'data.id') ?? taggedName(one)}`,
        entity: { type: one.type, id: at(one, 'data.id') },
      })),
  },
  view: false,
});
