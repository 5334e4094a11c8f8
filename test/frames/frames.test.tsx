import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startQuietDemo } from '../journeys/skydeck.ts';
import { memoryState } from '../store/keptState.ts';
import { expectFrame } from './golden.ts';

vi.stubEnv('TZ', 'UTC');

const now = () => Date.UTC(2026, 4, 13, 12);
const place = { area: 'servers', id: '48200125' };

let demo: Demo;
let bare: Demo;
beforeAll(async () => {
  demo = await startQuietDemo({ now, pace: 1, colleagues: true });
  bare = await startQuietDemo({ now, servers: 0 });
});
afterAll(async () => {
  await Promise.all([demo.close(), bare.close()]);
});

/** The overview of api-1 once its volumes are read, or where there is no room for them. */
const serverRead = /volume +api-1-uploads|g6-standard-4\n +Facts ─/;

interface Screen {
  name: string;
  options?: SkydeckOptions | (() => SkydeckOptions);
  /** Seen before any key. */
  first: string | RegExp;
  keys?: readonly string[];
  typed?: string;
  /** Further keys, once this is seen. */
  afterwards?: { seen: RegExp; keys: readonly string[] };
}

const screens: readonly Screen[] = [
  { name: 'servers', options: { place: { area: 'servers' } }, first: 'api-1' },
  { name: 'server', options: { place }, first: serverRead },
  { name: 'graphs', options: { place }, first: serverRead, keys: ['2'] },
  { name: 'fleet', options: { place: { area: 'fleet' } }, first: '40 of 40 known' },
  {
    name: 'chart',
    options: { place: { area: 'fleet' } },
    // The order follows what is known.
    first: /40 of 40 known[\s\S]*LAST.[^\n]*\n. {2}worker-3 /,
    keys: ['space', 'space', 'v'],
  },
  {
    name: 'form',
    options: { place: { area: 'servers' } },
    first: 'api-1',
    keys: ['n'],
    afterwards: { seen: /(?:──|--) New server/, keys: ['tab', 'tab', 'ctrl-s'] },
  },
  { name: 'question', options: { place: { area: 'servers' } }, first: 'api-1', keys: ['d'] },
  { name: 'actions', options: { place: { area: 'servers' } }, first: 'api-1', keys: ['a'] },
  { name: 'palette', options: { place: { area: 'servers' } }, first: 'a month', keys: [':'], typed: 'web' },
  { name: 'help', options: { place: { area: 'servers' } }, first: 'api-1', keys: ['?'] },
  { name: 'empty', options: () => ({ demo: bare, place: { area: 'servers' } }), first: 'There are no servers.' },
  {
    name: 'refused',
    options: { token: 'restricted', place: { area: 'images' } },
    first: 'The token has no permission',
  },
];

/** All is read and examined, and so many statistics as are asked for in a minute. */
const home: Screen = {
  name: 'home',
  first:
    /✗ \d+ critical {2}! \d+ warnings {2}○ \d+ notices(?=[\s\S]*reboot)(?=[\s\S]*✗ 5)(?![\s\S]*Fleet {2}(?!30 of)\d)/,
};

const homeSizes = [
  [60, 16],
  [80, 24],
  [100, 30],
  [120, 40],
  [200, 60],
] as const;

/** Overviews, once all that they show of other lists is read. */
const overviews: readonly Screen[] = [
  {
    name: 'overview-server',
    options: { place: { area: 'servers', id: '48200113' } },
    first: /p95(?=[\s\S]*port 443 +● up)(?=[\s\S]*AAAA web-5)/,
  },
  {
    name: 'overview-nodebalancer',
    options: { place: { area: 'nodebalancers', id: '18305' } },
    first: 'api-3',
    keys: ['1'],
  },
  { name: 'overview-volume', options: { place: { area: 'volumes', id: '610029' } }, first: 'server  api-1' },
  { name: 'overview-domain', options: { place: { area: 'domains', id: '1480201' } }, first: 'www', keys: ['1'] },
  {
    name: 'overview-bucket',
    options: { place: { area: 'buckets', id: 'eu-central-1/assets' } },
    first: 'assets',
    keys: ['1'],
  },
];

const overviewSizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

/** The page of a problem, once the configs and disks that it names are read. */
const problem: Screen = {
  name: 'problem',
  options: { place: { area: 'problems', id: 'server-down 48200191' } },
  first: /Evidence[\s\S]*ready\.[\s\S]*What to do/,
};

const problemSizes = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

/** A plan of three steps, kept by a session before. */
const plan: Screen = {
  name: 'plan',
  options: () => ({ place: { area: 'servers' }, state: planned() }),
  first: 'plan 3',
  keys: [':'],
  typed: 'plan',
  afterwards: { seen: /❯ Plan/, keys: ['enter'] },
};

const asciiPlan: Screen = { ...plan, afterwards: { seen: /> Plan/, keys: ['enter'] } };

const planSizes = [
  [60, 16],
  [80, 24],
  [120, 40],
] as const;

function planned(): SkydeckOptions['state'] {
  const volumeId = '610029';
  const steps = [
    {
      id: 1,
      record: {
        resource: 'servers',
        action: 'resize',
        params: { serverId: '48200125' },
        label: 'api-1',
        body: { type: 'g6-standard-6', allow_auto_disk_resize: true },
        before: { type: 'g6-standard-4' },
      },
    },
    {
      id: 2,
      record: {
        resource: 'volumes',
        action: 'create',
        params: {},
        label: 'api-1-archive',
        body: { label: 'api-1-archive', size: 40, server_id: 48200125, config_id: null, tags: ['api'] },
      },
    },
    {
      id: 3,
      record: {
        resource: 'volumes',
        action: 'delete',
        params: { volumeId },
        label: 'api-1-uploads',
        before: { id: Number(volumeId), label: 'api-1-uploads', tags: ['api', 'prod'] },
      },
    },
  ];
  const values = steps.map((step, place) => [`step-${step.id}`, { place, ...step }]);
  return memoryState({ plan: Object.fromEntries(values) }).session();
}

const memorySizes = [
  [60, 16],
  [80, 24],
] as const;

const sizes = [
  [60, 20],
  [80, 24],
  [160, 50],
] as const;

/** Graphs in the sizes in which there are several: of one server with an event, its month, three servers, and six. */
const graphs: readonly Screen[] = [
  { name: 'events', options: { place }, first: serverRead, keys: ['2'], afterwards: { seen: /LAST/, keys: ['left'] } },
  { name: 'month', options: { place }, first: serverRead, keys: ['2', '<', '<', 'b'] },
  {
    name: 'compareMonth',
    options: { place: { area: 'servers' } },
    first: 'api-1',
    keys: ['space', 'space', 'space', 'v', '<', '<'],
  },
  {
    name: 'compareSix',
    options: { place: { area: 'servers' } },
    first: 'api-1',
    keys: [...Array.from({ length: 6 }, () => 'space'), 'v'],
  },
];

const graphSizes = [
  [120, 40],
  [200, 60],
] as const;

async function open(
  { options, first, keys = [], typed = '', afterwards }: Screen,
  size: SkydeckOptions,
): Promise<Skydeck> {
  const skydeck = await openSkydeck({ demo, now, ...size, ...(typeof options === 'function' ? options() : options) });
  // Home has much to read first.
  await skydeck.waitFor(first, { timeoutMs: 60_000 });
  await skydeck.press(...keys);
  await skydeck.type(typed);
  if (afterwards) {
    await skydeck.waitFor(afterwards.seen);
    await skydeck.press(...afterwards.keys);
  }
  return skydeck;
}

describe.each(sizes)('%i×%i', (columns, rows) => {
  test.each(screens)('$name', async (screen) => {
    const skydeck = await open(screen, { columns, rows });
    await expectFrame(skydeck, screen.name);
  });
});

/** Those with graphs or more columns where there is room. */
const wide = screens.filter(({ name }) => ['servers', 'fleet', 'graphs'].includes(name));

/** Others of the page of screens, in the size of its pictures. */
const pictured = screens.filter(({ name }) => ['palette', 'actions', 'form', 'question'].includes(name));

test.each(pictured)('$name at 120×40', async (screen) => {
  await expectFrame(await open(screen, { columns: 120, rows: 40 }), screen.name);
});

describe.each(graphSizes)('lists and graphs at %i×%i', (columns, rows) => {
  test.each([...wide, ...graphs])('$name', async (screen) => {
    await expectFrame(await open(screen, { columns, rows }), screen.name);
  });
});

describe.each(overviewSizes)('overviews at %i×%i', (columns, rows) => {
  test.each(overviews)('$name', async (screen) => {
    await expectFrame(await open(screen, { columns, rows }), screen.name);
  });
});

test.each(homeSizes)('home at %i×%i', async (columns, rows) => {
  await expectFrame(await open(home, { columns, rows }), home.name);
});

test.each(planSizes)('a plan at %i×%i', async (columns, rows) => {
  await expectFrame(await open(plan, { columns, rows }), plan.name);
});

test.each(memorySizes)('what is remembered of a change at %i×%i', async (columns, rows) => {
  const own = await startQuietDemo({ now, pace: 1 });
  const skydeck = await openSkydeck({ demo: own, now, columns, rows, place });
  await skydeck.waitFor('● running');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1');
  await skydeck.fill('Label', 'api-first');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: api-first');
  await skydeck.press('=');
  await skydeck.waitFor(/Edit[\s\S]* Label +api-1 → api-first/);
  await skydeck.waitFor('Events reach back 90 days');
  await skydeck.waitFor((text) => !text.includes('u takes it back'));
  await expectFrame(skydeck, 'history');
  await skydeck.goTo('journal');
  await skydeck.waitFor(/● done/);
  await expectFrame(skydeck, 'audit');
  await skydeck.press('enter');
  await skydeck.waitFor(/Changed +label: api-1 → api-first/);
  await expectFrame(skydeck, 'audit-change');
  await skydeck.close();
  await own.close();
});

test.each(memorySizes)('two rows field by field at %i×%i', async (columns, rows) => {
  const skydeck = await open(
    {
      name: 'comparison',
      options: { place: { area: 'volumes' } },
      first: 'api-1-uploads',
      keys: ['space', 'space', '='],
      afterwards: { seen: /── Compare two volumes[\s\S]*server_id/, keys: [] },
    },
    { columns, rows },
  );
  await expectFrame(skydeck, 'comparison');
});

test.each(problemSizes)('a problem at %i×%i', async (columns, rows) => {
  await expectFrame(await open(problem, { columns, rows }), problem.name);
});

test('home of an account without servers', async () => {
  await expectFrame(
    await open({ ...home, options: { demo: bare }, first: /Servers +(none|0)[\s\S]*✗ 1/ }, { columns: 80, rows: 24 }),
    'home-bare',
  );
});

test('home of a token that may not read everything', async () => {
  await expectFrame(
    await open(
      { ...home, options: { token: 'restricted' }, first: /Servers +40[\s\S]*not allowed/ },
      { columns: 80, rows: 24 },
    ),
    'home-refused',
  );
});

test('in ASCII no other character is drawn', async () => {
  for (const screen of [home, problem, asciiPlan, ...screens.filter(({ name }) => name !== 'refused')]) {
    const skydeck = await open(
      { ...screen, first: typeof screen.first === 'string' ? screen.first : /40|api-1/ },
      { ascii: true, columns: 100, rows: 30 },
    );
    const others = [...skydeck.text()].filter((character) => !/[\n\x20-\x7e]/.test(character));
    expect(others, `${screen.name}:\n${skydeck.text()}`).toEqual([]);
    await skydeck.close();
  }
});

describe('colours', () => {
  const styleOf = (skydeck: Skydeck, text: string) => {
    const row = skydeck
      .text()
      .split('\n')
      .findIndex((line) => line.includes(text));
    const { fg, bold, inverse, underline } = skydeck.styleAt(row, skydeck.line(row).indexOf(text));
    return { fg, bold, inverse, underline };
  };
  const plain = { fg: 'default', bold: false, inverse: false, underline: false };

  test.each([
    { theme: 'dark', good: { ...plain, fg: 2 }, warn: { ...plain, fg: 3 }, key: { ...plain, fg: 6 }, off: 8 },
    { theme: 'light', good: { ...plain, fg: 2 }, warn: { ...plain, fg: 5 }, key: { ...plain, fg: 4 }, off: 8 },
    {
      theme: 'high-contrast',
      good: { ...plain, fg: 10, bold: true },
      warn: { ...plain, fg: 11, bold: true },
      key: { ...plain, fg: 14, bold: true },
      off: 'default',
    },
    { theme: 'mono', good: plain, warn: plain, key: { ...plain, bold: true }, off: 'default' },
  ])('of the theme $theme', async ({ theme, good, warn, key, off }) => {
    const skydeck = await open(
      { name: 'servers', options: { place: { area: 'servers' } }, first: 'api-1' },
      { rows: 50, theme },
    );
    await skydeck.waitFor('enter open');
    expect(styleOf(skydeck, '● running')).toEqual(good);
    expect(styleOf(skydeck, '! stopped')).toEqual(warn);
    expect(styleOf(skydeck, '○ offline')).toEqual({ ...plain, fg: off });
    expect(styleOf(skydeck, 'enter open')).toEqual(key);
    expect(styleOf(skydeck, 'api-1')).toMatchObject({ inverse: true });
    expect(styleOf(skydeck, 'api-2')).toEqual(plain);
  });
});
