import { expect, test } from 'vitest';
import type { Problem } from '../../src/resources/problems/rule.ts';
import type { Row } from '../../src/resources/resource.ts';
import { evidenceOf, listsOf, ticketText } from '../../src/resources/rules/evidence.ts';
import { ruleNamed } from '../../src/resources/rules/index.ts';
import { knowing, present } from './known.ts';

const server = { id: 7, label: 'batch-4', status: 'offline' };
const problem: Problem = {
  id: 'server-down 7',
  severity: 'critical',
  rule: 'server-down',
  resource: 'servers',
  params: { serverId: '7' },
  label: 'batch-4',
  says: 'batch-4 is offline; its last boot failed',
  since: present - 3_600_000,
};
const boot = {
  id: 2,
  action: 'server_boot',
  status: 'failed',
  created: new Date(present - 3_600_000).toISOString(),
  duration: 41,
  username: 'night-shift',
  message: 'The root device could not be found.',
  entity: { type: 'server', id: 7 },
};
const events: readonly Row[] = [boot, { ...boot, id: 1, entity: { type: 'volume', id: 7 } }];

const config = (root: string, devices: object) => ({ id: 3, label: 'main', root_device: root, devices });
const saysWith = (configs: readonly Row[], disks: readonly Row[] = []) =>
  evidenceOf(problem, knowing({ servers: [server], configs, disks, volumes: [] }, { events })).says;

test('the evidence is the events about the object, and what its rule says', () => {
  const view = knowing({ servers: [server] }, { events });
  expect(evidenceOf(problem, view).events).toEqual([boot]);
  expect(listsOf(problem)).toEqual(['configs', 'disks'].map((resource) => ({ resource, params: { serverId: '7' } })));
});

test('of a server that does not boot it says what it boots from', () => {
  const disk = { id: 9, label: 'Debian', status: 'not ready' };
  const devices = { sda: { disk_id: 9 } };
  expect(saysWith([config('/dev/sda', devices)], [disk])).toEqual([
    'Config main boots from /dev/sda: disk Debian (9), not ready.',
  ]);
  expect(saysWith([config('/dev/sda', devices)])).toEqual([
    'Config main boots from /dev/sda, which names disk 9, which does not exist.',
  ]);
  expect(saysWith([config('/dev/sdb', devices)])).toEqual([
    'Config main boots from /dev/sdb, which holds no disk or volume.',
  ]);
  expect(saysWith([config('', {})])).toEqual(['Config main names no device to boot from.']);
  expect(saysWith([])).toEqual(['It has no config to boot with.']);
});

test('rows of any shape give sentences or none', () => {
  for (const devices of [null, undefined, 7, 'sda', { sda: null }, { sda: { disk_id: {} } }])
    expect(saysWith([{ id: {}, label: 3, root_device: '/dev/sda', devices }])).toHaveLength(1);
});

test('a ticket about it has the sentence, the id, the times and the last events', () => {
  const view = knowing({ servers: [server], configs: [] }, { events });
  expect(ticketText(problem, view)).toEqual({
    summary: 'batch-4 is offline; its last boot failed',
    description: [
      'batch-4 is offline; its last boot failed.',
      'Server: batch-4 (ID 7)\nSince: 2024-05-01 11:00 UTC\nSeen: 2024-05-01 12:00 UTC\nIt has no config to boot with.',
      'Last events:\n2024-05-01 11:00 UTC  server boot by night-shift failed after 41 s: The root device could not be found.',
    ].join('\n\n'),
  });
  const { summary } = ticketText({ ...problem, says: 'word '.repeat(40) }, view);
  expect(String(summary).length).toBeLessThanOrEqual(64);
});

test('of several SPF records it tells what each says, and that one may be deleted', () => {
  const record = (id: number, target: string) => ({ id, type: 'TXT', name: '', target });
  const records = [record(5, 'v=spf1 mx -all'), record(9, 'v=spf1 a ~all'), record(11, 'hello')];
  const view = knowing({
    domains: [{ id: 1, domain: 'example.com' }],
    records: [{ params: { domainId: '1' }, rows: records, whole: true }],
  });
  const several = { ...problem, rule: 'spf-several', resource: 'records', params: { domainId: '1', recordId: '5' } };
  expect(evidenceOf(several, view).says).toEqual([
    'Record 5, this one, is @ IN TXT "v=spf1 mx -all".',
    'Record 9, beside it, is @ IN TXT "v=spf1 a ~all".',
  ]);
});

test.each(['spf-several', 'volume-attached-to-nothing', 'balancer-without-ports', 'server-idle'])(
  'what is too much, by %s, may be deleted',
  (name) => expect(ruleNamed(name)?.remedies).toContainEqual({ action: 'delete' }),
);
