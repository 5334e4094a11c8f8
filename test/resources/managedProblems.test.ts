import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { foundBy, present } from './foundBy.ts';

const hour = 3_600_000;
const stamp = (ago: number) => new Date(present - ago).toISOString().slice(0, 19);

const service = {
  id: 7,
  label: 'shop',
  status: 'ok',
  address: 'https://shop.example.com',
  consultation_group: 'on-call',
  credentials: [4],
  created: stamp(90 * hour),
  updated: stamp(72 * hour),
};
const contact = {
  id: 5,
  name: 'Night shift',
  group: 'on-call',
  email: '',
  phone: { primary: null, secondary: '+1 202 555 0171' },
  updated: stamp(hour),
};
const issue = {
  id: 2,
  created: stamp(5 * hour),
  services: [7],
  entity: { id: 11, type: 'ticket', label: 'shop is down' },
};

type Lists = Readonly<Record<string, readonly Row[]>>;

const ofService = (name: string, change: object, lists: Lists = {}, partly: readonly string[] = []) =>
  foundBy(name, { lists: { 'managed-services': [{ ...service, ...change }], ...lists }, partly });

describe('services', () => {
  it('that are down, since their newest issue', () => {
    const older = { ...issue, id: 1, created: stamp(80 * hour) };
    const says = 'shop does not answer as expected at https://shop.example.com';
    expect(ofService('service-down', { status: 'problem' }, { 'managed-issues': [issue, older] })).toMatchObject([
      { severity: 'critical', says, since: present - 5 * hour },
    ]);
    expect(ofService('service-down', { status: 'problem' })).toMatchObject([{ says, since: present - 72 * hour }]);
    expect(['ok', 'pending', 'disabled'].flatMap((status) => ofService('service-down', { status }))).toEqual([]);
  });

  it('that are pending for more than an hour', () => {
    const found = (ago: number) => ofService('service-pending', { status: 'pending', updated: stamp(ago) });
    expect(found(3 * hour)).toMatchObject([
      {
        severity: 'warning',
        says: 'shop is still pending after 3 hours; nobody watches it yet',
        since: present - 3 * hour,
      },
    ]);
    expect(found(hour + 1000)).toHaveLength(1);
    expect(found(hour)).toEqual([]);
    expect(ofService('service-pending', {})).toEqual([]);
  });

  it('that are disabled for more than a day', () => {
    const found = (ago: number) => ofService('service-disabled', { status: 'disabled', updated: stamp(ago) });
    expect(found(72 * hour)).toMatchObject([
      { severity: 'notice', says: 'shop has not been watched for 3 days; it is disabled', since: present - 72 * hour },
    ]);
    expect(found(24 * hour + 1000)).toHaveLength(1);
    expect(found(24 * hour)).toEqual([]);
    expect(ofService('service-disabled', {})).toEqual([]);
  });

  it.each([
    [{ consultation_group: '' }, ['Nobody is told when shop goes down: it names no contact group']],
    [{ consultation_group: null }, ['Nobody is told when shop goes down: it names no contact group']],
    [{ consultation_group: 'office' }, ['Nobody is told when shop goes down: no contact is in its group office']],
    [{}, []],
    [{ consultation_group: '', status: 'disabled' }, []],
  ])('that tell nobody: %o', (change, says) => {
    const found = ofService('service-tells-nobody', change, { 'managed-contacts': [contact] });
    expect(found.map((problem) => problem.says)).toEqual(says);
  });

  it('claim nothing of a group before all contacts are known', () => {
    const found = ofService('service-tells-nobody', {}, { 'managed-contacts': [] }, ['managed-contacts']);
    expect(found).toEqual([]);
  });
});

describe('issue-open', () => {
  const found = (ticket: object, change: object, about: object = {}) =>
    foundBy('issue-open', {
      lists: {
        'managed-issues': [{ ...issue, ...about }],
        'managed-services': [{ ...service, ...change }],
        tickets: [{ id: 11, status: 'open', ...ticket }],
      },
    }).map(({ severity, says, since }) => ({ severity, says, since }));

  it('names an issue whose services answer again, and one whose services are not known', () => {
    const since = present - 5 * hour;
    expect(found({}, {})).toEqual([
      { severity: 'notice', says: 'shop is down is an issue whose ticket is still open; shop answers again', since },
    ]);
    expect(found({ status: 'new' }, {}, { services: [8] })).toEqual([
      { severity: 'warning', says: 'shop is down is an issue whose ticket is still open', since },
    ]);
  });

  it('leaves alone what is closed, what is not known, and what its service tells by itself', () => {
    expect(found({ status: 'closed' }, {})).toEqual([]);
    expect(found({ id: 12 }, {})).toEqual([]);
    expect(found({}, { status: 'problem' })).toEqual([]);
  });
});

describe('contacts and credentials', () => {
  const reach = (change: object) =>
    foundBy('contact-unreachable', { lists: { 'managed-contacts': [{ ...contact, ...change }] } });

  it('that cannot be reached at all', () => {
    expect(reach({ phone: { primary: null, secondary: '' } })).toMatchObject([
      {
        severity: 'warning',
        says: 'Night shift has neither e-mail nor phone, so managed monitoring cannot reach anybody there',
        since: present - hour,
      },
    ]);
    expect(reach({})).toEqual([]);
    expect(reach({ phone: null, email: 'night@example.com' })).toEqual([]);
    expect(reach({ phone: undefined })).toEqual([]);
  });

  const stored = (change: object, partly: readonly string[] = []) =>
    foundBy('credential-without-service', {
      lists: {
        'managed-credentials': [{ id: 3, label: 'old console', last_decrypted: null, ...change }],
        'managed-services': [service],
      },
      partly,
    });

  it('that no service names and nobody used', () => {
    expect(stored({})).toMatchObject([
      { severity: 'notice', says: 'old console belongs to no service and was never used' },
    ]);
    expect(stored({ id: 4 })).toEqual([]);
    expect(stored({ last_decrypted: stamp(hour) })).toEqual([]);
    expect(stored({}, ['managed-services'])).toEqual([]);
  });
});
