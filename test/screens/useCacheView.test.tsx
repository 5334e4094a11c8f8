import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { resourceNamed } from '../../src/resources/index.ts';
import { type CacheView, type Row, viewWith } from '../../src/resources/resource.ts';
import { useAnsweredView } from '../../src/screens/list/useFetches.ts';
import { useCacheView } from '../../src/screens/useReads.ts';
import { AppContext, type AppContextValue } from '../../src/screens/useStores.ts';
import { knowing } from '../resources/known.ts';

const servers = resourceNamed('servers');
/** The first list that its columns look at. */
const [reads = ''] = servers.reads ?? [];

/** Stores in which a test puts rows that columns look at, the answers about servers, and the time. */
function fakeStores() {
  const cache = createStore(() => ({ collections: {} as Record<string, { resource: string; rows: readonly Row[] }> }));
  const fleet = createStore(() => ({ version: 0 }));
  let now = 0;
  const view = viewWith(knowing({}), {
    get now() {
      return now;
    },
  });
  const scheduler = { subscribe: () => () => {} };
  return {
    context: { stores: { cache, fleet, view, scheduler } } as unknown as AppContextValue,
    begin: () => cache.setState({ collections: { [reads]: { resource: reads, rows: [] } } }),
    read: (rows: readonly Row[]) => cache.setState({ collections: { [reads]: { resource: reads, rows } } }),
    answer: () => fleet.setState(({ version }) => ({ version: version + 1 })),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** The views of a list of servers that is opened, and left again. */
async function visited(context: AppContextValue) {
  let views: readonly CacheView[] = [];
  function List() {
    const view = useCacheView(servers);
    const [answered] = useAnsweredView(view);
    views = [view, answered];
    return <Text>drawn</Text>;
  }
  const { lastFrame, unmount } = render(
    <AppContext value={context}>
      <List />
    </AppContext>,
  );
  await expect.poll(lastFrame).toBe('drawn');
  unmount();
  const [view, answered] = views;
  return { view, answered };
}

test('a list that is opened again has the view that it had, unless something else was read or a minute is over', async () => {
  const { context, begin, read, pass } = fakeStores();
  const first = await visited(context);
  expect((await visited(context)).view).toBe(first.view);
  begin();
  expect((await visited(context)).view).toBe(first.view);
  read([{ id: 'small' }]);
  const next = await visited(context);
  expect(next.view).not.toBe(first.view);
  pass(59_999);
  expect((await visited(context)).view).toBe(next.view);
  pass(1);
  expect((await visited(context)).view).not.toBe(next.view);
});

test('its rows are in a new order where answers about them came meanwhile', async () => {
  const { context, answer } = fakeStores();
  const first = await visited(context);
  expect((await visited(context)).answered).toBe(first.answered);
  answer();
  const next = await visited(context);
  expect(next.view).toBe(first.view);
  expect(next.answered).not.toBe(first.answered);
});
