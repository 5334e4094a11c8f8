import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { inSteps, oncePerTurn } from '../../src/screens/useStores.ts';

test('a screen is told once of all changes of a turn of the event loop, and of none after it has left', async () => {
  const store = createStore(() => ({ count: 0, other: 0 }));
  const shown = oncePerTurn(store);
  const told: unknown[] = [];
  const leave = shown.subscribe((state, before) => told.push([before, state]));
  store.setState({ count: 1 });
  await Promise.resolve();
  store.setState({ other: 2 });
  expect(shown.getState()).toEqual({ count: 1, other: 2 });
  expect(told).toEqual([]);
  await nextTurn();
  expect(told).toEqual([
    [
      { count: 0, other: 0 },
      { count: 1, other: 2 },
    ],
  ]);
  store.setState({ count: 3 });
  leave();
  await nextTurn();
  expect(told).toHaveLength(1);
});

test('a change that a screen makes as it is told is told in the next turn, also to that screen', async () => {
  const store = createStore(() => ({ count: 0 }));
  const [one, other] = [oncePerTurn(store), oncePerTurn(store)];
  const told: string[] = [];
  one.subscribe(({ count }) => {
    told.push(`one ${count}`);
    if (count === 1) store.setState({ count: 2 });
  });
  other.subscribe(({ count }) => told.push(`other ${count}`));
  store.setState({ count: 1 });
  await nextTurn();
  await nextTurn();
  expect(told).toEqual(['one 1', 'other 2', 'one 2', 'other 2']);
  store.setState({ count: 3 });
  await nextTurn();
  expect(told.slice(4)).toEqual(['one 3', 'other 3']);
});

test('of changes that follow close to one another the first is told at once and the others together, also the last', () => {
  vi.useFakeTimers();
  try {
    const store = createStore(() => ({ count: 0 }));
    const told: unknown[] = [];
    const leave = inSteps(store).subscribe(({ count }, before) => told.push([before.count, count]));
    for (const count of [1, 2, 3]) store.setState({ count });
    expect(told).toEqual([[0, 1]]);
    vi.advanceTimersByTime(100);
    expect(told.slice(1)).toEqual([[1, 3]]);
    vi.advanceTimersByTime(100);
    store.setState({ count: 4 });
    expect(told.slice(2)).toEqual([[3, 4]]);
    store.setState({ count: 5 });
    leave();
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});
