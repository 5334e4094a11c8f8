import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { changeEntry } from '../../src/screens/journal/entries.ts';
import { changeLine, planLine, resultLines } from '../../src/screens/transfers/changeLines.ts';
import type { Result, ResultState } from '../../src/store/changes/change.ts';
import { changeCounts, changeFacts, type PendingChange } from '../../src/store/changes/pendingChanges.ts';
import { withJobs } from '../../src/store/changes/whoDidIt.ts';
import type { Event } from '../../src/store/events.ts';
import type { PlansState } from '../../src/store/plans/plans.ts';
import { callsDuring } from '../calls.ts';
import { actionOf } from '../resources/actionOf.ts';
import { eventOf } from '../store/openStores.ts';

const volumes = resourceNamed('volumes');
const deletion = { resource: volumes, action: actionOf(volumes, 'delete') };

const result = (state: ResultState, says?: string, label = 'data-1'): Result => ({
  params: {},
  rowId: '1',
  label,
  state,
  says,
});
const change = (...results: readonly Result[]): PendingChange => ({
  id: 1,
  ...deletion,
  title: results.length === 1 ? 'Delete (data-1)' : `Delete ${results.length} volumes`,
  startedAt: 0,
  results,
  isStopping: false,
  isOver: results.every(({ state }) => state !== 'running' && state !== 'waiting'),
});
const of = (counts: Partial<Record<ResultState, number>>) =>
  change(
    ...Object.entries(counts).flatMap(([state, count]) =>
      Array.from({ length: count }, () => result(state as ResultState)),
    ),
  );

test.each<[string, PendingChange]>([
  ['sent, no answer yet', of({ running: 1 })],
  ['done', of({ done: 1 })],
  ['It is attached.', change(result('failed', 'It is attached.'))],
  ['all 3 done', of({ done: 3 })],
  ['3 of 13 done, 4 under way, 6 waiting', of({ done: 3, running: 4, waiting: 6 })],
  ['0 of 3 done, 3 unknown', of({ unknown: 3 })],
  ['8 of 13 done, 2 failed, 3 not sent', of({ done: 8, failed: 2, 'not sent': 3 })],
])('tells %s', (says, one) => expect(changeFacts(one)).toBe(says));

test('a row whose job goes on has begun and is not done', () => {
  const detached = { ...result('done'), params: { volumeId: '1' } };
  const detaching = { ...change(detached, detached), action: actionOf(volumes, 'detach') };
  const job = (status: string) => [
    eventOf(9, 'volume_detach', status, { type: 'volume', id: 1 }, { percent_complete: 34 }) as Event,
  ];
  const begun = withJobs(job('started'))(detaching);
  const far = eventOf(9, 'volume_detach', 'started', { type: 'volume', id: 1 }, { percent_complete: 4.6 }) as Event;
  // As the status of its row and its line on Home have it.
  expect(withJobs([far])(detaching).results[0]?.says).toBe('has begun, 5%');
  expect(changeFacts(begun)).toBe('0 of 2 done, 2 under way');
  expect(begun.results[0]?.says).toBe('has begun, 34%');
  expect(changeFacts(withJobs(job('finished'))(detaching))).toBe('all 2 done');
});

test('a row that was made is under way until the job that makes it has ended', () => {
  const servers = resourceNamed('servers');
  const made = { ...result('done', undefined, 'web-9'), rowId: undefined, made: { serverId: '7' } };
  const making = { ...change(made), resource: servers, action: actionOf(servers, 'create') };
  const job = (status: string) => [eventOf(9, 'server_create', status, { type: 'server', id: 7 }) as Event];
  expect(withJobs(job('started'))(making).results[0]?.state).toBe('running');
  expect(withJobs(job('finished'))(making).results[0]?.state).toBe('done');
});

test('the jobs of two hundred rows are looked for among those that go on, not among all events', async () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ ...result('done'), params: { volumeId: String(id) } }));
  const events = rows.map((_, id) => eventOf(id, 'volume_detach', 'finished', { type: 'volume', id }) as Event);
  const detaching = { ...change(...rows), action: actionOf(volumes, 'detach') };
  const calls = await callsDuring(async () => withJobs(events)(detaching));
  expect(calls('isInProgress')).toBe(200);
  // The footer asks with each change: no row is looked at where no job goes on.
  expect(calls('jobOf')).toBe(0);
});

test('the jobs of a change are looked for once, however often it is told, until it or the events are others', async () => {
  const detaching = { ...change(result('done'), result('done')), action: actionOf(volumes, 'detach') };
  const job = [eventOf(9, 'volume_detach', 'started', { type: 'volume', id: 1 }) as Event];
  const looks = async (changed = detaching, events = job) =>
    (await callsDuring(async () => [withJobs(events)(changed), withJobs(events)(changed)]))('jobOf');
  expect([await looks(), await looks({ ...detaching }), await looks(detaching, [...job])]).toEqual([2, 2, 2]);
  expect(await looks()).toBe(0);
});

test('what was left out from the start counts among what is not done', () => {
  expect(changeCounts(of({ done: 1 }), 1)).toBe('1 of 2 done, 1 left out');
});

test.each([60, 80, 160])('the line has exactly %i cells, whatever is changed', (width) => {
  const theme = themeNamed('dark', 'unicode', true);
  const long = change(result('running', undefined, `漢字${'very-long-name-'.repeat(20)}`));
  for (const one of [
    of({ running: 1 }),
    long,
    { ...of({ done: 1000, failed: 11, running: 4, 'not sent': 9000 }), isStopping: true },
  ]) {
    for (const more of [0, 3]) expect(stringWidth(changeLine(theme, one, more, width))).toBe(width);
  }
});

test('without colour and in ASCII it says the same', () => {
  const theme = themeNamed('mono', 'ascii', false);
  const line = changeLine(theme, of({ done: 2, failed: 1, running: 1 }), 1, 80);
  expect(line.replace(/\x1b\[\d+m/g, '')).toMatch(
    /^ ~ Delete 4 volumes #{22}=?\.{7,8} {2}3\/4 {2}1 failed {2}and 1 more/,
  );
});

test('of the rows, those that failed come first and those that are done last, each with its reason', () => {
  const theme = themeNamed('mono', 'unicode', false);
  const states = [
    result('done'),
    result('waiting'),
    result('failed', 'It is attached to web-1, so that it cannot be deleted now.'),
  ];
  const lines = resultLines(theme, [states], 60).map((line) => line.replace(/\x1b\[\d+m/g, '').trimEnd());
  expect(lines).toEqual([
    ' ✗ data-1                It is attached to web-1, so that',
    '                         it cannot be deleted now.',
    ' ○ data-1                waiting',
    ' ✓ data-1                done',
  ]);
});

const theme = themeNamed('dark', 'unicode', false);

test.each([60, 80, 120])('%i cells tell of a rolling action that is paused how it goes on', (width) => {
  const step = (id: number, state?: 'done' | 'begun') => ({
    id,
    uid: String(id),
    record: { resource: 'servers', action: 'shutdown', label: `web-${id}`, params: {}, method: 'POST', path: '' },
    rolling: { id: 'a', title: 'Shut down 6 servers' },
    wait: { within: '10m' },
    ...(state && { result: { state } }),
  });
  const steps = [step(1, 'done'), step(2, 'begun'), step(3, 'begun'), step(4)] as unknown as PlansState['steps'];
  const line = planLine(theme, { steps, rolling: 'a', run: 'paused', ends: { 2: 'has begun, 38%' } }, width);
  expect(stringWidth(line)).toBe(width);
  expect(line).toMatch(/1\/4 .*paused; Z goes on *$/);
  const running = planLine(theme, { steps, rolling: 'a', run: 'running', ends: { 2: 'has begun, 38%' } }, width);
  expect(running).toMatch(width > 60 ? /1\/4 {2}web-2 38%; and 1 more/ : /1\/4 {2}web-2/);
});

test('the name of the row that goes is whole before the next ones are named', () => {
  const step = (id: number, label: string, state?: 'begun') => ({
    id,
    uid: String(id),
    record: { resource: 'records', action: 'edit', label, params: {} },
    ...(state && { result: { state } }),
  });
  const labels = ['TXT _acme-challenge.www in zone shop.example', 'A www in zone shop.example'] as const;
  const steps = [step(1, labels[0], 'begun'), step(2, labels[1])] as unknown as PlansState['steps'];
  const line = (width: number) => planLine(theme, { steps, run: 'running', ends: { 1: 'has begun, 38%' } }, width);
  expect(line(160)).toMatch(new RegExp(`0/2 {2}${labels[0]} 38%; then ${labels[1]} *$`));
  for (const width of [80, 100]) expect(line(width)).toMatch(new RegExp(`0/2 {2}${labels[0]} 38% *$`));
  expect(line(78)).toMatch(/0\/2 {2}TXT _acme-challenge\.www in zone shop\.[^;]*… *$/);
  expect(line(60)).toMatch(/0\/2 {2}TXT _acme-[^;]*… *$/);
  for (const width of [60, 78, 80, 100, 160]) expect(stringWidth(line(width))).toBe(width);
});

test('the journal has the sign of what is under way at what has begun', () => {
  const detached = { ...result('done'), params: { volumeId: '1' } };
  const job = eventOf(9, 'volume_detach', 'started', { type: 'volume', id: 1 }, { percent_complete: 34 }) as Event;
  const begun = withJobs([job])({ ...change(detached), action: actionOf(volumes, 'detach') });
  const entry = changeEntry({ theme, width: 80, now: 0 }, begun, () => {});
  expect(entry.lines[0]).toContain('◐ Delete (data-1)');
  expect(entry.isRunning).toBe(true);
});

test.each(['done', 'failed'] as const)(
  'the journal cuts no name of what is %s while there is room beside it',
  (state) => {
    const why = state === 'failed' ? 'The API does not answer: it was asked three times. '.repeat(3) : undefined;
    const where = 'at port 443 of NodeBalancer web-lb-frankfurt';
    const longest = `Delete (data-1) ${where}`.length;
    const linesAt = (width: number) =>
      changeEntry({ theme, width, now: 0, longest }, change(result(state, why)), () => {}, where).lines;
    expect(linesAt(120)[0]).toMatch(/Delete \(data-1\) at port 443 of NodeBalancer web-lb-frankfurt {2}(done|The API)/);
    for (const width of [60, 80, 120, 200])
      for (const line of linesAt(width)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  },
);
