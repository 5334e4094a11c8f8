import { drawn } from '../../draw.ts';
import type { Answered } from '../cloud/cloud.ts';
import { type Item, latest, type Row, type Write } from '../cloud/items.ts';
import { kinds } from '../cloud/kinds.ts';
import type { World } from '../world.ts';
import type { Doing } from './doing.ts';

interface Meddling {
  random: () => number;
  mark: string;
  items: (kind: string) => readonly Item[];
  send: (method: string, path: string, body?: Row) => Answered;
  /** The last that one of us has changed in this account. */
  last: Write | undefined;
  world: World;
}

/** The path of a thing after the version. */
function pathTo(item: Item): string {
  const list = (kinds[item.kind]?.path ?? '').split('*');
  const above = (one: Item | undefined): readonly number[] => (one ? [...above(one.parent), one.id] : []);
  const ids = above(item.parent);
  return `${list.map((part, index) => part + (ids[index] ?? '')).join('')}/${item.id}`;
}

const some = (random: () => number, all: readonly Item[]): Item | undefined =>
  all[Math.floor(random() ** 2 * all.length)];

/** Another value in place of each that a body has. */
function otherValues(body: Row, now: Row, mark: string): Row {
  const others = Object.entries(body).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const is = now[name];
    if (name === 'devices') return [];
    if (name === 'tags') return [[name, [...((is as readonly string[]) ?? []).slice(0, 2), `c-${mark}`]]];
    if (name === 'domain') return [[name, `c-${mark}.example`]];
    if (typeof is === 'number') return [[name, name === 'ttl_sec' ? 86_400 : is + 3]];
    if (typeof is === 'string') return [[name, name === 'target' ? '203.0.113.77' : `c-${mark}`]];
    const isPart = typeof value === 'object' && value !== null && typeof is === 'object' && is !== null;
    return isPart ? [[name, otherValues(value as Row, is as Row, mark)]] : [];
  });
  return Object.fromEntries(others);
}

const labelOf = (kind: string): string => (kind === 'domains' ? 'domain' : 'label');

const ways: Readonly<Record<string, (meddling: Meddling) => Answered | undefined>> = {
  edit: ({ random, mark, items, send }) => {
    const [kind, body] = drawn(random, [
      ['servers', { group: `c-${mark}` }],
      ['servers', { alerts: { cpu: 77 } }],
      ['domains', { description: `c-${mark}` }],
      ['domains', { ttl_sec: 86_400 }],
      ['nodebalancers', { client_conn_throttle: 3 }],
    ] as const);
    const item = some(random, items(kind));
    return item && send('PUT', pathTo(item), body);
  },
  'edit record': ({ random, items, send }) => {
    const item = some(random, items('records'));
    const body = drawn(random, [{ target: '192.0.2.9' }, { target: '203.0.113.5' }, { ttl_sec: 3600 }]);
    return item && send('PUT', pathTo(item), body);
  },
  tag: ({ random, mark, items, send }) => {
    const item = some(random, items(drawn(random, ['volumes', 'volumes', 'servers', 'domains', 'nodebalancers'])));
    const tags = (item && (latest(item)?.tags as readonly string[])) ?? [];
    const next = random() < 0.3 && tags.length > 0 ? tags.slice(1) : [...tags, `c-${mark}`];
    return item && send('PUT', pathTo(item), { tags: next });
  },
  rename: ({ random, mark, items, send }) => {
    const kind = drawn(random, ['volumes', 'servers', 'domains', 'nodebalancers']);
    const item = some(random, items(kind));
    const label = kind === 'domains' ? `c-${mark}.example` : `c-${mark}`;
    return item && send('PUT', pathTo(item), { [labelOf(kind)]: label });
  },
  delete: ({ random, items, send }) => {
    const item = some(random, items(drawn(random, ['volumes', 'records', 'servers', 'nodebalancers'])));
    return item && send('DELETE', pathTo(item));
  },
  grow: ({ random, mark, items, send }) => {
    const kind = drawn(random, ['volumes', 'domains', 'nodebalancers']);
    const item = some(random, items(kind));
    if (!item) return undefined;
    if (kind === 'volumes') return send('POST', `${pathTo(item)}/resize`, { size: Number(latest(item)?.size) + 480 });
    if (kind === 'domains')
      return send('POST', `${pathTo(item)}/records`, { type: 'A', name: `c-${mark}`, target: '192.0.2.8' });
    return send('POST', `${pathTo(item)}/configs`, { port: 1000 + Math.floor(random() * 1000) });
  },
  /** Begins a job on a server: it is booted, or gets new disks. */
  'begin job': ({ random, items, send }) => {
    const server = some(random, items('servers'));
    const isOff = server && latest(server)?.status === 'offline';
    if (!server) return undefined;
    if (isOff && random() < 0.6) return send('POST', `${pathTo(server)}/boot`);
    return send('POST', `${pathTo(server)}/rebuild`, { image: 'server/debian12', root_pass: 'Correct-Horse-1' });
  },
  /** Changes what a server costs. */
  'change costs': ({ random, items, send }) => {
    const server = some(random, items('servers'));
    const isBacked = (server && (latest(server)?.backups as Row | undefined)?.enabled) === true;
    if (!server) return undefined;
    if (random() < 0.3)
      return send('POST', `${pathTo(server)}/resize`, { type: `g6-standard-${random() < 0.5 ? 2 : 4}` });
    return send('PUT', pathTo(server), { backups: { enabled: !isBacked } });
  },
  /** Puts a proxy on our way that answers reads from a store for some time. */
  'store answers': ({ random, world }) => {
    world.network.store = { until: world.clock.now + 30_000 + random() * 90_000, freshMs: 3000 + random() * 40_000 };
    return undefined;
  },
  /** From then on events are listed late. */
  'late events': ({ random, world }) => {
    for (const { events } of world.clouds) events.lateMs = 1000 + 5000 * random();
    return undefined;
  },
  /** More events than a page of them has, or a list of two pages, of which the first row goes and another comes again and again. */
  crowd: ({ random, send, items, world }) => {
    const isOfRows = random() < 0.4;
    const [path, body]: readonly [string, Row] = isOfRows
      ? ['managed/contacts', { name: 'Crowd', email: 'crowd@example.com' }]
      : ['support/tickets', { summary: 'Crowd', description: 'It is many.' }];
    for (let count = 0; count < 130; count++) send('POST', path, body);
    const change = (times: number) => {
      const first = items('contacts').find((one) => latest(one)?.name === body.name);
      if (times === 0 || !first) return;
      send('DELETE', pathTo(first));
      send('POST', path, body);
      world.clock.after(40 + random() * 200, () => change(times - 1));
    };
    if (isOfRows) change(120);
    return undefined;
  },
  /** Changes once more what one of us has changed last, or takes it away. */
  'change again': ({ random, mark, items, send, last }) => {
    const isMeant = (item: Item) => `${last?.path}/`.startsWith(`${pathTo(item)}/`);
    const item = last?.made ?? last?.changes.find((one) => isMeant(one.item))?.item;
    const row = item && latest(item);
    if (!last || !item || !row) return undefined;
    const act = last.path.split('/').at(-1);
    const other = some(random, items('servers'));
    if (act === 'attach' || act === 'detach') {
      if (row.server_id !== null) send('POST', `${pathTo(item)}/detach`);
      const isBack = act === 'attach' && random() < 0.3;
      return isBack || !other ? undefined : send('POST', `${pathTo(item)}/attach`, { server_id: other.id });
    }
    if (act === 'resize')
      return send(
        'POST',
        last.path,
        item.kind === 'volumes' ? { size: Number(row.size) + 20 } : { type: 'g6-standard-1' },
      );
    if (last.method === 'PUT') return send('PUT', pathTo(item), otherValues(last.body, row, mark));
    return random() < 0.5
      ? send('DELETE', pathTo(item))
      : send('PUT', pathTo(item), { [labelOf(item.kind)]: `c-${mark}` });
  },
  /** The same as one of us has just sent or planned, or something like it. */
  'make alike': ({ random, items, send, world }) => {
    const wish = world.wishes.findLast(({ name }) => name.endsWith(' create'));
    const values =
      wish && Object.fromEntries(Object.entries(wish.set).filter(([, value]) => typeof value !== 'object'));
    if (wish && values && !wish.path.includes('step') && random() < 0.8) return send('POST', wish.path, values);
    const domain = some(random, items('domains'));
    return drawn(random, [
      () => send('POST', 'server/instances', { region: 'us-east', type: 'g6-standard-1' }),
      () => send('POST', 'nodebalancers', { region: 'us-east' }),
      () => send('POST', 'support/tickets', { summary: 'Help', description: 'It is slow.' }),
      () => send('POST', 'managed/contacts', { name: 'Ann', email: 'ann@example.com' }),
      () => domain && send('POST', `${pathTo(domain)}/records`, { type: 'A', name: 'www', target: '192.0.2.3' }),
    ])();
  },
};

/** Has a colleague do something to the same account, in between. */
export function meddle({ world, seat, deed, random }: Doing): void {
  const cloud = world.cloudOf(seat);
  const { account } = seat.login;
  const send = (method: string, path: string, body: Row = {}) =>
    cloud.answer({
      ...{ method, path, query: new URLSearchParams(), token: account.token, body, filter: {} },
      ...{ by: 'colleague', deed: deed.number },
    });
  const items = (kind: string) => cloud.items.of(kind, account.name);
  const isOwn = ({ by, host, account: of, status }: Write) =>
    by !== 'colleague' && host === cloud.host && of === account.name && status < 300;
  const last = world.writes.findLast(isOwn);
  const answered = ways[deed.what]?.({ random, mark: `d${deed.number}`, items, send, last, world });
  const write = answered?.write;
  if (write) world.say('colleague', `${write.method} ${write.path} ${JSON.stringify(write.body)}: ${write.status}`);
}
