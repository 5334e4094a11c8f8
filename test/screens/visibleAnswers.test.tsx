import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { afterEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { useVisibleAnswers } from '../../src/screens/list/useFetches.ts';
import { AppContext, type AppContextValue, rowDelayMs } from '../../src/screens/useStores.ts';
import type { Query } from '../../src/store/cache.ts';

const servers = resourceNamed('servers');
const operations = ['stats'];
const params = {};

afterEach(() => void vi.useRealTimers());

/** A list whose rows the test changes, and the servers that are asked about. */
function openList() {
  const asked = new Set<string>();
  const scheduler = {
    subscribe: (queries: readonly Query[]) => {
      const ids = queries.map((query) => query.params[servers.param] ?? '');
      for (const id of ids) asked.add(id);
      return () => {
        for (const id of ids) asked.delete(id);
      };
    },
  };
  const cache = createStore(() => ({ answers: {} }));
  const visibleRows = { show: () => () => {} };
  const context = { stores: { cache, scheduler, visibleRows } } as unknown as AppContextValue;
  function List({ rows, isFiltering }: { rows: readonly Row[]; isFiltering: boolean }) {
    useVisibleAnswers(servers, rows, params, operations, isFiltering);
    return <Text>{rows.map(({ id }) => id).join()}</Text>;
  }
  const element = (rows: readonly Row[], isFiltering: boolean) => (
    <AppContext value={context}>
      <List rows={rows} isFiltering={isFiltering} />
    </AppContext>
  );
  const { rerender, lastFrame, unmount } = render(element([{ id: 1 }], false));
  const show = async (id: number, isFiltering: boolean) => {
    rerender(element([{ id }], isFiltering));
    await expect.poll(lastFrame).toBe(String(id));
    // Nobody looks at rows any more that have left the screen.
    await expect.poll(() => asked.size).toBe(0);
  };
  return { asked, show, unmount };
}

test('rows that scroll into view are asked about at once, those of a filter that is typed once it rests', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { asked, show, unmount } = openList();
  await expect.poll(() => [...asked]).toEqual(['1']);
  await show(2, false);
  vi.advanceTimersByTime(rowDelayMs.scrolling);
  expect([...asked]).toEqual(['2']);
  await show(3, true);
  vi.advanceTimersByTime(rowDelayMs.typing - 1);
  expect([...asked]).toEqual([]);
  await show(4, true);
  vi.advanceTimersByTime(rowDelayMs.typing - 1);
  expect([...asked]).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([...asked]).toEqual(['4']);
  unmount();
  expect(asked.size).toBe(0);
});
