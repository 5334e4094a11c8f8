import { latest, type Row, type Write } from './cloud/items.ts';
import { kinds } from './cloud/kinds.ts';
import { disagreement } from './judge/agreement.ts';
import { servedBefore } from './judge/served.ts';
import { isAlike, leaves, Made, valueAt, type Wish } from './wishes.ts';
import type { World } from './world.ts';

/** The wish that takes another one back, by the row as it was shown right before; undefined where none does, or nothing was done. */
export function inverseOf(world: World, wish: Wish, by: Pick<Wish, 'deed' | 'by'>, id?: string): Wish | undefined {
  const write = doneBy(world, wish, by, id) ?? anybodys(world, wish, id);
  const sketch = write && sketchOf(wish, write, shownBefore(world, wish, write));
  if (!sketch) return undefined;
  const { target = wish.target } = sketch;
  const now = { number: world.wishes.length, at: world.clock.now, isPlanned: false, again: [], resent: [], done: [] };
  const seen = target && latest(target);
  return { ...wish, ...by, add: undefined, remove: undefined, set: {}, ...sketch, seen, takesBack: wish, ...now };
}

type Sketch = Partial<Pick<Wish, 'name' | 'method' | 'path' | 'target' | 'add' | 'remove' | 'set' | 'may' | 'label'>>;

const tagsOf = (row: Row | undefined): readonly string[] => (row?.tags as readonly string[] | undefined) ?? [];

/** The write that has made or taken away the row of a wish, whoever sent it: nothing may tell that it was another. */
const anybodys = ({ writes }: World, wish: Wish, id: string | undefined): Write | undefined => {
  const { method, target, path, set } = wish;
  // Only the judge knows the rows that steps have made.
  const isLoose = leaves(set).some(([, value]) => value instanceof Made);
  return writes.findLast(
    ({ changes, made, path: sent, body }) =>
      (method === 'DELETE' && changes.some(({ item, after }) => item === target && after === undefined)) ||
      (method === 'POST' &&
        sent === path &&
        made !== undefined &&
        String(made.id) === id &&
        (isLoose || disagreement(wish, body, []) === undefined)),
  );
};

/** The row of a wish as whoever carried it out was told of it last: another may have changed it a moment before. */
function shownBefore({ network }: World, { target, seen }: Wish, write: Write): Row | undefined {
  const sent = network.exchanges.find((one) => one.write === write);
  const served = target && sent && servedBefore(network.exchanges, sent, target);
  return served?.row ?? write.changes.find(({ item }) => item === target)?.before ?? seen;
}

function sketchOf(wish: Wish, { made }: Write, before: Row | undefined): Sketch | undefined {
  const { name, method, path, target, set, add = [], remove = [] } = wish;
  if (method === 'PUT') {
    const former = leaves(set).map(([at]) => [at, valueAt(before, at) ?? null] as const);
    const had = tagsOf(before);
    return {
      set: former.reduce<Row>((all, [at, value]) => withValue(all, at.split('.'), value), {}),
      add: remove.filter((tag) => had.includes(tag)),
      remove: add.filter((tag) => !had.includes(tag)),
    };
  }
  const [resource, action] = name.split(' ');
  const list = path.split('/').slice(0, -1).join('/');
  if (action === 'create' && made) {
    const { label, domain, name: called } = latest(made) ?? {};
    return {
      name: `${resource} delete`,
      method: 'DELETE',
      path: `${path}/${made.id}`,
      target: made,
      label: String(label ?? domain ?? called ?? ''),
    };
  }
  if (name === 'volumes attach') return { name: 'volumes detach', path: `${list}/detach` };
  if (name === 'volumes detach') {
    const may = ['persist_across_boots', 'config_id'];
    return { name: 'volumes attach', path: `${list}/attach`, set: { server_id: before?.server_id }, may };
  }
  if (name === 'servers resize') return { set: { type: before?.type }, may: ['allow_auto_disk_resize'] };
  if (action === 'delete' && before && target) {
    const { fields = [] } = kinds[target.kind] ?? {};
    const set = Object.fromEntries(leaves(before).filter(([at, value]) => value && fields.includes(at)));
    const may = leaves(before).flatMap(([at]) => (Object.hasOwn(set, at) ? [] : [at]));
    return { name: `${resource} create`, method: 'POST', path: list, target: undefined, set, may };
  }
  return undefined;
}

/**
 * The write with which a process carried a wish out last, as far as can be told by now.
 * @param id of the row that it made, where that is known
 */
function doneBy(world: World, wish: Wish, by: Pick<Wish, 'deed' | 'by'>, id: string | undefined) {
  const { writes, wishes, told } = world;
  const all = writes.filter(
    (write) =>
      write.status < 300 &&
      write.at >= wish.at &&
      write.by === by.by &&
      write.host === wish.host &&
      write.account === wish.account &&
      write.method === wish.method &&
      write.path === wish.path,
  );
  // A deed in which something else was sent at once, or taken back, may have sent the same.
  // One that failed at first may have been sent in a later deed, in which that was told.
  const tries = [...wishes.map((one) => ({ wish: one, deed: one.deed })), ...told];
  const mine = new Set(tries.flatMap((one) => (one.wish === wish ? [one.deed] : [])));
  const others = new Set(tries.flatMap((one) => (one.wish === wish || one.wish.isPlanned ? [] : [one.deed])));
  const likely = all.filter(({ deed }) => mine.has(deed) || !others.has(deed));
  const own = likely.length > 0 ? likely : all;
  // Another may have changed the row between its reading and the edit.
  const says = (write: Write) => {
    const before = write.changes.find(({ item }) => item === wish.target)?.before;
    return disagreement(wish, write.body, [before, shownBefore(world, wish, write)]) === undefined;
  };
  // Another may have changed the row right before an edit, and only the judge knows the rows that steps have made.
  const isLoose = wish.method === 'PUT' || leaves(wish.set).some(([, value]) => value instanceof Made);
  const alike = own.filter(says);
  const able = isLoose ? own : alike;
  const values = ({ path, set, add, remove }: Wish) => [path, set, add, remove];
  const isSame = (one: Wish) => one !== wish && isAlike(values(one), values(wish));
  // Of several that asked for the same, the last was taken back first, and steps were sent in their order.
  const isSent = (one: Wish) => told.some((sent) => sent.wish === one && sent.state === 'done');
  const isLaterStep = (one: Wish) => wish.isPlanned && one.isPlanned && one.number > wish.number && isSent(one);
  const isTaken = (one: Wish) => wishes.some(({ deed, takesBack }) => deed === by.deed && takesBack === one);
  const later = wishes.filter((one) => isSame(one) && (isLaterStep(one) || isTaken(one)));
  const last = alike.at(-1 - later.length) ?? alike.at(-1);
  return able.find(({ made }) => made && String(made.id) === id) ?? last ?? (isLoose ? own.at(-1) : undefined);
}

function withValue(row: Row, [name = '', ...rest]: readonly string[], value: unknown): Row {
  return { ...row, [name]: rest.length === 0 ? value : withValue((row[name] as Row | undefined) ?? {}, rest, value) };
}
