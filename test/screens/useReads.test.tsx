import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Params } from '../../src/resources/resource.ts';
import { useReads } from '../../src/screens/useReads.ts';
import { AppContext, type AppContextValue } from '../../src/screens/useStores.ts';
import { type Collection, type Query, queryKey } from '../../src/store/cache.ts';

/** A scheduler that only counts the subscriptions to each list, and a cache that the test fills. */
function fakeStores() {
  const watched: string[] = [];
  const begun: string[] = [];
  const cache = createStore(() => ({ collections: {} as Record<string, Pick<Collection, 'triedAt'>> }));
  const scheduler = {
    subscribe: (queries: readonly Query[]) => {
      const keys = queries.map(queryKey);
      begun.push(...keys);
      watched.push(...keys);
      return () => {
        for (const key of keys) watched.splice(watched.indexOf(key), 1);
      };
    },
  };
  const read = (...keys: readonly string[]) =>
    cache.setState(({ collections }) => ({
      collections: { ...collections, ...Object.fromEntries(keys.map((key) => [key, { triedAt: 1 }])) },
    }));
  return { context: { stores: { cache, scheduler } } as unknown as AppContextValue, watched, begun, read };
}

const keyFor = (resource: string, params: Params) => queryKey({ resource, operation: 'list', params });
const kernels = keyFor('kernels', {});
const disksOf = (serverId: string) => keyFor('disks', { serverId });

function Reader({ targets }: { targets: readonly Params[] }) {
  const isRead = useReads({ reads: ['disks', 'kernels'] }, targets);
  return <Text>{isRead ? 'read' : 'reading'}</Text>;
}

function shown(targets: readonly Params[]) {
  const stores = fakeStores();
  const element = (rows: readonly Params[]) => (
    <AppContext value={stores.context}>
      <Reader targets={rows} />
    </AppContext>
  );
  const { rerender, ...screen } = render(element(targets));
  return { ...stores, ...screen, show: (rows: readonly Params[]) => rerender(element(rows)) };
}

test('what lies under one row is kept fresh as long as it is looked at', async () => {
  const { watched, begun, read, lastFrame, show, unmount } = shown([{ serverId: '1' }]);
  await expect.poll(() => watched).toEqual([disksOf('1'), kernels]);
  expect(lastFrame()).toBe('reading');
  read(disksOf('1'), kernels);
  await expect.poll(lastFrame).toBe('read');
  show([{ serverId: '1' }]);
  expect(watched).toEqual([disksOf('1'), kernels]);
  expect(begun).toHaveLength(2);
  unmount();
  await expect.poll(() => watched).toEqual([]);
});

test('what lies under several rows is read once and let go, what lies under none is kept fresh', async () => {
  const { watched, begun, read, lastFrame, show, unmount } = shown([{ serverId: '1' }, { serverId: '2' }]);
  await expect.poll(() => watched).toEqual([disksOf('1'), kernels, disksOf('2'), kernels]);
  read(disksOf('1'), kernels);
  expect(lastFrame()).toBe('reading');
  read(disksOf('2'));
  await expect.poll(lastFrame).toBe('read');
  await expect.poll(() => watched).toEqual([kernels, kernels]);
  show([{ serverId: '1' }, { serverId: '2' }]);
  expect(begun.filter((key) => key === disksOf('1'))).toHaveLength(1);
  unmount();
  await expect.poll(() => watched).toEqual([]);
});

test('of very many rows only the first twenty are looked at', async () => {
  const { watched, unmount } = shown(Array.from({ length: 30 }, (_, index) => ({ serverId: `${index}` })));
  await expect.poll(() => watched.filter((key) => key !== kernels)).toHaveLength(20);
  unmount();
  await expect.poll(() => watched).toEqual([]);
});
