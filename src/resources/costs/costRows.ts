import { dollars, grouped, sizeText, sumWords } from '../../text/numbers.ts';
import { capitalized, counted, listed, wordsOf } from '../../text/words.ts';
import { idleOf, isOff } from '../compute/load.ts';
import { servers } from '../compute/servers.ts';
import { backupsPrice, serverPrice } from '../compute/serverTypes.ts';
import { idOf, paramsOf } from '../identity.ts';
import { addTo } from '../memoize.ts';
import { nodebalancers } from '../networking/nodebalancers.ts';
import { at, type CacheView, type Params, type Resource, type Row } from '../resource.ts';
import { idAt, numberAt, rowName, textAt, textsOf, timeAt } from '../row.ts';
import { offSince } from '../rules/serverStates.ts';
import { buckets } from '../storage/buckets.ts';
import { pooledBytes } from '../storage/objectStorage.ts';
import { volumes } from '../storage/volumes.ts';

/** Something that is charged for: one row of the account, all with a tag, or all of an area. */
export type CostRow = Row & {
  id: string;
  by: 'row' | 'tag' | 'area';
  label: string;
  /** The noun of a row, or of those of an area. */
  what?: string;
  /** Of a row alone: where it is. */
  resource?: string;
  params?: Params;
  /** In US dollars a month; undefined where the API does not tell it. */
  cost?: number;
  /** The part of it that is idle, off or unattached. */
  wasted?: number;
  state?: 'in_use' | 'idle' | 'off' | 'unattached' | 'no_ports' | 'empty';
  /** In ms since the epoch. */
  since?: number;
  /** The way in which the state is known. */
  why?: string;
  untold?: string;
  helps?: string;
  count?: number;
  tags?: readonly string[];
  region?: string;
};

type Facts = Pick<CostRow, 'cost' | 'state' | 'since' | 'why' | 'untold' | 'helps'>;

interface Kind {
  of: Resource;
  facts: (row: Row, view: CacheView) => Facts;
}

/** States in which what is charged for is of no use. */
export const wasteful: ReadonlySet<CostRow['state']> = new Set(['idle', 'off', 'unattached', 'no_ports', 'empty']);

function ofServer(server: Row, view: CacheView): Facts {
  const cost = serverPrice(server, view);
  const told = { cost, ...(cost === undefined && { untold: 'the price' }) };
  if (isOff(server)) {
    const since = offSince(server, view);
    const why = `charged for while it is off${since === undefined ? '; since when is not known' : ''}`;
    return { ...told, state: 'off', since, why, helps: 'Capture an image, delete' };
  }
  const measured = idleOf(server, view);
  if (!measured) return { ...told, why: 'not measured for a whole day yet' };
  const { isIdle, since, says } = measured;
  return {
    ...told,
    state: isIdle ? 'idle' : 'in_use',
    since,
    why: says,
    ...(isIdle && { helps: 'Resize, or delete' }),
  };
}

/** Told of what is charged by its size, `step` being the unit it is counted in. */
function priceOfSize(row: Row, step: number): string {
  const size = numberAt(row, 'size');
  return !size ? 'the price' : `the price of ${sizeText(size, step)}`;
}

const kinds: readonly Kind[] = [
  { of: servers, facts: ofServer },
  {
    of: volumes,
    facts: (volume) => {
      const untold = priceOfSize(volume, 3);
      if (volume.server_id !== null) return { untold, state: 'in_use' };
      const why = 'attached to no server; the time is that of its last update';
      return { untold, state: 'unattached', since: timeAt(volume, 'updated'), why, helps: 'Attach, or delete' };
    },
  },
  {
    of: nodebalancers,
    facts: (balancer, view) => {
      const under = { nodeBalancerId: String(balancer.id) };
      const untold = 'the price';
      if (!view.isRead('nodebalancer-configs', under)) return { untold, why: 'its ports are not read' };
      if (view.rows('nodebalancer-configs', under).length > 0) return { untold, state: 'in_use' };
      return { untold, state: 'no_ports', since: timeAt(balancer, 'created'), helps: 'Add a port, or delete' };
    },
  },
  {
    of: buckets,
    facts: (bucket) => ({
      untold: priceOfSize(bucket, 0),
      ...(bucket.objects === 0 ? { state: 'empty', helps: 'Delete' } : { state: 'in_use' }),
    }),
  },
];

const costsOfKind = (kind: Kind, view: CacheView): readonly CostRow[] =>
  view.rows(kind.of.name).map((row): CostRow => {
    const { name, one } = kind.of;
    const facts = kind.facts(row, view);
    return {
      id: `${name} ${idOf(kind.of, row)}`,
      by: 'row',
      label: rowName(row, one),
      what: one,
      resource: name,
      params: paramsOf(kind.of, row),
      tags: textsOf(row.tags),
      region: textAt(row, 'region') ?? textAt(row, 'cluster'),
      ...facts,
      ...(wasteful.has(facts.state) && { wasted: facts.cost }),
    };
  });

/** Several rows as one: what is known of their cost, what is not told, and what is of no use. */
function summed(by: 'tag' | 'area', label: string, rows: readonly CostRow[], what?: string): CostRow {
  const known = rows.flatMap(({ cost }) => cost ?? []);
  const idle = rows.filter(({ state }) => wasteful.has(state));
  const wasted = idle.flatMap((one) => one.wasted ?? []);
  const unknown = rows.filter(({ cost }) => cost === undefined);
  const nouns = [...Map.groupBy(unknown, (one) => one.what ?? 'row')].map(([noun, those]) =>
    counted(those.length, noun),
  );
  const names = idle.map((one) => `${one.label} ${wordsOf(one.state ?? '')}`);
  return {
    id: `${by} ${label}`,
    by,
    label,
    what,
    count: rows.length,
    cost: known.length > 0 ? sum(known) : undefined,
    wasted: idle.length === 0 ? 0 : wasted.length > 0 ? sum(wasted) : undefined,
    untold: nouns.length > 0 ? nouns.join(', ') : undefined,
    why: names.length > 0 ? listed(names, 4) : undefined,
    helps: [...new Set(idle.flatMap(({ helps = [] }) => helps))].join('; ') || undefined,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The sum of a list, as far as it is known where it has more rows, or cannot be read. */
const asRead = (of: CostRow, isRead: boolean): CostRow =>
  isRead ? of : { ...of, count: of.count || undefined, wasted: of.wasted || undefined, untold: 'not read to the end' };

const untagged = '(no tag)';

/** The sums by tag; that of what has none has no `tags`, and a tag that is called like it stands in quotes. */
function byTag(rows: readonly CostRow[]): readonly CostRow[] {
  const tags = new Map<string | undefined, CostRow[]>();
  for (const row of rows) for (const tag of row.tags?.length ? new Set(row.tags) : [undefined]) addTo(tags, tag, row);
  return [...tags].map(([tag, those]) => ({
    ...summed('tag', tag === untagged ? `"${tag}"` : (tag ?? untagged), those),
    ...(tag !== undefined && { tags: [tag] }),
  }));
}

/** The areas: servers without and with their backups apart, what has no price, transfer, and what the account says. */
function byArea(rows: readonly CostRow[], view: CacheView): readonly CostRow[] {
  const [first, ...others] = kinds.map(({ of: { name, one, many } }) => {
    const own = rows.filter((row) => row.resource === name);
    return asRead(summed('area', many, own, one), view.isRead(name));
  });
  const backed = view.rows('servers').filter((server) => at(server, 'backups.enabled') === true);
  const backups = backed.map((one) => ({ cost: backupsPrice(one, view), what: 'server' }) as CostRow);
  // The cost of a server has them in it, where it is told.
  const within = backed.flatMap((one) => (serverPrice(one, view) === undefined ? [] : (backupsPrice(one, view) ?? [])));
  const without = first?.cost === undefined ? undefined : first.cost - sum(within);
  const ofBackups = { ...summed('area', 'Server backups', backups), id: 'area backups', wasted: undefined };
  return [
    ...(first ? [{ ...first, cost: without }] : []),
    { ...asRead(ofBackups, view.isRead('servers')), ...(view.isRead('servers') && backed.length === 0 && { cost: 0 }) },
    ...others,
    transferArea(view),
    accountArea(view),
  ];
}

export const poolId = 'area transfer';

/** The transfer of the month against the pool of the account: the quotas of all servers, and what object storage adds. */
function transferArea(view: CacheView): CostRow {
  const all = view.rows('servers');
  const told = all.flatMap((server) => {
    const answer = view.answer('servers', 'transfer', { serverId: String(idAt(server, 'id')) });
    const [used, quota, billable] = ['used', 'quota', 'billable'].map((field) => numberAt(answer, field));
    return used === undefined || quota === undefined ? [] : [{ used, quota, billable: billable ?? 0 }];
  });
  const objects = view.rows('object-storage').flatMap((one) => numberAt(one, 'used') ?? []);
  const used = sum(told.map((one) => one.used)) + sum(objects);
  const pool = sum(told.map(({ quota }) => quota)) * 2 ** 30 + objects.length * pooledBytes;
  const over = sum(told.map(({ billable }) => billable));
  const isRead = view.isRead('servers');
  const ofAll = told.length === all.length ? '' : `, ${grouped(told.length)} of ${grouped(all.length)} servers read`;
  const of = isRead ? ofAll : `, ${counted(told.length, 'server')} read so far`;
  const isNothing = told.length === 0 && (of !== '' || objects.length === 0);
  // A server that is not read yet may make the pool larger.
  const isOver = used > pool && of === '';
  const beyond = isOver ? `${sizeText(used - pool)} over the pool` : `${sizeText(over, 3)} billed by servers`;
  return {
    id: poolId,
    by: 'area',
    label: 'Transfer pool',
    count: told.length,
    why: !isNothing
      ? `${sizeText(used)} of ${sizeText(pool)} used${of}`
      : of === ''
        ? 'there is no server'
        : 'not read yet',
    untold: isOver || over > 0 ? `the price of ${beyond}` : undefined,
  };
}

function accountArea(view: CacheView): CostRow {
  const open = numberAt(view.rows('account')[0], 'balance_uninvoiced');
  const why = open === undefined ? 'not told' : `an estimate of ${dollars(open)}`;
  return { id: 'area account', by: 'area', label: 'Not invoiced', why, untold: 'items and transfer' };
}

/** All of them, in each section the dearest first. */
export function costsIn(view: CacheView): readonly CostRow[] {
  const dearest = (rows: readonly CostRow[]) => rows.toSorted((one, other) => (other.cost ?? -1) - (one.cost ?? -1));
  const rows = kinds.flatMap((kind) => costsOfKind(kind, view));
  return [...dearest(byTag(rows)), ...byArea(rows, view), ...dearest(rows)];
}

/** The sum that is known, and that the API tells no other price. */
export function costsFoot(view: CacheView): string {
  const prices = view.rows('servers').map((server) => serverPrice(server, view));
  const all = prices.length;
  const isRead = view.isRead('servers');
  const known =
    all === 0
      ? `no server is ${isRead ? 'there' : 'read'}`
      : `${sumWords(prices) ?? 'no price'} for ${counted(all, 'server')}${isRead ? '' : ' read so far'}`;
  return `${capitalized(known)}; no other price is told`;
}
