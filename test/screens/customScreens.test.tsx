import { render } from 'ink-testing-library';
import { expect, onTestFinished, test } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/error.ts';
import { readPages } from '../../src/api/pages.ts';
import { operationsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import type { Operation, Resource, Row } from '../../src/resources/resource.ts';
import { customScreens } from '../../src/screens/custom/index.ts';
import { failureText } from '../../src/screens/freshness.ts';
import { KeyboardProvider } from '../../src/screens/keyboard.tsx';
import { AppContext } from '../../src/screens/useStores.ts';
import { setUserKeyLabels } from '../../src/text/keyLabel.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { onlyAccount, openStores } from '../store/openStores.ts';

const screens = resources.flatMap((resource) =>
  (resource.tabs ?? []).flatMap((tab) => ('screen' in tab ? [[tab.screen, resource, tab.uses ?? []] as const] : [])),
);

/** One row of anything: enough for what is read below it to be asked for. */
const row: Row = { id: 7, label: 'seven', name: 'seven', cluster: 'us-east-1', created: '2020-01-01T00:00:00' };

const nameOf = (operation: Operation): string =>
  resources
    .flatMap((resource) =>
      operationsOf(resource).map((one) => ({ ...one, name: `${resource.name}.${one.name}` as const })),
    )
    .find((one) => one.operation === operation)?.name ?? operation.path;

/** An API that answers everything with one row and notes what it is asked. */
function noting() {
  const sent = new Set<string>();
  const send = async (operation: Operation) => {
    sent.add(nameOf(operation));
    return { body: 'pages' in operation ? { data: [row], page: 1, pages: 1, results: 1 } : row, status: 200 };
  };
  const pages: Api['pages'] = (operation, request = {}) => readPages(() => send(operation), operation, request);
  return { api: { ...fakeApi(), send, pages }, sent };
}

/** The operations that a screen may read, by the names of resource and operation. */
const readsOf = (resource: Resource, uses: readonly string[]): readonly string[] =>
  uses
    .map((use) => (resource.operations?.[use] ? `${resource.name}.${use}` : use.includes('.') ? use : `${use}.list`))
    .filter((name) => {
      const [of = '', wanted] = name.split('.');
      const found = operationsOf(resourceNamed(of)).find((one) => one.name === wanted);
      if (!found) throw new Error(`no operation is called ${name}`);
      return found.operation.method === 'GET';
    });

/** Draws a custom screen of one row with this API. */
function draw(api: Api, name: (typeof screens)[number][0], resource: Resource, width = 100) {
  const stores = openStores(api);
  const context = {
    stores,
    accounts: onlyAccount(stores),
    copy: () => {},
    edit: async () => undefined,
    runShells: async () => [],
    suspend: () => false,
    quit: () => {},
  };
  const Custom = customScreens[name];
  const names = ['bucket', 'clusterId', resource.param];
  const params = Object.fromEntries(names.map((one) => [one, '7']));
  return render(
    <AppContext value={context}>
      <KeyboardProvider>
        <Custom resource={resource} params={params} row={row} width={width} height={30} />
      </KeyboardProvider>
    </AppContext>,
  );
}

test.each(screens)('%s reads what its tab says that it uses, and nothing else', async (name, resource, uses) => {
  const { api, sent } = noting();
  const { stdin, unmount } = draw(api, name, resource);
  const reads = [...readsOf(resource, uses)].sort();
  const isEach = () => {
    // Months that have ended are read by a key of their own.
    if (reads.some((one) => one.endsWith('Month'))) stdin.write('<');
    return reads.every((one) => sent.has(one));
  };
  await expect.poll(isEach, { timeout: 10_000 }).toBe(true);
  expect([...sent].sort()).toEqual(reads);
  unmount();
});

const reading = screens.filter(([, , uses]) => uses.length > 0);

test.each(reading)('%s says why nothing was read, and which key tries again', async (name, resource) => {
  const send = () =>
    Promise.reject(new ApiError({ kind: 'answer', method: 'GET', path: '', message: 'It broke.', status: 500 }));
  const pages: Api['pages'] = (operation, request = {}) => readPages(send, operation, request);
  const { lastFrame, unmount } = draw({ ...fakeApi(), send, pages }, name, resource);
  await expect.poll(lastFrame, { timeout: 10_000 }).toMatch(/It broke\.\s+ctrl-r tries again\./);
  unmount();
});

test('a key of the user is named as it is, and none where the token may not read', () => {
  setUserKeyLabels({ 'everywhere.refresh': 'f5' });
  onTestFinished(() => setUserKeyLabels({}));
  expect(failureText({ message: 'It broke.', status: 500 })).toBe('It broke. f5 tries again.');
  expect(failureText({ message: 'It is not allowed.', status: 403 })).toBe('It is not allowed.');
});

test('what object storage has sent out is told whole in the narrowest terminal', () => {
  const { lastFrame, unmount } = draw(noting().api, 'objectTransfer', resourceNamed('object-storage'), 60);
  expect(lastFrame()?.replace(/\s+/g, ' ')).toContain(
    '0 B of the 1 TiB that object storage adds to the pool; 1 TiB left.',
  );
  unmount();
});
