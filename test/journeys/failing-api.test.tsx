import { expect, test } from 'vitest';
import { rowsOf } from '../../src/resources/row.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { changesAt } from './received.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

const size = { columns: 118, rows: 50 };

/** A frame that says this, over however many lines. */
const says = (pattern: RegExp) => (text: string) => pattern.test(text.replace(/\s+/g, ' '));

/** A dashboard that looks at an area of a demo which works so far. */
async function open(area: string, row: string, options: SkydeckOptions = {}): Promise<Skydeck> {
  const skydeck = await openSkydeck({ ...size, place: { area }, ...options });
  await skydeck.waitFor(row);
  const areEventsRead = () => skydeck.requests.some(({ path, status }) => path === '/account/events' && status === 200);
  await expect.poll(areEventsRead, { timeout: 10_000 }).toBe(true);
  return skydeck;
}

test.each([
  ['errors', /The API answers 50[024]\./],
  ['unavailable', /The API answers 503\./],
  ['limits', /The API limits the rate of requests\./],
  ['drops', /The API cannot be reached\./],
  ['hangs', /The API does not answer in time\./],
  ['pages', /The server at this address does not answer like the API\./],
  ['truncated', /The server at this address does not answer like the API\.|The API cannot be reached\./],
  ['redirects', /The API redirects; redirects are not followed\./],
  ['revoked', /The token was rejected; create another one and start again\./],
])('nothing but %s: one line says so, all that is local goes on, and it recovers', async (fault, banner) => {
  const skydeck = await open('volumes', 'archive-2023', fault === 'hangs' ? { timeoutMs: 300 } : {});
  skydeck.demo.setFaults([`${fault}:1`]);
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(says(banner), { timeoutMs: 20_000 });
  await skydeck.waitFor(says(/Data \d+ s old\. (Next try \d\d:\d\d:\d\d \(ctrl-r now\)|Trying now)\./));

  await skydeck.press('/');
  await skydeck.type('archive');
  await skydeck.press('enter');
  await skydeck.waitFor((text) => text.includes('archive-2023') && !text.includes('cache'));
  await skydeck.press('/', 'ctrl-u', 'enter', '?');
  await skydeck.waitFor('── Keys');
  await skydeck.press('esc', 'c');
  await skydeck.waitFor('── Copy');
  await skydeck.press('enter');
  await expect.poll(() => skydeck.copied.length).toBe(1);
  await skydeck.press('n');
  await skydeck.waitFor('── New volume');
  await skydeck.fill('Label', 'half-typed');
  await skydeck.press('esc');

  skydeck.demo.setFaults([]);
  await skydeck.press('ctrl-r');
  await skydeck.waitFor((text) => !says(banner)(text));
  await skydeck.press('n');
  await skydeck.waitFor(/Label \* +half-typed/);
});

test('the page of a row that cannot be read says how to try again', async () => {
  const skydeck = await openSkydeck({
    ...size,
    demo: { faults: ['errors:1'] },
    place: { area: 'volumes', id: '610001' },
  });
  await skydeck.waitFor(says(/volumes\/610001 .*ctrl-r tries again\./));
  skydeck.demo.setFaults([]);
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('archive-2023');
});

test('a question keeps its lines: that the API does not answer is said beneath it in one', async () => {
  const skydeck = await open('volumes', 'archive-2023', { columns: 60, rows: 16 });
  await skydeck.pointAt('archive-2023');
  await skydeck.press('d');
  await skydeck.waitFor('── Delete');
  skydeck.demo.setFaults(['drops:1']);
  /** The lines of the banner: its first one has a mark, and the footer is the last of the screen. */
  const told = () => {
    const lines = skydeck.text().trimEnd().split('\n');
    const first = lines.findIndex((line) => line.startsWith(' ✗ The API cannot be reached.'));
    return first < 0 ? 0 : lines.length - 1 - first;
  };
  await skydeck.waitFor(() => told() > 0, { timeoutMs: 20_000 });
  expect(told()).toBe(1);
  await skydeck.press('esc');
  await skydeck.waitFor(() => told() === 2);
});

test('a clock that is wrong is told of, and changes nothing', async () => {
  const skydeck = await open('volumes', 'archive-2023', { demo: { faults: ['skew:1'] } });
  await skydeck.waitFor(
    says(/The clock of this machine is \d h \S* ?(ahead of|behind) the clock of the API; ages will be wrong\. Set/),
  );
  await skydeck.press('ctrl-r');
  await skydeck.goTo('servers');
  await skydeck.waitFor('api-1');
  expect(skydeck.text()).not.toMatch(/The API|The token|What answers/);
});

test('a change whose answer was lost is looked for as soon as the API can be asked, and not sent again', async () => {
  const skydeck = await open('domains', 'old-shop.example');
  const received = changesAt(skydeck.demo);
  await newDomain(skydeck, 'orchard.example');
  skydeck.demo.setFaults(['truncated:1']);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(says(/It is unknown whether it was done, and the API does not answer/), { timeoutMs: 20_000 });
  expect(skydeck.text()).toMatch(/Domain \* .*orchard\.example/);

  await skydeck.press('ctrl-s');
  await skydeck.waitFor(says(/Nothing was sent\. It is unknown/), { timeoutMs: 20_000 });
  skydeck.demo.setFaults([]);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(says(/orchard.example is there now: the answer was lost, but it was done; u takes it back/), {
    timeoutMs: 20_000,
  });
  await skydeck.waitFor(() => skydeck.cursorLine().includes('orchard.example'));
  expect(received).toHaveLength(1);
});

test('a change that was surely not done stays in its form and can be sent again', async () => {
  const skydeck = await open('domains', 'old-shop.example');
  const received = changesAt(skydeck.demo);
  await newDomain(skydeck, 'orchard.example');
  skydeck.demo.setFaults(['unavailable:1']);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('The API is under maintenance.');
  skydeck.demo.setFaults([]);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New domain: orchard.example');
  expect(received).toHaveLength(2);
});

async function newDomain(skydeck: Skydeck, name: string): Promise<void> {
  await skydeck.press('n');
  await skydeck.waitFor('Import a domain');
  await skydeck.press('N');
  await skydeck.waitFor('── New domain');
  await skydeck.fill('Domain', name);
  await skydeck.fill('SOA email', 'admin@orchard.example');
}

/** Asks about adding a tag to all volumes. */
async function tagAll(skydeck: Skydeck): Promise<void> {
  await skydeck.press('*', 'a');
  await skydeck.waitFor(/── Actions on \d\d volumes/);
  await skydeck.press('+');
  await skydeck.waitFor(/── Add tags to \d\d volumes/);
  await skydeck.type('fresh');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/── Add tags to \d\d of \d\d volumes[\s\S]*❯all at once/);
  await skydeck.press('end');
}

test.each(['revoked', 'unavailable'])(
  'of many rows none is tried once the API is %s: they stay marked',
  async (fault) => {
    const skydeck = await open('volumes', 'archive-2023');
    await tagAll(skydeck);
    skydeck.demo.setFaults([`${fault}:1`]);
    await skydeck.press('enter');
    await skydeck.waitFor(/── Add tags: 0 of \d\d done, (\d failed, )?\d\d not sent; these stay marked/, {
      timeoutMs: 20_000,
    });
    await skydeck.waitFor(
      says(/All others would be refused as well, so they were not sent\. Once that is mended, the same/),
    );
    expect(skydeck.changes.length).toBeLessThanOrEqual(4);
    skydeck.demo.setFaults([]);
    await skydeck.press('esc');
    await skydeck.waitFor(/marked \d\d/);
  },
);

test('what a maintenance left of many rows is sent by the same again, but for what colleagues did meanwhile', async () => {
  let left = 2;
  const quiet = await startQuietDemo();
  const away = ({ method }: { method: string }) => method === 'PUT' && left-- <= 0;
  const refuse = (asked: { method: string }) => (away(asked) ? refusal(503, 'Maintenance.') : undefined);
  const api = await startOtherApi(() => undefined, refuse, quiet);
  const skydeck = await open('volumes', 'archive-2023', { demo: api });
  await tagAll(skydeck);
  await skydeck.press('enter');
  await skydeck.waitFor(/── Add tags: 2 of \d\d done, .*not sent; these stay marked/);
  const rows = rowsOf((await skydeck.elsewhere('GET', '/volumes')).data);
  const others = rows.filter(({ tags, server_id }) => !(tags as string[]).includes('fresh') && server_id === null);
  const [gone, same, other] = others.map(({ id }) => `/volumes/${id}`);
  await skydeck.elsewhere('DELETE', String(gone));
  left = 1000;
  await skydeck.elsewhere('PUT', String(same), { tags: ['fresh'] });
  await skydeck.elsewhere('PUT', String(other), { tags: ['theirs'] });
  await skydeck.press('esc');
  await skydeck.waitFor(/marked \d\d/);
  await skydeck.press('a');
  await skydeck.waitFor(/── Actions on \d\d volumes/);
  await skydeck.press('+');
  await skydeck.waitFor(/── Add tags to \d\d volumes[\s\S]*fresh/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/── Add tags to \d\d of \d\d volumes/);
  await skydeck.waitFor('1 skipped: Tags to add: it has them already.');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/marked 1\b/);
  const sent = skydeck.changes.filter(({ status }) => status === 200).map(({ path }) => path);
  expect([sent.length, new Set(sent).size]).toEqual([22, 22]);
  expect(sent.filter((path) => path === gone || path === same)).toEqual([]);
  expect(skydeck.changes.find(({ path }) => path === other)?.body).toEqual({ tags: ['theirs', 'fresh'] });
});

test('the line of progress tells until when a limit of the rate is waited for', async () => {
  const skydeck = await open('volumes', 'archive-2023');
  await tagAll(skydeck);
  skydeck.demo.setFaults(['limits:1']);
  await skydeck.press('enter');
  await skydeck.waitFor(/◐ Add tags to \d\d volumes .* asked to wait until \d\d:\d\d:\d\d/);
  skydeck.demo.setFaults([]);
  await skydeck.waitFor((text) => !text.includes('asked to wait until'), { timeoutMs: 30_000 });
});
