import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/error.ts';
import { fitSpans } from '../../src/components/spans.ts';
import { themeNamed } from '../../src/components/theme.ts';
import { secondsLeft } from '../../src/resources/account/events.ts';
import { bucketMs, dayBuckets } from '../../src/resources/compute/load.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Problem } from '../../src/resources/problems/rule.ts';
import type { Day, LoadDay, Row } from '../../src/resources/resource.ts';
import { rules } from '../../src/resources/rules/index.ts';
import { filterFor } from '../../src/screens/home/countLines.ts';
import { drawTiles, placeTiles } from '../../src/screens/home/drawTiles.ts';
import { linkToEvent } from '../../src/screens/home/eventTiles.ts';
import {
  type HomeData,
  headingLine,
  itemLine,
  lineSpans,
  linkToList,
  type QueryState,
  summaryLine,
  type Tile,
  type TileLine,
  type TileName,
} from '../../src/screens/home/tile.ts';
import { homeTiles, tileResources } from '../../src/screens/home/useHomeData.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { type Further, knowing, type Lists, present } from '../resources/known.ts';

const failure = (status?: number) =>
  new ApiError({ kind: 'answer', method: 'GET', path: '/volumes', message: 'It failed.', status });
const read: QueryState = { loading: false, loadedAt: present };
const refused: QueryState = { loading: false, error: failure(403) };

const found = (problems: readonly Problem[], acknowledged: readonly Problem[] = []): HomeData['problems'] => ({
  problems,
  acknowledged,
  examinedAt: present,
});

type Given = Partial<Omit<HomeData, 'view'>> & Pick<Further, 'events' | 'now'> & { lists?: Lists };

/** Everything home is drawn from: all is read and nothing is wrong when nothing else is said. */
const dataOf = ({ lists, events, now, ...others }: Given = {}): HomeData => ({
  view: knowing(lists, { events, now }),
  queryState: () => read,
  problems: found([]),
  unexamined: [],
  fleet: { dayOf: () => undefined, requested: () => [] },
  readOnly: false,
  glyphs: 'unicode',
  ...others,
});

const tileOf = (name: TileName, data: HomeData): Tile => {
  const found = homeTiles(data).find((tile) => tile.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

const penOf = (width: number) => ({ theme: themeNamed('dark', 'unicode', true), now: present, width });
const written = (spans: readonly { text: string }[]) =>
  spans
    .map(({ text }) => text)
    .join('')
    .trimEnd();
const drawn = (line: TileLine | undefined, width: number, isCurrent = false) =>
  line ? written(lineSpans(line, penOf(width), isCurrent)) : '';
const linesOf = (tile: Tile, width = 60) => tile.lines.map((line) => drawn(line, width));
const headOf = (tile: Tile, width = 60) => drawn(headingLine(tile), width).replace(/ ─+$/, '');
const briefly = (tile: Tile, width = 60) => drawn(summaryLine(tile), width);

const problem = (id: number, changes: Partial<Problem> = {}): Problem => ({
  id: `server-stopped ${id}`,
  severity: 'critical',
  rule: 'server-stopped',
  resource: 'servers',
  params: { serverId: String(id) },
  label: `web-${id}`,
  says: `web-${id} is stopped`,
  ...changes,
});

describe('problems', () => {
  test('where nothing could be read nobody says that nothing is wrong', () => {
    const tile = tileOf('problems', dataOf({ queryState: () => ({ loading: false, error: failure(500) }) }));
    expect(headOf(tile)).toBe('  Problems  not read');
    expect(linesOf(tile)).toEqual(['  Nothing could be examined.']);
    expect(tile.note).toContain('(not read)');
  });

  const problems = [
    problem(1, { since: present - 3 * 3_600_000 }),
    problem(2, {
      severity: 'warning',
      resource: 'nodebalancer-configs',
      label: 'port 80',
      says: 'Port 80 of lb is down',
    }),
    problem(3, { severity: 'notice' }),
    problem(4, { severity: 'notice' }),
  ];

  test('are counted by severity, and each says what is wrong with what since when', () => {
    const tile = tileOf('problems', dataOf({ problems: found(problems) }));
    expect(headOf(tile)).toBe('  Problems  ✗ 1 critical  ! 1 warning  ○ 2 notices');
    expect(linesOf(tile, 80)[0]).toMatch(/^ {2}✗ critical {2}web-1 is stopped +3 h$/);
    expect(linesOf(tile, 60)[0]).toMatch(/^ {2}✗ web-1 is stopped +3 h$/);
    expect(linesOf(tile, 120)[1]).toMatch(/^ {2}! warning {3}NodeBalancer config +Port 80 of lb is down$/);
  });

  test('the name of the object stands out in the sentence', () => {
    const [first, second] = tileOf('problems', dataOf({ problems: found(problems) })).lines;
    expect(first?.draw(penOf(80), false)).toContainEqual({ text: 'web-1', role: 'accent' });
    expect(second?.draw(penOf(80), true)).toContainEqual({ text: 'Port 80', role: 'cursor' });
  });

  test('lead to their pages', () => {
    const [first] = tileOf('problems', dataOf({ problems: found(problems) })).lines;
    const params = { problemId: 'server-stopped 1' };
    expect(first?.link).toEqual({ place: { screen: 'detail', resource: 'problems', params, tab: 'overview' } });
  });

  test('three of a kind are one line, which names some and leads to all; the counts stay those of problems', () => {
    const same = [5, 6, 7, 8].map((id) => problem(id));
    const tile = tileOf('problems', dataOf({ problems: found([...same, ...problems]) }));
    expect(headOf(tile)).toContain('✗ 5 critical');
    expect(linesOf(tile, 140)[0]).toMatch(
      /✗ critical +server +5 servers are stopped; the platform does this for maintenance ▸ web-5, web-6 and 3 more/,
    );
    expect(tile.lines[0]?.link?.filter).toBe('rule=server-stopped severity:critical');
    expect(tile.lines).toHaveLength(4);
  });

  test('under the cursor a sentence takes the room of the other columns rather than being cut', () => {
    const says = 'web-1 is stopped, and nobody knows for how long it has been so or why that may be, alas';
    const [line] = tileOf('problems', dataOf({ problems: found([problem(1, { says })]) })).lines;
    expect(drawn(line, 100)).toMatch(/critical +server +web-1 is .*…$/);
    expect(drawn(line, 104, true)).toContain(says);
    // The age goes first, then the blank behind the kind, and the kind where the sentence is whole by that.
    expect(drawn(line, 112, true)).toMatch(new RegExp(`critical +server {2}${says}`));
    expect(drawn(line, 97, true)).toMatch(/critical +server {2}web-1 is .*…$/);
  });

  test('the kind of the object stands there wherever 96 cells are', () => {
    const [line] = tileOf('problems', dataOf({ problems: found(problems) })).lines;
    for (const width of [96, 104, 120]) expect(drawn(line, width)).toMatch(/critical +server +web-1/);
    // The age is at the far edge, or before the sentence where that edge is far away.
    expect(drawn(line, 149)).toMatch(/server +web-1 is stopped +3 h$/);
    expect(drawn(line, 200)).toMatch(/server +3 h {2}web-1 is stopped$/);
  });

  test('those that have no room are counted', () => {
    const many = Array.from({ length: 4000 }, (_, index) => problem(index, { rule: `rule-${index}` }));
    const data = dataOf({ problems: found(many) });
    const [placed] = placeTiles(homeTiles(data), 80, 22);
    expect(placed?.lines.map((line) => drawn(line, 80)).at(-1)).toBe('  3 997 more');
  });

  test('where there are none, it says what was examined and what was not', () => {
    const tile = tileOf(
      'problems',
      dataOf({
        lists: { servers: [{ id: 1 }, { id: 2 }], domains: [{ id: 1 }] },
        unexamined: [
          { resource: 'records', operation: 'list', count: 940, of: 940 },
          { resource: 'servers', operation: 'transfer', count: 1, of: 1 },
        ],
        queryState: (name) => (name === 'images' ? refused : read),
      }),
    );
    expect(linesOf(tile, 80)).toEqual(['  Nothing is wrong in what was examined.', '  Examined: 2 servers, 1 domain.']);
    expect(tile.note).toBe('Not examined: records of 940 domains; transfer of 1 server; images (not allowed).');
  });

  test('only where all was examined it says that nothing is wrong', () => {
    const lists = { servers: [{ id: 1 }] };
    expect(linesOf(tileOf('problems', dataOf({ lists })))[0]).toBe('  ● Nothing is wrong.');
    const partly = dataOf({ lists, queryState: (name) => (name === 'servers' ? read : refused) });
    expect(linesOf(tileOf('problems', partly))[0]).toBe('  Nothing is wrong in what was examined.');
  });

  test('those that somebody knows of are counted, not told', () => {
    const tile = tileOf('problems', dataOf({ problems: found([], problems) }));
    expect(headOf(tile)).toBe('  Problems  4 acknowledged');
    expect(linesOf(tile, 80)[0]).toBe('  ● Nothing else is wrong.');
    const both = tileOf('problems', dataOf({ problems: found([problem(9)], problems) }));
    expect(headOf(both)).toBe('  Problems  ✗ 1 critical  4 acknowledged');
    expect(both.lines).toHaveLength(1);
  });

  test('while more is examined, their counts are told not to be the last ones', () => {
    const warnings = [problem(1, { severity: 'warning' })];
    const some = tileOf('problems', dataOf({ problems: found(warnings), isExamining: true }));
    expect(headOf(some)).toBe('  Problems  examining …  ! 1 warning');
    expect(headOf(tileOf('problems', dataOf({ problems: found(warnings) })))).toBe('  Problems  ! 1 warning');
    const none = tileOf('problems', dataOf({ isExamining: true }));
    expect([headOf(none), linesOf(none)[0]]).toEqual(['  Problems  examining …', '  Nothing is found so far.']);
  });

  test('nothing is said to be well before it was examined', () => {
    const tile = tileOf('problems', dataOf({ problems: { problems: [], acknowledged: [] } }));
    expect(linesOf(tile).join('\n')).not.toContain('Nothing is wrong');
  });
});

describe('servers', () => {
  const server = (id: number, status: string | undefined, region = 'us-east'): Row => ({
    id,
    label: `web-${id}`,
    status,
    region,
  });
  const rows = [
    server(1, 'running'),
    server(2, 'offline'),
    server(3, 'Running'),
    server(4, 'booting'),
    server(5, 'stopped', 'eu-west'),
    server(6, undefined),
  ];

  test('are counted by status, the most frequent first', () => {
    const tile = tileOf('servers', dataOf({ lists: { servers: rows } }));
    expect(headOf(tile)).toBe('  Servers  6');
    expect(linesOf(tile).map((line) => line.replace(/\s+[█▌]*$/, ''))).toEqual([
      '  ● running             2',
      '  ◐ booting             1',
      '  ○ offline             1',
      '  ! stopped             1',
      '  ? unknown             1',
    ]);
    expect(briefly(tile)).toBe('  Servers        6  ! 1  ● 2  ◐ 1  ○ 1  ? 1');
  });

  test.each(['running', 'not ready', 'shutting_down'])('lead to the rows that are %s', (status) => {
    const { columns } = resourceNamed('servers');
    const filter = parseFilter(filterFor('Status', status), columns, knowing());
    if ('error' in filter) throw new Error(filter.error);
    expect([server(1, status), server(2, 'offline')].filter(filter.matches)).toEqual([server(1, status)]);
    const [line] = tileOf('servers', dataOf({ lists: { servers: [server(1, status)] } })).lines;
    expect(line?.link?.filter).toBe(filterFor('Status', status));
  });

  test('are counted by region, and outages are told', () => {
    const regions = [
      { id: 'us-east', status: 'ok' },
      { id: 'eu-west', status: 'outage' },
    ];
    const tile = tileOf('regions', dataOf({ lists: { servers: rows, regions } }));
    expect(headOf(tile)).toBe('  Regions  servers in 2  ✗ 1 outage');
    expect(tile.lines[0]?.draw(penOf(60), false)[0]).toMatchObject({
      text: expect.stringContaining('✗ eu-west'),
      role: 'bad',
    });
    expect(linesOf(tile, 30)).toEqual(['  ✗ eu-west             1  ▌', '  us-east               5  ██▌']);
    expect(briefly(tile)).toBe('  Regions        ✗ 1 outage  eu-west 1');
  });

  test('stand beside no outage of a region that they are not in', () => {
    const regions = [{ id: 'ap-south', status: 'outage' }];
    const tile = tileOf('regions', dataOf({ lists: { servers: rows, regions } }));
    expect(briefly(tile)).toBe('  Regions        ✗ 1 outage  0 servers');
    expect(linesOf(tile, 30)).toHaveLength(2);
  });

  test('an account without any is told how to begin, unless it is read-only', () => {
    expect(linesOf(tileOf('servers', dataOf())).join('\n')).toContain('n makes the first');
    expect(linesOf(tileOf('servers', dataOf({ readOnly: true }))).join('\n')).not.toContain('n makes');
  });
});

describe('every tile', () => {
  const small: readonly TileName[] = [
    'servers',
    'regions',
    'fleet',
    'nodebalancers',
    'managed',
    'storage',
    'money',
    'tickets',
  ];

  test.each([
    ['…', undefined],
    ['…', { loading: true }],
    ['not allowed', refused],
    ['not read', { loading: false, error: failure() }],
  ] satisfies [string, QueryState | undefined][])('says %s while there is nothing to tell', (words, reading) => {
    for (const name of small)
      expect(briefly(tileOf(name, dataOf({ queryState: () => reading }))), name).toContain(words);
  });

  test('goes on to show what was read when reading it again fails', () => {
    const reading = { ...read, error: failure(500) };
    const tile = tileOf(
      'servers',
      dataOf({ lists: { servers: [{ id: 1, status: 'running' }] }, queryState: () => reading }),
    );
    expect(headOf(tile)).toBe('  Servers  1');
  });

  test('looks at nothing that is not read for the rules of problems', () => {
    const looked = new Set<string>();
    const one = [{ id: 1, status: 'open' }];
    const data = dataOf({ lists: { nodebalancers: one, tickets: one, account: one }, problems: found([problem(1)]) });
    const noting = (name: string) => {
      looked.add(name);
      return data.view.rows(name);
    };
    const lists = (name: string) => {
      looked.add(name);
      return data.view.lists(name);
    };
    homeTiles({ ...data, view: { ...data.view, rows: noting, lists } });
    const needed = new Set(rules.flatMap(({ of, reads = [] }) => [of, ...reads]));
    expect([...looked].sort()).toEqual([...tileResources].sort());
    // Replies tell more of a ticket once it was opened.
    expect(tileResources.filter((name) => !needed.has(name))).toEqual(['replies']);
  });

  test.each([60, 80, 120, 200])('is drawn within %i cells, whatever the strings', (width) => {
    const hostile = '\u001b[31m消費税\u202e'.repeat(20);
    const row: Row = {
      id: 1,
      label: hostile,
      status: hostile,
      region: hostile,
      summary: hostile,
      updated: hostile,
      date: hostile,
    };
    const data = dataOf({
      problems: found([problem(1, { label: hostile, says: hostile })]),
      events: [
        event({ entity: { type: 'server', id: 1, label: hostile }, message: hostile }),
        event({ status: 'finished', username: hostile }),
      ],
      lists: Object.fromEntries(
        [
          'servers',
          'regions',
          'nodebalancers',
          'managed-services',
          'volumes',
          'images',
          'buckets',
          'tickets',
          'invoices',
          'account',
        ].map((name) => [name, [name === 'tickets' ? { ...row, status: 'open' } : row]]),
      ),
    });
    const placed = placeTiles(homeTiles(data), width, 58);
    const draw = drawTiles(placed, { theme: themeNamed('dark', 'unicode', true), now: present, width, height: 58 });
    for (const line of placed.flatMap(({ lines }) => lines)) {
      for (const drawn of draw(line)) {
        expect(stringWidth(drawn)).toBe(width);
        expect(drawn).not.toContain('\u001b[31m消');
      }
    }
  });
});

describe('fleet', () => {
  const load = (values: readonly number[], last?: number): LoadDay => ({
    buckets: Float32Array.from({ length: dayBuckets }, (_, index) => values[index % values.length] ?? Number.NaN),
    last,
  });
  const day = (cpu: LoadDay, bits: number, until = present): Day => ({
    until,
    cpu,
    networkIn: load([bits], bits),
    networkOut: load([bits * 2], bits * 2),
    io: load([1], 1),
  });
  const days: Readonly<Record<string, Day>> = {
    '1': day(load([10], 10), 1e6),
    '2': day(load([200], 200), 2e6),
    '3': day(load([Number.NaN]), 0, present - bucketMs),
  };
  const servers = [
    { id: 1, specs: { vcpus: 1 } },
    { id: 2, specs: { vcpus: 4 } },
    { id: 3, specs: { vcpus: 1 } },
    { id: 4, specs: { vcpus: 1 } },
  ];
  const tile = tileOf(
    'fleet',
    dataOf({ lists: { servers }, fleet: { dayOf: (id) => days[id], requested: () => Object.keys(days) } }),
  );

  test('tells the CPU of the servers for their processors, the traffic of all, and of how many that is known', () => {
    expect(headOf(tile)).toBe('  Fleet  3 of 4 measured');
    expect(linesOf(tile, 60).map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^ CPU █+ median 10% p95 50%$/),
      expect.stringMatching(/^ In [▁-█]+ 3 Mbit\/s$/),
      expect.stringMatching(/^ Out [▁-█]+ 6 Mbit\/s$/),
    ]);
    expect(briefly(tile)).toBe('  Fleet 3/4      CPU 10%  p95 50%');
    expect(briefly(tile, 25)).toBe('  Fleet 3/4      CPU 10%');
    expect(briefly({ ...tile, short: 'Fleet 300/12 345' }, 29)).toBe('  Fleet 300/12 345  CPU 10%');
    expect(tile.link?.place).toEqual({ screen: 'fleet' });
  });

  test('while nothing is known of any, it says of how many', () => {
    const data = dataOf({ lists: { servers } });
    expect(briefly(tileOf('fleet', data))).toBe('  Fleet          0 of 4 measured');
    expect(tileOf('fleet', data).lines).toEqual([]);
  });
});

describe('NodeBalancers', () => {
  const nodebalancers = [
    { id: 1, label: 'api' },
    { id: 2, label: 'web' },
    { id: 3, label: 'idle' },
    { id: 4, label: 'later' },
  ];
  const configs = (id: string, ...all: Row[]) => ({ params: { nodeBalancerId: id }, rows: all, whole: true });
  const tile = tileOf(
    'nodebalancers',
    dataOf({
      lists: {
        nodebalancers,
        'nodebalancer-configs': [
          configs('1', { id: 1, nodes_status: { up: 2, down: 0 } }),
          configs('2', { id: 2, nodes_status: { up: 3, down: 1 } }, { id: 3, nodes_status: { up: 1, down: 1 } }),
          configs('3'),
        ],
      },
    }),
  );

  test('in a wide line the end of an item stands near its name', () => {
    const link = linkToList('nodebalancers');
    const item = (width: number, name = 'web-lb') =>
      drawn(itemLine('x', link, { text: '● ' }, name, '7 up 1 down'), width);
    expect(item(30)).toMatch(/^ {2}● web-lb +7 up 1 down$/);
    expect(item(30)).toHaveLength(30);
    expect(item(200)).toBe(item(34));
    // A long name has the room that it needs.
    expect(item(200, 'w'.repeat(50))).toBe(`  ● ${'w'.repeat(50)}  7 up 1 down`);
  });

  test('tell how many nodes are down, the worst first, and how many are known', () => {
    expect(headOf(tile)).toBe('  NodeBalancers  4  ✗ 2 of 8 nodes down  3 of 4 read');
    expect(linesOf(tile, 40).map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      ' ✗ web 4 up 2 down',
      ' ● api 2 up',
      ' ○ idle no ports',
      ' later …',
    ]);
  });

  test('while no port of any was read, no number of nodes is told', () => {
    expect(briefly(tileOf('nodebalancers', dataOf({ lists: { nodebalancers } })))).toBe('  NodeBalancers  0 of 4 read');
  });
});

describe('storage, managed, money and tickets', () => {
  test('volumes that nothing uses stand out, and public images are nobody’s', () => {
    const tile = tileOf(
      'storage',
      dataOf({
        lists: {
          volumes: [
            { id: 1, size: 100, server_id: 7 },
            { id: 2, size: 24, server_id: null },
          ],
          images: [
            { id: 'private/1', size: 2048, is_public: false },
            { id: 'server/debian12', size: 9999, is_public: true },
          ],
          buckets: [{ label: 'a', cluster: 'us-east-1', size: 2 ** 30, objects: 12345 }],
          'object-storage': [{ used: 2 ** 39 }],
        },
      }),
    );
    expect(linesOf(tile).map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      ' Volumes 2 1 unattached 124 GiB',
      ' Images 1 2 GiB',
      ' Buckets 1 1 GiB 12 345 objects',
      ' Sent out 512 GiB 50% of the pool',
    ]);
  });

  test('an account without managed monitoring has no such tile', () => {
    expect(homeTiles(dataOf()).map(({ name }) => name)).not.toContain('managed');
  });

  test('issues are open as long as their ticket is', () => {
    const issue = (id: number) => ({
      id,
      created: '2024-05-01T11:00:00',
      services: [1],
      entity: { type: 'ticket', id },
    });
    const tile = tileOf(
      'managed',
      dataOf({
        lists: {
          'managed-services': [
            { id: 1, status: 'ok' },
            { id: 2, status: 'problem' },
          ],
          'managed-issues': [issue(1), issue(2)],
          tickets: [
            { id: 1, status: 'closed' },
            { id: 2, status: 'open' },
          ],
        },
      }),
    );
    expect(headOf(tile)).toBe('  Managed  ✗ 1 problem  ● 1 ok');
    expect(linesOf(tile)[1]).toMatch(/Open issues +1 {2}1 h ago/);
  });

  test.each([
    [12.5, 'Balance $12.50 due', '$12.50 due'],
    [0, 'Balance $0.00 nothing due', 'nothing due'],
    [-5, 'Balance $5.00 credit', '$5.00 credit'],
  ])('a balance of %d is told in words', (balance, line, summary) => {
    const account = [{ email: 'a@example.com', balance, balance_uninvoiced: 3 }];
    const invoices = [
      { id: 1, date: '2024-03-01T00:00:00', total: 7 },
      { id: 2, date: '2024-04-01T00:00:00', total: 9 },
    ];
    const tile = tileOf('money', dataOf({ lists: { account, invoices } }));
    const [first, , last] = linesOf(tile).map((text) => text.trim().replaceAll(/\s+/g, ' '));
    expect(first).toBe(line);
    expect(last).toBe('Last invoice $9.00 2024-04-01');
    expect(briefly(tile)).toContain(summary);
  });

  test('tickets that wait for an answer come first', () => {
    const ticket = (id: number, changes: Row): Row => ({
      id,
      summary: `matter ${id}`,
      status: 'open',
      closable: true,
      opened_by: 'me',
      updated_by: 'me',
      updated: '2024-05-01T11:00:00',
      ...changes,
    });
    const long = { summary: 'a matter of more words than others', updated: '2024-05-01T11:55:00' };
    const tickets = [ticket(1, long), ticket(2, { updated_by: 'staff' }), ticket(3, { status: 'closed' })];
    const tile = tileOf('tickets', dataOf({ lists: { tickets } }));
    expect(headOf(tile)).toBe('  Tickets  2 open  ! 1 waiting for you');
    expect(linesOf(tile)[0]).toMatch(/^ {2}! matter 2 +1 h$/);
    // Their ages are below each other.
    expect(linesOf(tile).map(({ length }) => length)).toEqual([45, 45]);
    expect(tile.lines[0]?.link?.place).toMatchObject({
      screen: 'detail',
      resource: 'tickets',
      params: { ticketId: '2' },
    });
  });
});

const event = (changes: Row): Row => ({
  id: 7,
  action: 'server_resize',
  status: 'started',
  created: '2024-05-01T11:55:00',
  entity: { type: 'server', id: 12, label: 'web-7' },
  username: 'operator',
  ...changes,
});

describe('events', () => {
  const itself = { screen: 'detail', resource: 'events', params: { eventId: '7' }, tab: 'overview' };

  test('lead to what they are about, and to themselves where that is gone or unknown', () => {
    const about = { screen: 'detail', resource: 'servers', params: { serverId: '12' }, tab: 'overview' };
    expect(linkToEvent(event({})).place).toEqual(about);
    expect(linkToEvent(event({ action: 'server_delete' })).place).toEqual(about);
    expect(linkToEvent(event({ action: 'server_delete', status: 'finished' })).place).toEqual(itself);
    expect(linkToEvent(event({ entity: { type: 'community', id: 1 } })).place).toEqual(itself);
    expect(linkToEvent(event({ entity: null })).place).toEqual(itself);
  });

  test.each([
    ['0:3:20', 200],
    ['1:0:5', 3605],
    ['soon', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%s are %s seconds', (text, seconds) => expect(secondsLeft(text)).toBe(seconds));

  test('say how far they are and how long they take', () => {
    const events = [
      event({ percent_complete: 31, rate: '464.00 MB/s', time_remaining: '0:3:20' }),
      event({ percent_complete: null }),
      event({ status: 'finished', username: 'someone' }),
    ];
    const data = dataOf({ events });
    const [going, unknown] = linesOf(tileOf('happening', data), 120);
    expect(going).toMatch(/server resize +web-7 +█+▌?░+ +31% +464 MB\/s +3 min 20 s left$/);
    expect(unknown).toContain('····');
    expect(headOf(tileOf('happening', data))).toBe('  Happening now  2');
    expect(linesOf(tileOf('activity', data), 120)).toEqual([
      expect.stringMatching(/finished +5 min +server resize +web-7 +someone/),
    ]);
  });

  test('three of a kind in a row are one line with their number, and what came before is still in sight', () => {
    const made = (id: number, changes: Row = {}): Row => ({
      id,
      action: 'dns_record_update',
      status: 'finished',
      username: 'someone',
      created: '2026-07-01T11:50:00',
      entity: { type: 'domain', id: 4, label: 'shop.example' },
      ...changes,
    });
    const many = Array.from({ length: 120 }, (_, nth) => made(400 - nth));
    const others = [
      made(9, { username: 'other' }),
      made(8, { username: 'other' }),
      made(7),
      made(6, { status: 'failed' }),
    ];
    const lines = linesOf(tileOf('activity', dataOf({ events: [...many, ...others] })), 80);
    expect(lines.map((line) => line.replace(/^ +\S +in 2 y +/, '').replace(/ +/g, ' '))).toEqual([
      'DNS record update 120× shop.example someone',
      'DNS record update shop.example other',
      'DNS record update shop.example other',
      'DNS record update shop.example someone',
      'DNS record update shop.example someone',
    ]);
  });

  test('as far back as they are known, and no further, nothing is said to be in progress', () => {
    const since = new Date(dataOf({}).view.now).setHours(11, 25, 0, 0);
    const said = (isReading: boolean, isProgressKnown: boolean) => {
      const data = dataOf({ eventsReach: { since, isReading, isProgressKnown } });
      return [...linesOf(tileOf('happening', data)), headOf(tileOf('activity', data))];
    };
    expect(said(true, false)).toEqual([
      '  Nothing begun since 11:25 is in progress; reading on …',
      '  Activity  known since 11:25 …',
    ]);
    expect(said(false, false)).toEqual([
      '  Nothing begun since 11:25 is in progress.',
      '  Activity  known since 11:25',
    ]);
    expect(said(false, true)).toEqual(['  Nothing is in progress.', '  Activity  known since 11:25']);
    expect(linesOf(tileOf('happening', dataOf({})))).toEqual(['  Nothing is in progress.']);
  });

  test('why there are none is told', () => {
    const data = dataOf({ noEventsReason: 'Reading events …' });
    for (const name of ['happening', 'activity'] as const)
      expect(linesOf(tileOf(name, data))).toEqual(['  Reading events …']);
  });
});

test('spans fill exactly the cells they are given', () => {
  const spans = [{ text: '消費税' }, { text: 'web', role: 'bad' as const }];
  const drawn = (width: number) =>
    fitSpans(spans, width)
      .map(({ text }) => text)
      .join('');
  for (const width of [0, 1, 2, 5, 9, 20]) expect(stringWidth(drawn(width))).toBe(width);
  expect(fitSpans(spans, 12)).toEqual([...spans, { text: '   ' }]);
});

test('a wide line of what happened has the name of the object and of the user whole', () => {
  const entity = { type: 'server', id: 1, label: 'production-database-replica-3' };
  const event = {
    id: 1,
    action: 'server_boot',
    status: 'finished',
    created: '2024-05-01T11:00:00',
    duration: 24,
    entity,
  };
  const tile = tileOf('activity', dataOf({ events: [{ ...event, username: 'deployment-robot-eu' }] }));
  expect(linesOf(tile, 100)[0]).toContain(`${entity.label}`);
  expect(linesOf(tile, 100)[0]).toContain('24 s  deployment-…');
  expect(linesOf(tile, 140)[0]).toMatch(/● finished .* production-database-replica-3 .* 24 s {2}deployment-robot-eu/);
});
