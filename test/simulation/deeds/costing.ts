import { idOf } from '../../../src/resources/identity.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import { valueIn } from '../../../src/store/filter/fields.ts';
import { type Item, type Row, rowAt } from '../cloud/items.ts';
import { catalogues, kinds } from '../cloud/kinds.ts';
import type { Desk } from '../desk.ts';
import { isAlike } from '../wishes.ts';
import type { Doing } from './doing.ts';
import { readList } from './hands.ts';

const counted = ['servers', 'volumes', 'nodebalancers'] as const;

/** Looks at what the account costs, with some of its lists read, and compares that with what the cloud has. */
export async function countCosts(doing: Doing, desk: Desk): Promise<void> {
  const { world, random } = doing;
  const { stores, process } = desk;
  for (const name of [...counted, 'server-types'] as const) if (random() < 0.8) await readList(stores, name, {});
  const rows = (resourceNamed('costs').made?.rows(stores.view) ?? []) as readonly Row[];
  const find = (says: string) =>
    world.leftOut.push({ rule: 'costs', at: world.clock.now, says: `${process.name} says that ${says}.` });
  world.say(process.name, `looks at the costs: ${rows.map(({ id, cost }) => `${id} ${cost}`).join(', ')}`);
  const known = Object.fromEntries(counted.map((name) => [name, rowsKnown(doing, desk, name)]));
  const hasPrices = servedAt(doing, desk, 'server/types') !== undefined;
  const rowOf = (id: string) => rows.find((row) => row.id === id) ?? {};
  for (const name of counted) {
    const { many } = resourceNamed(name);
    const area = rowOf(`area ${many}`);
    const path = kinds[name]?.path ?? '';
    if (servedAt(doing, desk, path) !== undefined) continue;
    if (area.untold === undefined) find(`nothing of ${many} is untold, which were never read`);
    // A row that an event or an answer told of is counted, and it is told that the others are not.
    if (world.network.exchanges.some((one) => one.process === process && one.path.startsWith(`${path}/`))) continue;
    if (area.count !== undefined) find(`there are ${area.count} ${many}, which were never read`);
    if (area.cost !== undefined) find(`${many} cost ${area.cost}, which were never read`);
    if (area.wasted !== undefined) find(`of ${many} ${area.wasted} are of no use, which were never read`);
  }
  const { servers, volumes, nodebalancers } = known;
  if (!servers) return;
  const priced = servers.map((row) => ({ row, price: hasPrices ? priceOf(row) : undefined }));
  const sum = (those: readonly { price: number | undefined }[]) => {
    const prices = those.flatMap(({ price }) => price ?? []);
    return prices.length > 0 ? prices.reduce((all, one) => all + one, 0) : undefined;
  };
  const expect = (id: string, wanted: number | undefined) => {
    const { cost } = rowOf(id);
    if (!isAlike(cost, wanted)) find(`${id} costs ${cost}, and it is ${wanted}`);
  };
  const column = resourceNamed('servers').columns.find(({ title }) => title === 'Cost');
  for (const { row, price } of priced) {
    expect(`servers ${row.id}`, price);
    const own = stores.view.rows('servers').find((one) => idOf(resourceNamed('servers'), one) === String(row.id));
    if (column && own && !isAlike(valueIn(own, column, stores.view), price))
      find(`the server ${row.id} costs otherwise`);
  }
  const backups = priced
    .filter(({ row }) => hasBackups(row))
    .map(() => ({ price: hasPrices ? backupPrice : undefined }));
  const whole = sum(priced);
  expect('area Servers', whole === undefined ? undefined : whole - (sum(backups) ?? 0));
  expect('area backups', backups.length === 0 ? 0 : sum(backups));
  const others = [...(volumes ?? []), ...(nodebalancers ?? [])];
  if (!volumes || !nodebalancers) return;
  for (const tag of new Set([...servers, ...others].flatMap(tagsOf)))
    expect(`tag ${tag}`, sum(priced.filter(({ row }) => tagsOf(row).includes(tag))));
}

const backupPrice = 2.5;
const hasBackups = (row: Row): boolean => (row.backups as Row | undefined)?.enabled === true;
const tagsOf = ({ tags }: Row): readonly string[] => (Array.isArray(tags) ? tags : []);

/** A month of a server, by the catalogue of the cloud; its backups have the same price for each type. */
function priceOf(server: Row): number | undefined {
  const { price } = catalogues['server/types']?.find(({ id }) => id === server.type) ?? {};
  const monthly = (price as Row | undefined)?.monthly;
  return typeof monthly === 'number' ? monthly + (hasBackups(server) ? backupPrice : 0) : undefined;
}

/** The rows of a list that was answered; undefined where it never was, or a row has become otherwise since. */
function rowsKnown(doing: Doing, desk: Desk, kind: string): readonly Row[] | undefined {
  const { world, seat } = doing;
  const since = servedAt(doing, desk, kinds[kind]?.path ?? '');
  if (since === undefined) return undefined;
  const items = world
    .cloudOf(seat)
    .items.all.filter((one) => one.kind === kind && one.account === desk.login.account.name);
  const facts = (row: Row | undefined) => row && [row.type, row.backups, row.tags];
  const isMoving = (item: Item) =>
    item.versions.some(({ at, row }) => at > since && !isAlike(facts(row), facts(rowAt(item, since))));
  return items.some(isMoving) ? undefined : items.map((item) => rowAt(item, since)).filter((row) => row !== undefined);
}

/** When the cloud wrote the answer of a list that a process has got last; undefined where it never got one. */
export function servedAt({ world }: Doing, { process, login }: Desk, path: string): number | undefined {
  const got = world.network.exchanges.filter(
    (one) =>
      one.process === process &&
      one.host === login.host &&
      one.method === 'GET' &&
      one.path === path &&
      one.answeredAt !== undefined &&
      (one.status ?? 500) < 300 &&
      one.fault !== 'cut' &&
      one.fault !== 'short',
  );
  return got.length > 0 ? Math.max(...got.map(({ arrivedAt = 0 }) => arrivedAt)) : undefined;
}
