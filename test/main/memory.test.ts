import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { giveBackAtRest } from '../../src/program/memory.ts';

const mebibyte = 2 ** 20;
const lookMs = 2000;

describe('memory is given back', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Works once for each pair of room and use, in MiB, and looks; returns at which looks memory was given back. */
  async function looks(...pairs: readonly (readonly [room: number, used: number, typed?: number])[]) {
    let at = { total_physical_size: 0, used_heap_size: 0 };
    const collect = vi.fn(async () => {
      at = { ...at, total_physical_size: 40 * mebibyte };
    });
    let bytes = 0;
    const onWork = giveBackAtRest(
      () => bytes,
      collect,
      () => at,
    );
    const done: boolean[] = [];
    for (const [room, used, typed = 0] of pairs) {
      onWork();
      bytes += typed;
      at = { total_physical_size: room * mebibyte, used_heap_size: used * mebibyte };
      const before = collect.mock.calls.length;
      await vi.advanceTimersByTimeAsync(lookMs);
      done.push(collect.mock.calls.length > before);
    }
    return done;
  }

  const calm = (room: number, count = 5) => Array.from({ length: count }, () => [room, 30] as const);
  const never = [false, false, false, false];

  it('once the program rests, and not while it works', async () => {
    expect(await looks([60, 20], [70, 30], ...calm(70))).toEqual([false, false, ...never, true]);
    expect(await looks([70, 30], ...calm(70).slice(1), [70, 40])).toEqual([false, ...never, false]);
  });

  it('again only when it has taken much, and not before a minute', async () => {
    const twice = await looks([60, 30], ...calm(60), ...calm(51, 30), ...calm(53, 30));
    expect(twice.flatMap((isGiven, place) => (isGiven ? [place] : []))).toEqual([5, 65]);
  });

  /** The looks at which it is given back while work goes on. */
  const atWork = async (room: number, typed: (place: number) => number) => {
    const work = Array.from({ length: 120 }, (_, place) => [room, 30 + 10 * (place % 2), typed(place)] as const);
    return (await looks(...work)).flatMap((isGiven, place) => (isGiven ? [place] : []));
  };

  it('beside work that never ends every six seconds where that is much, and while nobody types', async () => {
    const every = (first: number, end = 120) =>
      Array.from({ length: Math.ceil((end - first) / 3) }, (_, place) => first + 3 * place);
    expect(await atWork(64, () => 0)).toEqual(every(9));
    expect(await atWork(63, () => 0)).toEqual([9]);
    expect(await atWork(64, () => 1)).toEqual([]);
    expect(await atWork(64, (place) => Number(place === 28))).toEqual([...every(9, 28), ...every(38)]);
  });

  it('by a collection of all garbage, after which nothing waits', async () => {
    const left = new WeakRef({});
    giveBackAtRest(
      () => 0,
      undefined,
      () => ({ total_physical_size: 60 * mebibyte, used_heap_size: 0 }),
    )();
    await vi.advanceTimersByTimeAsync(5 * lookMs);
    await vi.waitFor(() => expect(left.deref()).toBeUndefined(), 10_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
