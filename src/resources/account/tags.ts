import { memoize } from '../memoize.ts';
import type { ResourceName } from '../names.ts';
import { at, type CacheView, type Field, type Resource, type Row, resource } from '../resource.ts';

/** A user-defined label that is attached to things (document 1, 2.9). */
export type Tag = Row & { label: string };

/** The things that can bear a tag: the resource of each and its name in a sentence. */
const kinds = [
  { name: 'servers', one: 'server', many: 'servers' },
  { name: 'volumes', one: 'volume', many: 'volumes' },
  { name: 'domains', one: 'domain', many: 'domains' },
  { name: 'nodebalancers', one: 'NodeBalancer', many: 'NodeBalancers' },
] as const;

const kindNames = kinds.map(({ name }) => name);

/** Counts the rows of a kind that bear each tag, once for each state of what is loaded. */
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

const totalOf = (tag: Tag, view: CacheView): number =>
  kindNames.reduce((sum, name) => sum + (countOf(name)(tag, view) ?? 0), 0);

/** Counts the things that a tag is on, as far as they are loaded: "19 servers and 4 volumes". */
function membersText(tag: Tag, view: CacheView): string {
  const parts = kinds.flatMap(({ name, one, many }) => {
    const count = countOf(name)(tag, view) ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

const members = (label: string, to: ResourceName): Field => ({
  label,
  kind: 'references',
  to,
  writeOnly: true,
  section: 'Put it on',
});

/** Tags (document 1, 2.9 and 4.5). */
export const tags: Resource = resource<Tag>()({
  name: 'tags',
  one: 'tag',
  many: 'Tags',
  area: 'Account',
  aliases: ['labels'],
  id: 'label',
  param: 'label',
  label: (tag) => tag.label,
  entity: 'tag',
  events: ['tag_'],
  reads: kindNames,
  sort: 'Label',
  empty: 'A tag is a word that servers, volumes, domains and NodeBalancers bear, so that they can be found together.',
  fields: {
    label: { label: 'Label', kind: 'text', min: 3, max: 50, help: 'Only unrestricted users may add tags.' },
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
    { title: 'Balancers', value: countOf('nodebalancers'), format: 'number' },
    { title: 'Total', value: totalOf, format: 'number', keep: 1 },
  ],
  tabs: [{ title: 'Members', list: 'tagged' }],
  opensAt: 'Members',
  list: { method: 'GET', path: '/v4/tags', scope: 'account:read_only', pages: 'numbered' },
  create: {
    name: 'create',
    key: 'n',
    help: 'New tag',
    method: 'POST',
    path: '/v4/tags',
    scope: 'account:read_write',
    body: ['label!', ...kindNames],
    ask: { note: 'All or nothing: when one of them may not be changed by you, the tag is not made.' },
    invalidates: ['tagged', ...kindNames],
  },
  remove: {
    name: 'delete',
    key: 'd',
    help: 'Delete',
    reads: kindNames,
    method: 'DELETE',
    path: '/v4/tags/{label}',
    scope: 'account:read_write',
    ask: {
      warning: (tag, view) => {
        const losing = membersText(tag, view);
        return losing === ''
          ? `Deletes the tag ${tag.label}. Nothing that is loaded bears it.`
          : `Deletes the tag ${tag.label} and takes it off ${losing}. They stay, but cannot be found by it any more.`;
      },
      typeLabel: true,
      together:
        'Deletes these tags and takes them off everything. What bears them stays, but cannot be found by them any more.',
    },
    invalidates: ['tagged', ...kindNames],
  },
});

/** Something that bears a tag: its kind beside its own fields (document 1, 2.9). */
export type Tagged = Row & {
  type: string;
  data: Row;
  key: string;
};

const facts = ['ipv4', 'status', 'region', 'hostname'];

/** Tells things of one kind apart, beside their name. */
const factsOf = ({ data }: Tagged) =>
  facts.flatMap((name) => {
    const [fact] = [at(data, name)].flat();
    return typeof fact === 'string' ? [fact] : [];
  });

const nameOf = ({ data }: Tagged) =>
  String(data?.label ?? data?.domain ?? data?.address ?? data?.id ?? 'without a name');

/** The things that bear a tag, of several kinds; each opens in the screen of its own kind (document 1, 4.5). */
export const tagged: Resource = resource<Tagged>()({
  name: 'tagged',
  one: 'tagged object',
  many: 'Members',
  area: 'Account',
  id: 'key',
  param: 'key',
  under: 'tags',
  label: nameOf,
  about: 'entity',
  sort: 'Kind',
  empty: 'Nothing bears this tag. On servers, volumes, domains and NodeBalancers a and + add tags.',
  fields: {},
  columns: [
    { title: 'Kind', value: 'type', keep: 1 },
    { title: 'Label', value: nameOf, keep: 1 },
    { title: 'Details', value: factsOf, format: 'list', keep: 1 },
    { title: 'Tags', value: 'data.tags', format: 'tags' },
    { title: 'ID', value: 'data.id', format: 'id', keep: 3 },
  ],
  list: {
    method: 'GET',
    path: '/v4/tags/{label}',
    scope: 'account:read_only',
    pages: 'numbered',
    // Ids are unique within a kind only.
    rows: (body) =>
      (body.data as readonly Tagged[]).map((one) => ({
        ...one,
        key: `${one.type}/${at(one, 'data.id') ?? nameOf(one)}`,
        entity: { type: one.type, id: at(one, 'data.id') },
      })),
  },
});
