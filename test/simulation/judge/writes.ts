import { type Item, rowAt, type Write } from '../cloud/items.ts';
import type { Exchange } from '../network.ts';
import { askedOf, leaves, type Wish } from '../wishes.ts';
import type { World } from '../world.ts';
import { disagreement } from './agreement.ts';
import type { Finding } from './finding.ts';
import { rowsUntil, servedBefore } from './served.ts';

/** A body is worked out on a row that was read so lately, in milliseconds. */
const lately = 20_000;

/** Judges each request that was to change something: whether it was wished, once, of this row, and as it was wished. */
export function judgeWrites(world: World): readonly Finding[] {
  const sent = world.network.exchanges.filter(({ method }) => method !== 'GET');
  const inOrder = sent.toSorted((one, other) => (one.arrivedAt ?? one.at) - (other.arrivedAt ?? other.at));
  return [...inOrder.flatMap((exchange) => judgeWrite(world, exchange)), ...tooOften(world)];
}

const line = ({ process, method, path, body }: Exchange): string =>
  `${process.name} sent ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;

function judgeWrite(world: World, exchange: Exchange): readonly Finding[] {
  const { at, body = {}, write, deed, method, path, host, token } = exchange;
  const account = world.clouds.flatMap(({ accounts }) => accounts).find((one) => one.token === token)?.name;
  const finding = (rule: string, says: string): Finding => ({ rule, at, says: `${line(exchange)}: ${says}.` });
  if (JSON.stringify(body).includes('[redacted]')) return [finding('redaction', 'a redaction is sent as a value')];
  const candidates = world.wishes.filter(
    (wish) =>
      wish.host === host &&
      wish.account === account &&
      wish.method === method &&
      wish.path === path &&
      wish.at <= exchange.at,
  );
  if (candidates.length === 0) return [finding('unwished', 'nobody has wished that')];
  const own = candidates.filter((wish) => wish.deed === deed && !wish.isPlanned);
  // One that was left when it was first asked for is tried again beside those that are new.
  const isTriedAgain = (wish: Wish) => world.told.some((one) => one.wish === wish && one.deed === deed);
  const tried = candidates.filter((wish) => wish.takesBack && !own.includes(wish) && isTriedAgain(wish));
  const among = (own.length > 0 ? [...own, ...tried] : candidates).toSorted(
    (one, other) =>
      Number(one.done.length >= askedOf(one)) - Number(other.done.length >= askedOf(other)) ||
      one.done.length - other.done.length ||
      // Those that were not planned are sent where they are wished.
      Number(other.isPlanned) - Number(one.isPlanned) ||
      // Of two that are made, the one that says more is meant by a body that fits both: other bodies fit the other one.
      (method === 'POST' ? leaves(other.set).length - leaves(one.set).length : 0),
  );
  const wrong = among.map((wish) => disagreement(wish, body as never, basesFor(world, wish, exchange)));
  const fitting = among.filter((_, index) => wrong[index] === undefined);
  if (fitting.length === 0) return [finding('not as wished', wrong.at(-1) ?? '')];
  const stale = fitting.map((wish) => staleDeletion(world, wish, exchange));
  // Who has planned it again has seen the row again.
  const meant = Math.max(
    0,
    stale.findIndex(({ length }) => length === 0),
  );
  if (write && write.status < 300) fitting[meant]?.done.push(write);
  return (stale[meant] ?? []).map((says) => finding('stale', says));
}

/** All that a row can have been for whoever sent this. */
function basesFor(world: World, { target, method }: Wish, exchange: Exchange) {
  return target && method === 'PUT' ? statesFor(world, target, exchange) : [];
}

/** All that an item can have been for whoever sent this. */
export function statesFor({ network }: World, target: Item, exchange: Exchange) {
  const served = servedBefore(network.exchanges, exchange, target);
  const from = Math.max(served?.at ?? exchange.at, exchange.at - lately);
  // An answer from a store may come after a newer one.
  const stored = network.exchanges.flatMap(({ isStored, process, arrivedAt = 0, answeredAt = 0 }) =>
    isStored && process === exchange.process && answeredAt <= exchange.at ? arrivedAt : [],
  );
  return rowsUntil(target, Math.min(from, ...stored), exchange);
}

/** Tells the values of a row that were other ones when its deletion was confirmed. */
function staleDeletion(world: World, wish: Wish, exchange: Exchange): readonly string[] {
  const { target, seen, isPlanned } = wish;
  if (exchange.method !== 'DELETE' || !target || !seen || !isPlanned) return [];
  const served = servedBefore(world.network.exchanges, exchange, target);
  const row = served?.row;
  if (!row) return [];
  const changed = ['label', 'domain', 'size', 'status'].filter(
    (name) => seen[name] !== undefined && JSON.stringify(seen[name]) !== JSON.stringify(row[name]),
  );
  const own = world.wishes
    .filter((one) => one !== wish && one.target === target)
    .flatMap(({ set }) => Object.keys(set));
  const changes = changed
    .filter((name) => !own.includes(name) && name !== 'status')
    .map(
      (name) =>
        `its ${name} was ${JSON.stringify(seen[name])} when that was planned and is ${JSON.stringify(row[name])}`,
    );
  return [...changes, ...gained(world, wish, exchange)];
}

/** Tells the rows that a colleague has made below the row of a deletion since it was confirmed, and lately enough to be read. */
function gained({ clouds, writes }: World, { target, at, host }: Wish, exchange: Exchange): readonly string[] {
  const items = clouds.find((cloud) => cloud.host === host)?.items.all ?? [];
  const isBelow = ({ parent }: Item): boolean => parent !== undefined && (parent === target || isBelow(parent));
  return items.filter(isBelow).flatMap((item) => {
    const [first] = item.versions;
    const isOthers = writes.some(({ number, by }) => number === first?.by && by === 'colleague');
    const isThere = rowAt(item, exchange.at) !== undefined;
    if (!first || !isOthers || !isThere || first.at <= at || first.at > exchange.at - lately) return [];
    return [`it has gained ${item.kind} ${item.id} since that was planned`];
  });
}

/** Finds wishes that were done more often than somebody has asked for them. */
function tooOften({ wishes, writes }: World): readonly Finding[] {
  return wishes.flatMap((wish) => {
    const { done, target } = wish;
    // A row that is gone is wanted anew by whoever sends its creation once more, be it gone only while that is on its way.
    const isGone = ({ made, number }: Write) =>
      made !== undefined &&
      wish.resent.some((at) => {
        const next = done.find((one) => one.number > number && one.at > at);
        return at > (made.versions[0]?.at ?? at) && rowAt(made, next?.at ?? at) === undefined;
      });
    const asked = askedOf(wish) + done.filter(isGone).length;
    if (done.length <= asked) return [];
    const [first, last] = [done[0], done.at(-1)];
    if (!first || !last) return [];
    // A row that others have changed in between may well be changed once more.
    const isBetween = writes.some(
      (one) => one.number > first.number && one.number < last.number && one.changes.some(({ item }) => item === target),
    );
    if (wish.method !== 'POST' && isBetween) return [];
    const says = `${wish.name} ${wish.label} was done ${done.length} times, and asked for ${asked === 1 ? 'once' : `${asked} times`}.`;
    return [{ rule: 'twice', at: last.at, says }];
  });
}
