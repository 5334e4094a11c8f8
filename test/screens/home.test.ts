import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import type { Known, Row } from '../../src/resources/resource.ts';
import {
  boards,
  countsOf,
  filterFor,
  problemsOf,
  secondsLeft,
  towardsCount,
  towardsEvent,
  towardsProblem,
} from '../../src/screens/home/home.ts';
import { activityLine, countLine, problemLine, progressLine } from '../../src/screens/home/homeLines.ts';
import type { Event } from '../../src/store/events.ts';
import { filterOf } from '../../src/store/filter.ts';

const loaded = (collections: Readonly<Record<string, readonly Row[]>>): Known => ({
  now: 0,
  rows: (resource) => collections[resource] ?? [],
  row: (resource, id) => collections[resource]?.find((row) => row.id === id),
  gone: () => [],
});
const nothing = loaded({});
const server = (id: number, status: string, region = 'us-east'): Row => ({ id, label: `web-${id}`, status, region });
const [byStatus] = boards;
if (!byStatus) throw new Error('nothing is counted');

describe('counts', () => {
  const rows = [server(1, 'running'), server(2, 'offline'), server(3, 'running'), server(4, 'booting'), { id: 5 }];

  test('come by frequency, then by name, those without a status as well', () => {
    expect(countsOf(rows, byStatus.column, nothing)).toEqual([
      { value: 'running', count: 2 },
      { value: 'booting', count: 1 },
      { value: 'offline', count: 1 },
      { value: 'unknown', count: 1 },
    ]);
  });

  test.each(['running', 'not ready', 'shutting_down'])('lead to the rows that are %s', (status) => {
    const { columns } = byStatus.resource;
    const filter = filterOf(filterFor(byStatus.column, status), columns, nothing);
    if ('error' in filter) throw new Error(filter.error);
    expect([server(1, status), server(2, 'offline')].filter(filter.matches)).toEqual([server(1, status)]);
  });

  test('the heading leads to all rows', () => {
    expect(towardsCount(byStatus)).toEqual({ place: { screen: 'list', resource: 'servers', params: {} }, filter: '' });
  });
});

describe('problems', () => {
  const regions = [
    { id: 'us-east', status: 'ok' },
    { id: 'eu-west', status: 'outage' },
    { id: 'ap-south', status: 'outage' },
  ];

  test('are rows of anything loaded whose status is bad, one line for each status', () => {
    const problems = problemsOf(loaded({ regions, servers: [server(1, 'running'), server(2, 'failed')] }));
    expect(problems.map(({ resource, status, rows }) => [resource.name, status, rows.length])).toEqual([
      ['servers', 'failed', 1],
      ['regions', 'outage', 2],
    ]);
    expect(problems.map(towardsProblem)).toEqual([
      { place: { screen: 'detail', resource: 'servers', params: { serverId: '2' }, tab: 'overview' } },
      { place: { screen: 'list', resource: 'regions', params: {} }, filter: 'status:outage' },
    ]);
  });

  test('there are none where nothing is loaded', () => expect(problemsOf(nothing)).toEqual([]));
});

describe('events', () => {
  const event = (changes: Row): Event => ({
    id: 7,
    action: 'server_resize',
    status: 'started',
    created: '2026-05-13T14:00:00',
    entity: { type: 'server', id: 12, label: 'web-7' },
    username: 'operator',
    ...changes,
  });
  const itself = { screen: 'detail', resource: 'events', params: { eventId: '7' }, tab: 'overview' };

  test('lead to what they are about, and to themselves where that is gone or unknown', () => {
    const about = { screen: 'detail', resource: 'servers', params: { serverId: '12' }, tab: 'overview' };
    expect(towardsEvent(event({})).place).toEqual(about);
    expect(towardsEvent(event({ action: 'server_delete' })).place).toEqual(about);
    expect(towardsEvent(event({ action: 'server_delete', status: 'finished' })).place).toEqual(itself);
    expect(towardsEvent(event({ entity: { type: 'community', id: 1 } })).place).toEqual(itself);
    expect(towardsEvent(event({ entity: null })).place).toEqual(itself);
  });

  test.each([
    ['0:3:20', 200],
    ['1:0:5', 3605],
    ['soon', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%s are %s seconds', (written, seconds) => expect(secondsLeft(written)).toBe(seconds));

  const now = Date.UTC(2026, 4, 13, 14, 5);
  const events = [
    event({ percent_complete: 31, rate: '464.00 MB/s', time_remaining: '0:3:20' }),
    event({ status: null, percent_complete: null, created: 'soon', username: null, entity: null }),
    event({ entity: { type: 'server', id: 12, label: '\u001b[31m消費税'.repeat(20) }, message: 'x'.repeat(400) }),
  ];

  test.each([60, 80, 120, 160])('are drawn within %i cells', (width) => {
    const pen = { theme: themeNamed('dark', 'unicode', true), now, width };
    const lines = events.flatMap((one) => [progressLine(pen, one, false), activityLine(pen, one, true)]);
    const regions = [
      { id: 'us-east', status: 'outage' },
      { id: 'eu-west', status: 'outage' },
    ];
    for (const problem of problemsOf(loaded({ regions }))) lines.push(problemLine(pen, problem, true));
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    const count = { value: 'running', count: 10_000 };
    expect(stringWidth(countLine(pen, byStatus, count, 10_000, true))).toBe(width);
  });

  test('say how far they are and how long they take', () => {
    const pen = { theme: themeNamed('dark', 'unicode', true), now, width: 120 };
    const [going, over] = events.map((one) => [progressLine(pen, one, false), activityLine(pen, one, false)]);
    expect(stripVTControlCharacters(going?.[0] ?? '')).toMatch(
      /server resize +web-7 +█+▌?░+ +31 % +464\.00 MB\/s +3 min 20 s left$/,
    );
    expect(stripVTControlCharacters(going?.[1] ?? '')).toMatch(/5 min +server resize +web-7 +operator/);
    expect(stripVTControlCharacters(over?.[0] ?? '')).toContain('····');
  });
});
