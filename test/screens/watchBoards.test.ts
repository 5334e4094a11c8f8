import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import type { Problem } from '../../src/resources/problems/rule.ts';
import type { Day, LoadDay, Row } from '../../src/resources/resource.ts';
import type { HomeData } from '../../src/screens/home/tile.ts';
import type { WallAccounts } from '../../src/screens/watch/board.ts';
import { type BoardName, boardNames } from '../../src/screens/watch/boardNames.ts';
import { boards } from '../../src/screens/watch/boards.ts';
import { knowing, present } from '../resources/known.ts';

const theme = themeNamed('none', 'unicode', false);
const plain = (line: string) => line.replaceAll(/\x1b\[[\d;]*m/g, '');

const server = (id: number, label: string, status = 'running'): Row => ({
  id,
  label,
  status,
  region: 'us-east',
  type: 'g6-standard-1',
  ipv4: ['192.0.2.1'],
  specs: { vcpus: 1, memory: 2048, disk: 51_200 },
  tags: [],
});
const servers = [
  ...Array.from({ length: 60 }, (_, index) => server(index + 1, `web-${index + 1}`)),
  server(61, 'zoo', 'offline'),
  server(62, 'yak', 'stopped'),
  server(63, 'xen'),
];
const problem = (id: number, severity: Problem['severity'], says: string): Problem => ({
  id: `rule ${id}`,
  severity,
  rule: 'rule',
  resource: 'servers',
  params: { serverId: String(id) },
  label: says,
  says,
});
const config = (id: number, port: number, up: number, down: number): Row => ({
  id,
  port,
  protocol: 'http',
  algorithm: 'roundrobin',
  nodes_status: { up, down },
});
const lists = {
  servers,
  nodebalancers: [
    { id: 1, label: 'good-lb' },
    { id: 2, label: 'bad-lb' },
    { id: 3, label: 'unread-lb' },
  ],
  'nodebalancer-configs': [
    { params: { nodeBalancerId: '1' }, rows: [config(11, 80, 2, 0)], whole: true },
    { params: { nodeBalancerId: '2' }, rows: [config(21, 80, 2, 0), config(22, 443, 1, 2)], whole: true },
  ],
  'managed-services': [
    { id: 1, label: 'fine', status: 'ok', service_type: 'url', address: 'https://a.example' },
    { id: 2, label: 'broken', status: 'problem', service_type: 'url', address: 'https://b.example' },
  ],
  'managed-issues': [
    { id: 7, created: '2024-05-01T10:00:00', services: [2], entity: { id: 9, label: 'broken is down' } },
  ],
};
const events = [
  { id: 2, action: 'server_resize', status: 'started', percent_complete: 40, entity: { label: 'web-7' } },
  { id: 1, action: 'server_boot', status: 'finished', created: '2024-05-01T11:00:00', entity: { label: 'web-3' } },
];
const day = (last: number): LoadDay => ({ buckets: new Float32Array(48).fill(last), last, mean: last, max: last });
const days: Readonly<Record<string, Day>> = Object.fromEntries(
  [1, 2, 3].map((id) => [
    String(id),
    { until: present, cpu: day(id * 10), networkIn: day(1), networkOut: day(1), io: day(1) },
  ]),
);
const full: HomeData = {
  view: knowing(lists, { events }),
  queryState: () => ({ loading: false, loadedAt: present }),
  problems: {
    problems: [
      problem(63, 'critical', 'xen is broken'),
      problem(5, 'warning', 'web-5 is slow'),
      ...Array.from({ length: 80 }, (_, index) => problem(100 + index, 'notice', `notice ${index}`)),
    ],
    acknowledged: [],
    examinedAt: present,
  },
  fleet: { dayOf: (id) => days[id], requested: () => Object.keys(days) },
  unexamined: [],
  readOnly: true,
  glyphs: 'unicode',
};
const empty: HomeData = { ...full, view: knowing(), problems: { problems: [], acknowledged: [], examinedAt: present } };

const boardOf = (name: BoardName) => {
  const found = boards.find((board) => board.name === name);
  if (!found) throw new Error(`there is no board ${name}`);
  return found;
};
const only = (data: HomeData): WallAccounts => [{ profile: 'one', hue: undefined, data }];
const drawn = (name: BoardName, width = 80, height = 21, data = full, page = 0) =>
  boardOf(name)
    .draw(only(data), { theme, now: present, width, height, page })
    .lines.map((line) => plain(line).trimEnd());
const pagesOf = (name: BoardName, width: number, height: number) =>
  boardOf(name).draw(only(full), { theme, now: present, width, height, page: 0 }).pages ?? 1;

const sizes = [
  [80, 21],
  [160, 44],
  [60, 13],
] as const;

test('there is a board for each name, in that order', () => {
  expect(boards.map(({ name }) => name)).toEqual(boardNames);
});

describe.each(sizes)('in %i×%i', (width, height) => {
  test.each(boardNames)('%s fits, with much and with nothing in it', (name) => {
    for (const data of [full, empty]) {
      const { lines } = boardOf(name).draw(only(data), { theme, now: present, width, height, page: 0 });
      expect(lines.length).toBeLessThanOrEqual(height);
      expect(lines.map(plain).filter((line) => stringWidth(line.trimEnd()) > width)).toEqual([]);
      expect(lines.map(plain).join('').trim()).not.toBe('');
    }
  });

  test('every server is on one page of its board, the worst first', () => {
    const pages = Array.from({ length: pagesOf('servers', width, height) }, (_, page) =>
      drawn('servers', width, height, full, page),
    );
    const labels = pages.flatMap((lines) => lines.slice(2).flatMap((line) => line.trim().split(/\s{2,}/)[1] ?? []));
    expect(labels.slice(0, 5)).toEqual(['xen', 'web-5', 'yak', 'zoo', 'web-1']);
    expect(new Set(labels.slice(0, 63)).size).toBe(63);
    expect(pages[0]?.[0]).toMatch(new RegExp(`Servers  1–${height - 2} of 63  [^\\d ]`));
    expect(pages.at(-1)?.[0]).toMatch(/–63 of 63/);
  });

  test('every problem is on one page of its board, the worst first', () => {
    const pages = Array.from({ length: pagesOf('problems', width, height) }, (_, page) =>
      drawn('problems', width, height, full, page).join('\n'),
    );
    expect(pages[0]).toMatch(/^ *Problems .*\n.*xen is broken.*\n.*web-5 is slow/);
    for (let index = 0; index < 80; index++) {
      expect(pages.filter((page) => new RegExp(`notice ${index}\\b`).test(page))).toHaveLength(1);
    }
  });

  test('the other boards have a page more where they have more lines', () => {
    for (const name of boardNames) {
      const pages = pagesOf(name, width, height);
      const all = new Set(
        Array.from({ length: pages }, (_, page) => drawn(name, width, height, full, page).join('\n')),
      );
      expect(all.size).toBe(pages);
    }
  });
});

test('a page that is there no more is the first one', () => {
  expect(drawn('servers', 80, 21, full, 99)).toEqual(drawn('servers', 80, 21));
});

test('what a board leaves free shows what happened last', () => {
  expect(drawn('nodebalancers', 160, 44).join('\n')).toMatch(/good-lb[\s\S]*\n\n[\s\S]*Activity ─[\s\S]*web-3/);
});

test('how busy the servers were, the busiest first', () => {
  const lines = drawn('fleet');
  expect(lines[1]).toMatch(/LABEL .* LAST/);
  expect(lines.slice(2, 5).map((line) => line.trim().split(/\s+/)[0])).toEqual(['web-3', 'web-2', 'web-1']);
  expect(lines).toHaveLength(21);
});

test('balancers with their ports, the worst first', () => {
  const lines = drawn('nodebalancers').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  expect(lines.slice(1, 8)).toEqual([
    '✗ bad-lb 3 up 2 down',
    '✗ port 443 http roundrobin 1 up 2 down',
    '● port 80 http roundrobin 2 up 0 down',
    '● good-lb 2 up',
    '● port 80 http roundrobin 2 up 0 down',
    'unread-lb …',
    '',
  ]);
});

test('managed services, the worst first, and below them the issues', () => {
  const text = drawn('managed').join('\n');
  expect(text).toMatch(
    /✗ problem +broken[\s\S]*● ok +fine[\s\S]*Managed issues +1 ─[\s\S]*2 h +broken +9 broken is down/,
  );
});

test('what goes on above what happened', () => {
  expect(drawn('activity').join('\n')).toMatch(/Happening now +1[\s\S]*web-7[\s\S]*40%[\s\S]*Activity[\s\S]*web-3/);
});

test('only home and the problems have always something to show, and the big board comes by its name', () => {
  const without = boards.filter(({ isEmpty }) => isEmpty(empty.view)).map(({ name }) => name);
  expect(without).toEqual(['servers', 'fleet', 'nodebalancers', 'managed', 'activity', 'big']);
  expect(boards.filter(({ isEmpty }) => isEmpty(full.view)).map(({ name }) => name)).toEqual(['big']);
});

test('the loads of the servers in sight are asked for, and of no others', () => {
  const context = { theme, now: present, width: 160, height: 13, page: 0 };
  const { one: queries = [] } = boardOf('servers').draw(only(full), context).queriesOf ?? {};
  const asked = new Set(queries.map(({ params }) => params.serverId));
  expect(queries.some(({ operation }) => operation === 'stats')).toBe(true);
  expect(asked.size).toBe(11);
});

test('several accounts share a board, each line behind the name of its account; one account has no column for it', () => {
  const parts: WallAccounts = [...only(full), { profile: 'two', hue: undefined, data: full }];
  const context = { theme, now: present, width: 160, height: 44, page: 0 };
  for (const name of ['problems', 'servers', 'nodebalancers', 'activity'] as const) {
    const of = (accounts: WallAccounts) => boardOf(name).draw(accounts, context).lines.map(plain).join('\n');
    expect(of(parts)).toMatch(/^ {2}ACCOUNT .*\n(.*\n)* {2}one .*\n(.*\n)* {2}two /m);
    expect(of(only(full))).not.toMatch(/ACCOUNT/);
  }
});

describe('the big board', () => {
  const dots = (lines: readonly string[], from: number, to: number) =>
    lines.map((line) => line.slice(from, to).trimEnd()).join('\n');

  test('shows five numbers as digits five lines high, with their words', () => {
    const lines = drawn('big', 80, 17);
    expect(dots(lines.slice(1, 8), 0, 24)).toBe(
      ['    ██', '  ████', '    ██', '    ██', '  ██████', '  ✗ critical', ''].join('\n'),
    );
    // In mono as well it is seen which of them are wrong.
    expect(lines.join('\n')).toMatch(/✗ critical +! warnings +! not running\n +of 63 servers/);
    expect(lines.join('\n')).toMatch(/✗ nodes down +CPU %, p95\n +of 7, 2 of 3 NodeBala\S* +3 of 63 measured/);
  });

  test('has no words cut where there is room for one line of them', () => {
    const lines = drawn('big', 60, 13).join('\n');
    expect(lines).toMatch(/^ {2}✗ critical +! warnings +! not running *$/m);
    expect(lines).toMatch(/^ {2}✗ nodes down +CPU %, p95 *$/m);
    expect(lines).not.toContain('…');
  });

  test('its digits grow with the room', () => {
    const longest = (width: number, height: number) =>
      Math.max(...drawn('big', width, height).flatMap((line) => (line.match(/█+/g) ?? []).map(({ length }) => length)));
    expect([longest(60, 13), longest(120, 36), longest(200, 56)]).toEqual([6, 12, 18]);
    expect(drawn('big', 20, 5).map((line) => line.trim().split(' ')[0])).toEqual(['1', '1', '2', '2+', '30']);
  });

  test('tells none only once all is examined, and what is not read not at all', () => {
    const unread = { ...empty, queryState: () => undefined, problems: { problems: [], acknowledged: [] } };
    expect(drawn('big', 20, 5, unread).map((line) => line.trim())).toEqual([
      '– critical  exami…',
      '– warnings  exami…',
      '– not running  no…',
      '– nodes down  not…',
      '– CPU %, p95  not…',
    ]);
    const found = { ...unread, problems: { ...unread.problems, problems: full.problems.problems } };
    expect(drawn('big', 20, 5, found)[0]).toMatch(/^ {2}1\+ critical/);
  });

  test('adds up the accounts of a wall of several', () => {
    const parts: WallAccounts = [...only(full), { profile: 'two', hue: undefined, data: full }];
    const { lines } = boardOf('big').draw(parts, { theme, now: present, width: 20, height: 5, page: 0 });
    expect(lines.map((line) => plain(line).trim().split(' ')[0])).toEqual(['2', '2', '4', '4+', '30']);
  });

  test('tells no account calm that is not open', () => {
    const context = { theme, now: present, width: 40, height: 5, page: 0, isPartial: true };
    const { lines } = boardOf('big').draw(only(empty), context);
    expect(lines.map((line) => plain(line).trim())).toEqual([
      '– critical  not of all accounts',
      '– warnings  not of all accounts',
      '– not running  of 0 servers',
      '– nodes down  of 0',
      '– CPU %, p95  not measured',
    ]);
  });
});
