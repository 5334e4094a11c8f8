import type { Draft, Row } from '../../../src/resources/resource.ts';
import { drawn } from '../../draw.ts';
import type { Made } from '../wishes.ts';

/** All that an idea may look at. */
interface Looking {
  random: () => number;
  /** A word like no other in the story. */
  mark: string;
  /** The chosen row, as the user sees it; empty where one is made. */
  row: Row;
  /** Another row as the user sees it; undefined where there is none. */
  pick: (resource: string, where?: (row: Row) => boolean) => Row | undefined;
  /** A row that a step of the plan will make, where it is to be planned. */
  planned: (resource: string) => Made | undefined;
}

/** The entries of a form, and the change that is meant by them. */
export interface Thought {
  entries: Draft;
  set?: Row;
  add?: readonly string[];
  remove?: readonly string[];
}

/** Something that a user may think of doing. */
export interface Idea {
  resource: string;
  action: string;
  /** The weight among all ideas. */
  weight: number;
  /** Done to several rows at a time as well. */
  many?: true;
  /** Further lists that are looked at before. */
  looksAt?: readonly string[];
  /** The entries; undefined where there is no occasion. */
  think: (looking: Looking) => Thought | undefined;
}

const nothing = (): Thought => ({ entries: {} });
export const entered = (values: Readonly<Record<string, string | number>>): Thought => ({
  entries: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  set: values,
});

const tagsOf = ({ tags }: Row): readonly string[] => (Array.isArray(tags) ? tags : []);
const region = 'us-east';
const type = 'g6-standard-1';

const tagging = (resource: string, weight: number): readonly Idea[] => [
  { resource, action: 'tag', weight, many: true, think: ({ mark }) => ({ entries: { tags: [mark] }, add: [mark] }) },
  {
    resource,
    action: 'untag',
    weight: weight / 2,
    think: ({ row, random }) => {
      if (tagsOf(row).length === 0) return undefined;
      const tag = drawn(random, tagsOf(row));
      return { entries: { tags: [tag] }, remove: [tag] };
    },
  },
  {
    resource,
    action: 'edit',
    weight: weight / 2,
    think: ({ row, mark }) => ({ entries: { tags: [...tagsOf(row), mark] }, add: [mark] }),
  },
];

/** The server that a field means: one that is there, or one that the plan makes. */
function aServer({ pick, planned, random }: Looking, where: (row: Row) => boolean): Thought | undefined {
  const made = random() < 0.6 ? planned('servers') : undefined;
  if (made) return { entries: { server_id: made.token }, set: { server_id: made } };
  const server = pick('servers', where);
  return server && entered({ server_id: Number(server.id) });
}

export const ideas: readonly Idea[] = [
  ...tagging('volumes', 8),
  ...tagging('servers', 4),
  ...tagging('domains', 2),
  ...tagging('nodebalancers', 2),
  { resource: 'volumes', action: 'edit', weight: 4, think: ({ mark }) => entered({ label: `v-${mark}` }) },
  {
    resource: 'volumes',
    action: 'resize',
    weight: 4,
    think: ({ row, random }) => entered({ size: Number(row.size) + 10 * (1 + Math.floor(random() * 5)) }),
  },
  {
    resource: 'volumes',
    action: 'attach',
    weight: 6,
    looksAt: ['servers'],
    think: (looking) => aServer(looking, (one) => one.region === looking.row.region),
  },
  { resource: 'volumes', action: 'detach', weight: 3, think: nothing },
  { resource: 'volumes', action: 'delete', weight: 5, many: true, think: nothing },
  {
    resource: 'volumes',
    action: 'create',
    weight: 5,
    looksAt: ['servers'],
    think: (looking) => {
      const where = looking.random() < 0.3 ? aServer(looking, (one) => one.region === region) : undefined;
      const { entries, set } = where ?? entered({ region });
      const own = entered({ label: `v-${looking.mark}`, size: 10 });
      return { entries: { ...own.entries, ...entries }, set: { ...own.set, ...set } };
    },
  },
  { resource: 'servers', action: 'edit', weight: 3, think: ({ mark }) => entered({ label: `s-${mark}` }) },
  { resource: 'servers', action: 'edit', weight: 2, think: ({ mark }) => entered({ group: mark }) },
  {
    resource: 'servers',
    action: 'alerts',
    weight: 3,
    think: ({ random }) => {
      const cpu = 10 + Math.floor(random() * 80);
      return { entries: { 'alerts.cpu': String(cpu) }, set: { alerts: { cpu } } };
    },
  },
  { resource: 'servers', action: 'shutdown', weight: 2, think: nothing },
  {
    resource: 'servers',
    action: 'resize',
    weight: 2,
    think: ({ random }) => entered({ type: `g6-standard-${random() < 0.5 ? 2 : 4}` }),
  },
  { resource: 'servers', action: 'delete', weight: 2, think: nothing },
  {
    resource: 'servers',
    action: 'create',
    weight: 5,
    think: ({ mark, random }) => {
      const { entries, set } = entered({ region, type, ...(random() < 0.4 && { label: `s-${mark}` }) });
      return { entries: { mode: 'empty', ...entries }, set };
    },
  },
  {
    resource: 'servers',
    action: 'create',
    weight: 4,
    think: ({ mark, random }) => {
      const image = { image: 'server/debian12', root_pass: `Correct-Horse-${mark}` };
      const { entries, set } = entered({ region, type, ...image, ...(random() < 0.4 && { label: `s-${mark}` }) });
      return { entries: { mode: 'image', ...entries }, set };
    },
  },
  { resource: 'configs', action: 'edit', weight: 2, think: ({ mark }) => entered({ comments: mark }) },
  {
    resource: 'configs',
    action: 'edit',
    weight: 5,
    looksAt: ['volumes'],
    think: ({ pick, random, row }) => {
      const slot = drawn(random, ['sdb', 'sdc', 'sdd', 'sde']);
      const device = (row.devices as Row | undefined)?.[slot] as Row | undefined;
      const volume = pick('volumes', (one) => one.server_id === null);
      if (!volume || device?.volume_id || device?.disk_id) return undefined;
      const entries = { [`devices.${slot}`]: `volumes/${volume.id}` };
      return { entries, set: { devices: { [slot]: { disk_id: null, volume_id: Number(volume.id) } } } };
    },
  },
  { resource: 'domains', action: 'edit', weight: 2, think: ({ mark }) => entered({ description: mark }) },
  {
    resource: 'domains',
    action: 'edit',
    weight: 2,
    think: ({ random }) => entered({ ttl_sec: drawn(random, [300, 3600, 7200]) }),
  },
  { resource: 'domains', action: 'delete', weight: 3, think: nothing },
  {
    resource: 'domains',
    action: 'create',
    weight: 2,
    think: ({ mark }) => entered({ type: 'master', domain: `${mark}.example`, soa_email: `me@${mark}.example` }),
  },
  {
    resource: 'records',
    action: 'create',
    weight: 5,
    think: ({ mark, random }) =>
      entered({ type: 'A', name: random() < 0.5 ? mark : 'www', target: `192.0.2.${1 + Math.floor(random() * 9)}` }),
  },
  {
    resource: 'records',
    action: 'edit',
    weight: 3,
    think: ({ random }) => entered({ target: `198.51.100.${1 + Math.floor(random() * 200)}` }),
  },
  { resource: 'records', action: 'delete', weight: 3, many: true, think: nothing },
  {
    resource: 'nodebalancers',
    action: 'create',
    weight: 3,
    think: ({ mark, random }) => entered({ region, ...(random() < 0.4 && { label: `b-${mark}` }) }),
  },
  {
    resource: 'nodebalancers',
    action: 'edit',
    weight: 2,
    think: ({ random }) => entered({ client_conn_throttle: 1 + Math.floor(random() * 19) }),
  },
  { resource: 'nodebalancers', action: 'delete', weight: 2, think: nothing },
  {
    resource: 'tickets',
    action: 'create',
    weight: 3,
    think: ({ mark, random }) =>
      entered({ summary: random() < 0.5 ? `Help ${mark}` : 'Help', description: 'It is slow.' }),
  },
  { resource: 'tickets', action: 'close', weight: 1, think: nothing },
  {
    resource: 'replies',
    action: 'create',
    weight: 2,
    think: ({ mark }) => entered({ description: `More of ${mark}` }),
  },
  {
    resource: 'managed-contacts',
    action: 'create',
    weight: 3,
    think: ({ mark, random }) =>
      entered(random() < 0.5 ? { name: `Ann ${mark}` } : { name: 'Ann', email: 'ann@example.com' }),
  },
  { resource: 'managed-contacts', action: 'edit', weight: 1, think: ({ mark }) => entered({ group: mark }) },
  {
    resource: 'volumes',
    action: 'edit',
    weight: 2,
    think: ({ row }) => entered({ label: String(row.label).toUpperCase() }),
  },
];
