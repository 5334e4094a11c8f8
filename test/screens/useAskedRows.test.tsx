import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Asked } from '../../src/screens/list/listRows.ts';
import { useAskedRows } from '../../src/screens/list/useAskedRows.ts';
import { AppContext, type AppContextValue } from '../../src/screens/useStores.ts';

const servers = resourceNamed('servers');

/** That so many servers of a long list are asked about. */
const askedOf = (count: number): readonly Asked[] => [
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
  function Reader({ asked }: { asked: readonly Asked[] }) {
    useAskedRows(servers, asked, renew);
    return <Text>{asked[0]?.rows.length}</Text>;
  }
  const element = (asked: readonly Asked[]) => (
    <AppContext value={{ stores } as unknown as AppContextValue}>
      <Reader asked={asked} />
    </AppContext>
  );
  const { rerender, lastFrame, unmount } = render(element(askedOf(6000)));
  await expect.poll(lastFrame).toBe('6000');
  tell();
  rerender(element(askedOf(6010)));
  await expect.poll(lastFrame).toBe('6010');
  await expect.poll(() => renewed, { timeout: 3000 }).toBe(1);
  unmount();
});
