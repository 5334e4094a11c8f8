import { type Row, rowAt } from '../cloud/items.ts';
import { kinds } from '../cloud/kinds.ts';
import type { Exchange } from '../network.ts';
import { isDoneAsAsked, leaves, type Told, valueAt, type Wish } from '../wishes.ts';
import type { World } from '../world.ts';
import { disagreement, isMeant } from './agreement.ts';
import type { Finding } from './finding.ts';

/** States that say that nothing was done. */
const denials: ReadonlySet<string> = new Set(['failed', 'refused', 'not sent']);

/** Judges what was told of each wish by what the cloud had done by then. */
export function judgeTold(world: World): readonly Finding[] {
  return world.told.flatMap((told) => judge(world, told));
}

function judge(world: World, told: Told): readonly Finding[] {
  const { at, process, wish, state, says } = told;
  const alike = alikeTo(world, wish);
  const saying = `${process} said ${state} of ${wish.name} ${wish.label}${says === '' ? '' : ` (${says})`}`;
  // A row that was so already may have been changed again by a later step.
  const wasSo = says.includes('so nothing was sent') && wish.target?.versions.some(({ row }) => isAsWished(wish, row));
  if (state === 'done' && !wasSo && !isDone(world, wish, at))
    return [{ rule: 'done that was not', at, says: `${saying}, and nothing was done.` }];
  if (denials.has(state) && isDoneAsAsked(wish, at) && alike.length === 1 && !isTrueDenial(world, told))
    return [{ rule: 'denied that was done', at, says: `${saying}, and it was done.` }];
  return [];
}

/**
 * Whether a denial is true although the wish was done: it tells of a request of its own that was refused, or sent nothing in a run
 * that was to look at nothing from before, while another process has done it and knows that; or what was done without an answer
 * was gone, or undone and sent in vain once more, by then; or a run that was to do it once more has sent it since, in vain.
 */
function isTrueDenial({ network, applied }: World, { at, deed, process, wish, state }: Told): boolean {
  const sent = network.exchanges.filter(({ method, path }) => method === wish.method && path === wish.path);
  const own = sent.filter((one) => one.process.name === process && one.deed === deed);
  const isRefused = own.some(({ status = 0 }) => status >= 300) && state === 'failed';
  const beganAnew = (name: string) => applied.some((one) => one.process === name && one.words.includes('--from'));
  const isAnew = beganAnew(process) && state === 'refused';
  const inVain = sent.filter(
    ({ host, body, status = 0, ...one }) =>
      host === wish.host &&
      one.at <= at &&
      status >= 300 &&
      beganAnew(one.process.name) &&
      (wish.method !== 'POST' || disagreement(wish, (body ?? {}) as Row, []) === undefined),
  );
  const from = Math.max(0, ...wish.again.filter((time) => time <= at), ...inVain.map((one) => one.at));
  return wish.done
    .filter((write) => write.at >= from && write.at <= at)
    .every((write) => {
      const { status } = network.exchanges.find((one) => one.write === write) ?? {};
      const isGone = write.made !== undefined && rowAt(write.made, at) === undefined;
      const isUndone = isRefused && wish.target !== undefined && !isAsWished(wish, rowAt(wish.target, at));
      return (
        (status === undefined && (isGone || isUndone)) ||
        (write.by !== process && status === write.status && (isRefused || isAnew))
      );
    });
}

const alikeTo = ({ wishes }: World, wish: Wish): readonly Wish[] => wishes.filter((one) => isSame(one, wish));

/**
 * Whether a wish, or one that cannot be told apart from it, was done by then, or is as it was wished without that, as far as
 * anybody can know.
 */
export const isDone = (world: World, wish: Wish, at: number): boolean =>
  holds(wish, at) ||
  alikeTo(world, wish).some(({ done }) => done.some((write) => write.at <= at)) ||
  wasToldGone(world, wish, at) ||
  isThereByName(world, wish, at);

/** Times are whole seconds, in milliseconds: nothing tells what was made before a request within its second from what it made. */
const timeStepMs = 1_000;

/** The answer of a request is awaited so long, in milliseconds. */
const underWayMs = 10_000 + timeStepMs;

/**
 * Whether there is a row as it was wished of a name that no other may have, made in the seconds in which a request for it was
 * under way. Whoever made it, nothing tells it from one of that request, and there can be no second one.
 */
function isThereByName({ network, clouds }: World, wish: Wish, at: number): boolean {
  const kind = Object.entries(kinds).find(([, { path }]) => path === wish.path);
  const [name, { unique = '' }] = kind ?? ['', {}];
  if (wish.method !== 'POST' || wish.set[unique] === undefined) return false;
  const sent = network.exchanges.filter(
    ({ method, path, host }) => method === 'POST' && path === wish.path && host === wish.host,
  );
  const items = clouds.find(({ host }) => host === wish.host)?.items.all ?? [];
  const own = items.filter(({ kind: of, account }) => of === name && account === wish.account);
  return own.some((item) => {
    const [first] = item.versions;
    const isInTime = (one: Exchange) =>
      first && first.at > one.at - timeStepMs && first.at <= Math.min(at, one.at + underWayMs);
    return first !== undefined && isAsWished(wish, rowAt(item, first.at)) && sent.some(isInTime);
  });
}

/** Whether the API itself has said that the row of a deletion is gone: programs have no other source, and tell each other. */
const wasToldGone = ({ network }: World, { method, path, host }: Wish, at: number): boolean =>
  method === 'DELETE' &&
  network.exchanges.some(
    (one) => one.fault === '404' && one.host === host && one.path === path && (one.answeredAt ?? at + 1) <= at,
  );

/** Whether two wishes cannot be told apart by what they ask for. */
const isSame = (one: Wish, other: Wish): boolean =>
  one === other ||
  (one.host === other.host &&
    one.account === other.account &&
    one.method === other.method &&
    one.path === other.path &&
    JSON.stringify([one.set, one.add, one.remove]) === JSON.stringify([other.set, other.add, other.remove]));

/** Whether the row is as it was wished to be, whoever did that. */
const holds = (wish: Wish, at: number): boolean =>
  wish.target !== undefined && isAsWished(wish, rowAt(wish.target, at));

/** Whether a row, or that there is none, is what was wished. */
export function isAsWished(wish: Wish, row: Row | undefined): boolean {
  const { method, name, set } = wish;
  if (method === 'DELETE') return row === undefined;
  if (row === undefined) return false;
  if (method === 'PUT') return disagreement(wish, {}, [row]) === undefined;
  const isSo = states[name] ?? ((made: Row) => leaves(set).every(([at, value]) => isMeant(valueAt(made, at), value)));
  return isSo(row, set);
}

/** Whether a row is as an action leaves it. */
const states: Readonly<Record<string, (row: Row, set: Row) => boolean>> = {
  'servers shutdown': ({ status }) => status === 'offline' || status === 'shutting_down',
  'servers resize': ({ type, status }, set) => isMeant(type, set.type) || status === 'migrating',
  'volumes attach': ({ server_id }, set) => isMeant(server_id, set.server_id),
  'volumes detach': ({ server_id }) => server_id === null,
  'volumes resize': ({ size }, set) => isMeant(size, set.size),
  'tickets close': ({ status }) => status === 'closed',
};
