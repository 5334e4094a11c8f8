import { describe, expect, test } from 'vitest';
import { bodyOf, draftOf, formFields, startOf } from '../../src/resources/body.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { isPrivateService } from '../../src/resources/managed/address.ts';
import { managedGraphs, managedMessage } from '../../src/resources/managed/statistics.ts';
import type { Action, CacheView, Column, Draft, Resource, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy, saidTogether } from './actionOf.ts';
import { knowing } from './known.ts';

const shown = (resource: Resource, title: string, row: Row, view: CacheView): unknown => {
  const { value }: Column = [...resource.columns, ...(resource.card ?? [])].find((one) => one.title === title) ?? {
    title,
    value: '',
  };
  return typeof value === 'function' ? value(row, view) : row[value];
};

test('the time that a service has is told as that of a check of a NodeBalancer is', () => {
  const timeouts = ['managed-services', 'nodebalancer-configs'].map((name) =>
    resourceNamed(name).columns.find(({ title }) => title === 'Timeout'),
  );
  expect(timeouts.map((column) => column?.format)).toEqual(['duration', 'duration']);
  expect(shown(resourceNamed('managed-services'), 'Timeout', { timeout: 90 }, knowing())).toBe(90);
});

describe('the address of a service', () => {
  test.each([
    '10.0.0.5',
    '10.0.0.5:5432',
    'http://172.16.0.1/up',
    'https://me:secret@172.31.255.254:8443/up?at=1#top',
    ' 192.168.128.9:80 ',
    'http://192.168.0.1?a=b',
  ])('%s is private', (address) => expect(isPrivateService(address)).toBe(true));

  test.each([
    '',
    '192.0.2.7',
    'http://172.32.0.1/',
    '10.example.com:80',
    'https://www.example.com/?to=10.0.0.5',
    'https://10.0.0.5@www.example.com/',
    '10.0.0.256',
    '10.0.0',
  ])('%s is not', (address) => expect(isPrivateService(address)).toBe(false));
});

describe('a service', () => {
  const services = resourceNamed('managed-services');
  const [create, edit] = [actionOf(services, 'create'), actionOf(services, 'edit')];
  const draft = { label: 'shop', service_type: 'url', timeout: '10' };
  const names = (address: string) => formFields(services, create, { ...draft, address }).map(({ name }) => name);

  test('asks for a region when its address is private, and only then', () => {
    expect(names('https://www.example.com')).not.toContain('region');
    expect(names('10.0.0.5:80')).toContain('region');
    expect(complaintsOf(services, create, { ...draft, address: '10.0.0.5:80' }, knowing())).toEqual([
      { field: 'region', says: 'Region is required; enter opens the choices.' },
    ]);
    expect(complaintsOf(services, create, { ...draft, address: '192.0.2.5:80' }, knowing())).toEqual([]);
  });

  const row = { id: 1, label: 'db', address: '10.0.0.5:5432', region: 'us-east', timeout: 5, service_type: 'tcp' };

  test('gives its region up with its private address', () => {
    const before = draftOf(services, edit, row);
    expect(bodyOf(services, edit, { ...before, address: '192.0.2.5:80' }, row)).toEqual({
      address: '192.0.2.5:80',
      region: null,
    });
    expect(bodyOf(services, edit, { ...before, address: '10.0.0.6:80' }, row)).toEqual({ address: '10.0.0.6:80' });
    expect(bodyOf(services, edit, { ...before, timeout: '6' }, row)).toEqual({ timeout: 6 });
  });

  test.each([
    ['enable', 'disabled', undefined],
    ['enable', 'ok', 'db is already enabled; its status is ok'],
    ['disable', 'problem', undefined],
    ['disable', 'disabled', 'db is already disabled'],
  ])('%s of one that is %s: %s', (name, status, refusal) => {
    expect(actionOf(services, name).refuse?.({ ...row, status }, knowing())).toBe(refusal);
  });

  test('shows its credentials by label, those not loaded by id', () => {
    const view = knowing({ 'managed-credentials': [{ id: 7, label: 'mail relay' }] });
    expect(shown(services, 'Credentials', { ...row, credentials: [7, 8] }, view)).toEqual(['mail relay', 8]);
    expect(shown(services, 'Credentials', row, view)).toEqual([]);
  });

  test('begins a ticket whose summary is never too long', () => {
    const shortcut = services.shortcuts?.find(({ name }) => name === 'ticket');
    const start = shortcut?.start({ label: 'x'.repeat(64), status: 'problem' }, knowing(), {});
    expect(start?.about).toBe('managed service');
    expect(String(start?.summary)).toHaveLength(64);
  });
});

test('an issue shows its services by label, those not loaded by number', () => {
  const issues = resourceNamed('managed-issues');
  const view = knowing({ 'managed-services': [{ id: 3, label: 'search', status: 'problem' }] });
  const issue = { id: 1, services: [3, 4], entity: { id: 9, type: 'ticket', label: 'search is down' } };
  expect(shown(issues, 'Services', issue, view)).toEqual(['search', 'service 4']);
  expect(shown(issues, 'Services now', issue, view)).toEqual(['problem', 'unknown']);
  expect(issues.label(issue)).toBe('search is down');
});

test('a new contact needs a name or an email address', () => {
  const contacts = resourceNamed('managed-contacts');
  const wrong = (draft: Draft) => complaintsOf(contacts, actionOf(contacts, 'create'), draft, knowing());
  expect(wrong({ group: 'ops' })).toEqual([{ field: 'name', says: 'Name: enter a name or an email address.' }]);
  expect(wrong({ name: 'On call' })).toEqual([]);
  expect(wrong({ email: 'oncall@example.com' })).toEqual([]);
});

describe('the warning before a contact is deleted', () => {
  const contacts = resourceNamed('managed-contacts');
  const contact = { id: 1, name: 'Database team', email: 'db@example.com', group: 'database' };
  const warning = (others: readonly Row[], services: readonly Row[]) =>
    saidBy(
      contacts.remove,
      'warning',
      contact,
      knowing({ 'managed-contacts': [contact, ...others], 'managed-services': services }),
    );
  const service = { id: 5, label: 'primary', consultation_group: 'database' };

  test('says when nobody is left in the group of a service', () => {
    expect(warning([], [service])).toMatch(/the last contact in the group database.* when primary goes down\.$/);
    expect(warning([], [service, { ...service, id: 6 }])).toMatch(/when 2 services go down\.$/);
  });

  test('is short where others are, or where no service tells the group', () => {
    const short = 'Deletes Database team, who is no longer notified of problems.';
    expect(warning([{ ...contact, id: 2 }], [service])).toBe(short);
    expect(warning([], [])).toBe(short);
    // Others may be in a list that could not be read.
    const view = knowing({ 'managed-services': [service] });
    expect(saidBy(contacts.remove, 'warning', contact, view)).toBe(short);
    expect(saidTogether(contacts.remove as Action, [contact], view)).not.toContain('Nobody is left');
  });
});

describe('a credential', () => {
  const credentials = resourceNamed('managed-credentials');
  const credential = { id: 7, label: 'mail relay', last_decrypted: null };
  const view = knowing({ 'managed-services': [{ label: 'mail', credentials: [7] }, { label: 'shop' }] });

  test('names what it is stored for before it is revoked', () => {
    const { remove } = credentials;
    expect(remove?.ask).toHaveProperty('typeLabel', true);
    expect(saidBy(remove, 'warning', credential, view)).toMatch(/It is used for mail\.$/);
    expect(saidBy(remove, 'warning', { ...credential, id: 8 }, view)).toMatch(/cannot be recovered\.$/);
  });

  test('keeps its password secret, and has it changed by one action only', () => {
    expect(credentials.fields.password?.kind).toBe('secret');
    expect(actionOf(credentials, 'edit').body).toEqual(['label!']);
    expect(startOf(credentials, actionOf(credentials, 'update'), credential, view, {})).toEqual({});
  });

  test('was decrypted at a time or never', () => {
    expect(shown(credentials, 'Last decrypted', credential, view)).toBe('never');
    expect(shown(credentials, 'Last decrypted', { ...credential, last_decrypted: 'then' }, view)).toBe('then');
  });
});

test('the SSH key is copied whole, and as the command that adds it', () => {
  const { copies } = resourceNamed('managed-ssh-key');
  const row = { ssh_key: "ssh-rsa AAAA it's\n" };
  expect(copies?.['SSH public key']?.(row, knowing())).toBe(row.ssh_key);
  expect(copies?.['command that adds it']?.(row, knowing())).toContain(`echo 'ssh-rsa AAAA it'\\''s' >>`);
});

describe('statistics', () => {
  const points = [
    { x: 2000, y: 5 },
    { x: 1000, y: 4 },
  ];
  const body = { data: { cpu: points, disk: [], swap: [{ x: 1, y: null }], net_in: points, net_out: points } };

  test('are five series in four graphs', () => {
    const graphs = managedGraphs(body);
    expect(graphs.map(({ name, unit }) => [name, unit])).toEqual([
      ['CPU', '%'],
      ['Disk', 'blocks/s'],
      ['Swap', 'blocks/s'],
      ['Network', 'bit/s'],
    ]);
    expect(graphs.flatMap(({ series }) => series.map(({ name, points: { length } }) => [name, length]))).toEqual([
      ['cpu', 2],
      ['disk', 0],
      ['swap', 0],
      ['in', 2],
      ['out', 2],
    ]);
    expect(graphs[0]?.series[0]?.points).toEqual([
      [1000, 4],
      [2000, 5],
    ]);
  });

  test('show their newest readings', () => {
    const statistics = resourceNamed('managed-statistics');
    expect(shown(statistics, 'CPU now', body, knowing())).toBe(5);
    expect(shown(statistics, 'Disk now', body, knowing())).toBeUndefined();
  });

  test('may be a message', () => {
    const none = { data: ['None yet.'] };
    expect(managedMessage(none)).toBe('None yet.');
    expect(managedMessage(body)).toBeUndefined();
    expect(managedGraphs(none).every(({ series }) => series.every(({ points: { length } }) => length === 0))).toBe(
      true,
    );
  });
});
