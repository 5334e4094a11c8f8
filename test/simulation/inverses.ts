import { type Item, latest, type Row, type Write } from './cloud/items.ts';
import { disagreement } from './judge/agreement.ts';
import { leaves, valueAt, type Wish } from './wishes.ts';
import type { World } from './world.ts';

/** The wish that takes another one back, by the row as it was seen before; undefined where none does. */
export function inverseOf(world: World, wish: Wish, by: Pick<Wish, 'deed' | 'by'>): Wish | undefined {
  const sketch = sketchOf(world, wish);
  const base = { ...wish, ...by, number: world.wishes.length, at: world.clock.now, isPlanned: false };
  return (
    sketch && { ...base, add: undefined, remove: undefined, set: {}, ...sketch, takesBack: wish, asked: 1, done: [] }
  );
}

type Sketch = Partial<Pick<Wish, 'method' | 'path' | 'target' | 'add' | 'remove' | 'set' | 'may' | 'label'>>;

const tagsOf = (row: Row | undefined): readonly string[] => (row?.tags as readonly string[] | undefined) ?? [];

function sketchOf(world: World, wish: Wish): Sketch | undefined {
  const { name, method, path, seen, set, add = [], remove = [] } = wish;
  if (method === 'PUT') {
    const before = leaves(set).map(([at]) => [at, valueAt(seen, at) ?? null] as const);
    const had = tagsOf(seen);
    return {
      set: before.reduce<Row>((all, [at, value]) => withValue(all, at.split('.'), value), {}),
      add: remove.filter((tag) => had.includes(tag)),
      remove: add.filter((tag) => !had.includes(tag)),
    };
  }
  const list = path.split('/').slice(0, -1).join('/');
  if (name.endsWith(' create')) {
    const made = madeBy(world, wish);
    const row = made && latest(made);
    return (
      made && {
        method: 'DELETE',
        path: `${path}/${made.id}`,
        target: made,
        label: String(row?.label ?? row?.name ?? ''),
      }
    );
  }
  if (name === 'volumes attach') return { path: `${list}/detach` };
  if (name === 'volumes detach')
    return { path: `${list}/attach`, set: { server_id: seen?.server_id }, may: ['persist_across_boots', 'config_id'] };
  if (name === 'servers resize') return { set: { type: seen?.type }, may: ['allow_auto_disk_resize'] };
  if (name === 'records delete' && seen)
    return {
      method: 'POST',
      path: list,
      target: undefined,
      set: { type: seen.type, target: seen.target },
      may: Object.keys(seen),
    };
  return undefined;
}

/** The item that a creation has made by now. */
function madeBy({ writes }: World, wish: Wish): Item | undefined {
  const isOf = ({ by, host, path, body, at }: Write) =>
    by === wish.by || wish.isPlanned
      ? host === wish.host && path === wish.path && at >= wish.at && !disagreement(wish, body, [])
      : false;
  return writes.findLast((write) => write.made && write.status < 300 && isOf(write))?.made;
}

function withValue(row: Row, [name = '', ...rest]: readonly string[], value: unknown): Row {
  return { ...row, [name]: rest.length === 0 ? value : withValue((row[name] as Row | undefined) ?? {}, rest, value) };
}
