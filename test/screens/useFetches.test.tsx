import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Fetch } from '../../src/screens/list/listRows.ts';
import { useFetches } from '../../src/screens/list/useFetches.ts';
import { AppContext, type AppContextValue } from '../../src/screens/useStores.ts';

const servers = resourceNamed('servers');

/** That so many servers of a long list are asked about. */
const fetchesOf = (count: number): readonly Fetch[] => [
  { operation: 'stats', title: 'Load', rows: Array.from({ length: count }, (_, id) => ({ id })) },
];

test('an answer moves its row though the number of rows asked about changes meanwhile', async () => {
  let tell = () => {};
  let renewed = 0;
  const fleet = {
    subscribe: (told: () => void) => {
      tell = told;
      return () => {};
    },
    retain: () => () => {},
  };
  const stores = { fleet, scheduler: { subscribe: () => () => {} } };
  const renew = () => void renewed++;
  function Reader({ fetches }: { fetches: readonly Fetch[] }) {
    useFetches(servers, fetches, renew);
    return <Text>{fetches[0]?.rows.length}</Text>;
  }
  const element = (fetches: readonly Fetch[]) => (
    <AppContext value={{ stores } as unknown as AppContextValue}>
      <Reader fetches={fetches} />
    </AppContext>
  );
  const { rerender, lastFrame, unmount } = render(element(fetchesOf(6000)));
  await expect.poll(lastFrame).toBe('6000');
  tell();
  rerender(element(fetchesOf(6010)));
  await expect.poll(lastFrame).toBe('6010');
  await expect.poll(() => renewed, { timeout: 3000 }).toBe(1);
  unmount();
});
