import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptiedValue, isPatch } from '../../src/resources/body.ts';
import { creationsOf, describedActions, resourceNamed, resources } from '../../src/resources/index.ts';
import { type Irreversible, inverseOf } from '../../src/resources/inverse.ts';
import { type Action, at, type Field, fieldOf, type Resource, type Row } from '../../src/resources/resource.ts';
import { rules } from '../../src/resources/rules/index.ts';
import { actionOf } from './actionOf.ts';
import { knowing } from './known.ts';

const undo = (name: string, action: string, done: Parameters<typeof inverseOf>[2], view = knowing()) =>
  inverseOf(resourceNamed(name), actionOf(resourceNamed(name), action), done, view);

const whyOf = (found: object): string | undefined => (found as Partial<Irreversible>).why;

const all = resources
  .filter(({ local }) => !local)
  .flatMap((resource) => describedActions(resource).map((action) => [resource, action] as const));

describe('each action', () => {
  test.each(all.map(([resource, action]) => [`${resource.name}.${action.name}`, resource, action] as const))(
    '%s says what takes it back, or in a sentence why nothing does',
    (_name, resource, action) => {
      expect(action.inverse !== undefined || isPatch(action) || creationsOf(resource).includes(action)).toBe(true);
      const says = [
        action.inverse,
        whyOf(inverseOf(resource, action, { params: {} })),
        whyOf(inverseOf(resource, action, { params: {}, body: {} })),
        whyOf(inverseOf(resource, action, { params: {}, body: {}, made: { [resource.id]: 'made' } })),
      ].filter((one) => typeof one === 'string');
      for (const why of says) expect(why).toMatch(/^[A-Z][^.]+\.$/);
      const found = inverseOf(resource, action, { params: {}, made: { [resource.id]: 'made', token: 'made' } });
      if ('why' in found) return;
      expect(describedActions(resourceNamed(found.resource)).map(({ name }) => name)).toContain(found.action);
    },
  );
});

test('an edit is taken back by the values that were there, a list by none', () => {
  const params = { volumeId: '7' };
  const before = { label: 'a', tags: [], size: 20 };
  expect(undo('volumes', 'edit', { params, body: { label: 'b', tags: ['x'] }, before })).toEqual({
    resource: 'volumes',
    action: 'edit',
    params,
    body: { label: 'a', tags: [] },
    entries: { label: 'a', tags: [] },
  });
  const nested = { params: { serverId: '1' }, body: { alerts: { cpu: 90 } }, before: { alerts: { cpu: 80, io: 1 } } };
  expect(undo('servers', 'alerts', nested)).toMatchObject({
    action: 'alerts',
    body: { alerts: { cpu: 80 } },
    entries: { 'alerts.cpu': '80' },
  });
  const zero = { params: { recordId: '1' }, body: { ttl_sec: 300 }, before: { ttl_sec: 0 } };
  expect(undo('records', 'ttl', zero)).toMatchObject({ body: { ttl_sec: 0 }, entries: { ttl_sec: '0' } });
});

test('a value that was not there is emptied where the API takes that, and else the edit stays', () => {
  const params = { contactId: '1' };
  expect(undo('managed-contacts', 'edit', { params, body: { group: 'ops' }, before: { group: null } })).toMatchObject({
    body: { group: null },
    entries: { group: '' },
  });
  expect(undo('managed-contacts', 'edit', { params, body: { email: 'a@b.c' }, before: { email: '' } })).toEqual({
    why: 'Email: there was nothing, and the API does not take it away.',
  });
  expect(undo('managed-contacts', 'edit', { params, body: { email: 'a@b.c' }, before: {} })).toEqual({
    why: 'Email: what was there is not known.',
  });
  expect(undo('configs', 'edit', { params: {}, body: { devices: { sdc: { disk_id: 1 } } }, before: {} })).toMatchObject(
    { body: { devices: { sdc: { disk_id: null, volume_id: null } } } },
  );
});

test('a service that becomes private gives its region up again with its address', () => {
  const done = {
    params: {},
    body: { address: '10.0.0.5:80', region: 'us-west' },
    before: { address: 'a.b', region: null },
  };
  expect(undo('managed-services', 'edit', done)).toMatchObject({ body: { address: 'a.b', region: null } });
  expect(undo('managed-services', 'edit', done)).not.toHaveProperty('differs');
});

test('of several fields those go back that can, and it is told which stay', () => {
  const params = { contactId: '1' };
  const body = { name: 'new', email: 'a@b.c', group: 'ops' };
  expect(undo('managed-contacts', 'edit', { params, body, before: { name: 'old', email: '', group: null } })).toEqual({
    resource: 'managed-contacts',
    action: 'edit',
    params,
    body: { name: 'old', group: null },
    entries: { name: 'old', group: '' },
    differs: ['Email stays, as there was nothing, and the API does not take it away'],
  });
});

test('a StackScript, a managed service and what was attached as it was made: all is known', () => {
  const script = { id: 4, label: 'web', script: '#!/bin/sh', images: ['a/b'], description: 'x', rev_note: 'y' };
  expect(
    undo('stackscripts', 'delete', { params: { stackscriptId: '4' }, before: { ...script, is_public: false } }),
  ).toMatchObject({ action: 'create', body: { label: 'web', script: '#!/bin/sh', images: ['a/b'], rev_note: 'y' } });
  const service = {
    id: 5,
    label: 'shop',
    service_type: 'url',
    address: 'https://shop.example',
    timeout: 30,
    notes: 'n',
  };
  expect(undo('managed-services', 'delete', { params: { serviceId: '5' }, before: service })).toMatchObject({
    action: 'create',
    body: { label: 'shop', service_type: 'url', address: 'https://shop.example', timeout: 30, notes: 'n' },
  });
  const made = { id: 9, label: 'a' };
  expect(undo('volumes', 'create', { params: {}, body: { label: 'a', server_id: 1 }, made })).toMatchObject({
    action: 'delete',
    first: { action: 'detach', says: 'it is deleted after it is detached' },
  });
});

test('a secret that was replaced cannot come back, one that was not there is left alone', () => {
  const pem = { ssl_cert: 'new', ssl_key: 'new' };
  const hidden = { protocol: 'https', ssl_cert: '<REDACTED>', ssl_key: '<REDACTED>' };
  expect(undo('nodebalancer-configs', 'edit', { params: {}, body: pem, before: hidden })).toEqual({
    why: 'Certificate: what was there cannot be read back.',
  });
  const plain = { protocol: 'http', ssl_cert: null, ssl_key: null };
  expect(
    undo('nodebalancer-configs', 'edit', { params: {}, body: { protocol: 'https', ...pem }, before: plain }),
  ).toMatchObject({ body: { protocol: 'http' } });
});

test('a creation is taken back by the deletion of what was made, a copy too', () => {
  const made = { id: 9, label: 'a' };
  const deletion = { resource: 'volumes', action: 'delete', params: { volumeId: '9' } };
  expect(undo('volumes', 'create', { params: {}, body: { label: 'a' }, made })).toEqual(deletion);
  expect(undo('volumes', 'clone', { params: { volumeId: '7' }, before: { id: 7 }, made })).toEqual(deletion);
  expect(undo('tickets', 'create', { params: {}, made })).toEqual({
    why: 'A ticket cannot be deleted; it can be closed.',
  });
});

test('a deletion is taken back by a creation where the row tells all of it', () => {
  const params = { domainId: '3', recordId: '4' };
  const record = { id: 4, type: 'SRV', name: '', service: '_sip.', protocol: '_tcp', target: 'a.b', ttl_sec: 300 };
  const numbers = { priority: 1, weight: 2, port: 5060, tag: null };
  expect(undo('records', 'delete', { params, before: { ...record, ...numbers } })).toEqual({
    resource: 'records',
    action: 'create',
    params: { domainId: '3' },
    body: {
      type: 'SRV',
      service: 'sip',
      protocol: 'tcp',
      target: 'a.b',
      priority: 1,
      weight: 2,
      port: 5060,
      ttl_sec: 300,
    },
    entries: expect.objectContaining({ type: 'SRV', priority: '1' }),
    differs: ['it gets another id', 'resolvers may remember for a while that it was gone'],
  });
  const nullMx = { id: 4, type: 'MX', name: '', target: '', priority: 0, ttl_sec: 0 };
  expect(undo('records', 'delete', { params, before: nullMx })).toMatchObject({
    body: { type: 'MX', name: '', target: '', priority: 0 },
    entries: { null_mx: true },
  });
});

test('a volume goes back to its server, and to the config that had it where that is loaded', () => {
  const before = { id: 7, server_id: 2 };
  const body = { server_id: 2 };
  const back = undo('volumes', 'detach', { params: { volumeId: '7' }, before });
  expect(back).toMatchObject({ action: 'attach' });
  // A default that nobody chose is not sent.
  expect(back).toHaveProperty('body', body);
  const config = { id: 5, devices: { sda: { disk_id: 1, volume_id: null }, sdb: { disk_id: null, volume_id: 7 } } };
  const view = knowing({ configs: [config] });
  expect(undo('volumes', 'detach', { params: { volumeId: '7' }, before }, view)).toMatchObject({
    action: 'attach',
    body: { ...body, config_id: 5 },
    differs: ['its device may have another name'],
  });
});

test('a tag made anew is on the objects that are known to have had it', () => {
  const view = knowing({ servers: [{ id: 1, tags: ['web'] }, { id: 2 }], volumes: [{ id: 3, tags: ['web'] }] });
  expect(undo('tags', 'delete', { params: { label: 'web' }, before: { label: 'web' } }, view)).toMatchObject({
    action: 'create',
    body: { label: 'web', servers: [1], volumes: [3] },
    differs: ['it is only on what is loaded, 1 server and 1 volume'],
  });
});

const pairs = [
  ['volumes', 'attach', { id: 7, server_id: null }, { server_id: 2 }, { id: 7, server_id: 2 }],
  ['domains', 'disable', { id: 1, status: 'active' }, { status: 'disabled' }, { id: 1, status: 'disabled' }],
  ['managed-services', 'enable', { id: 1, status: 'disabled' }, undefined, { id: 1, status: 'ok' }],
  ['nodebalancer-nodes', 'drain', { id: 1, mode: 'backup' }, { mode: 'drain' }, { id: 1, mode: 'drain' }],
  ['servers', 'resize', { id: 1, type: 'g6-1' }, { type: 'g6-2' }, { id: 1, type: 'g6-2' }],
] as const;

test.each(pairs)('%s: the inverse of the inverse of %s is that', (name, action, before, body, after) => {
  const params = { id: '1' };
  const there = undo(name, action, { params, body, before });
  if ('why' in there) throw new Error(there.why);
  const back = undo(name, there.action, { params, body: there.body as Row, before: after });
  expect(back).toMatchObject({ resource: name, action, params, ...(body && { body }) });
});

/** A value that an answer may have for a field, and that a body may send. */
function answersFor({ kind, options, numeric, emptied }: Field): fc.Arbitrary<unknown> {
  const some: fc.Arbitrary<unknown> =
    kind === 'integer'
      ? fc.integer({ min: 1 })
      : kind === 'boolean'
        ? fc.boolean()
        : kind === 'choice' && options
          ? fc.constantFrom(...options.map((option) => (numeric ? Number(option) : option)))
          : kind === 'device'
            ? fc.record({ disk_id: fc.constant(null), volume_id: fc.integer({ min: 1 }) })
            : ['strings', 'references', 'choices'].includes(kind)
              ? fc.array(fc.string({ minLength: 1 }))
              : kind === 'reference'
                ? fc.integer({ min: 1 })
                : fc.string({ minLength: 1 });
  if (kind === 'device') return fc.oneof(some, fc.constant({ disk_id: null, volume_id: null }));
  return emptied === undefined ? some : fc.oneof(some, fc.constant(emptied));
}

/** A row of these fields, nested by their dots. */
function nested(values: Readonly<Record<string, unknown>>): Row {
  const row: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [first = '', ...rest] = path.split('.');
    if (rest.length === 0) row[first] = value;
    else row[first] = { ...(row[first] as object), ...nestedAt(row[first], rest, value) };
  }
  return row;
}

const nestedAt = (inner: unknown, [first = '', ...rest]: readonly string[], value: unknown): Row =>
  rest.length === 0
    ? { [first]: value }
    : { [first]: { ...(at(inner, first) as object), ...nestedAt(at(inner, first), rest, value) } };

/** Fields whose values are told by the row, that are no secrets, and no parts of a list. */
const plainFields = (resource: Resource, action: Action) =>
  (action.body ?? [])
    .map((name) => name.replace(/!$/, ''))
    .map((name) => [name, fieldOf(resource, action, name)] as const)
    .filter(([name, { kind, hidden, local }]) => !/\.\d/.test(name) && !hidden && !local && !kind.startsWith('secret'));

const edits = all.filter(([, action]) => isPatch(action) && action.inverse === undefined);

test.each(edits.map(([resource, action]) => [`${resource.name}.${action.name}`, resource, action] as const))(
  '%s: the inverse of the inverse is the edit, whatever was there',
  (_name, resource, action) => {
    const fields = plainFields(resource, action);
    const values = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, answersFor(field)])));
    const touched = fc.subarray(fields, { minLength: 1 });
    fc.assert(
      fc.property(values, values, touched, (was, becomes, names) => {
        const params = { id: '1' };
        const body = nested(Object.fromEntries(names.map(([name]) => [name, becomes[name]])));
        const there = inverseOf(resource, action, { params, body, before: nested(was) });
        if ('why' in there) throw new Error(there.why);
        expect(there.action).toBe(action.name);
        for (const [name] of names) expect(at(there.body, name)).toEqual(was[name]);
        const after = nested({ ...was, ...Object.fromEntries(names.map(([name]) => [name, becomes[name]])) });
        const back = inverseOf(resource, action, { params, body: there.body as Row, before: after });
        expect(back).toMatchObject({ params, body });
      }),
      { numRuns: 30 },
    );
  },
);

test('what an edit empties is what the field says', () => {
  for (const [resource, action] of edits)
    for (const [name, field] of plainFields(resource, action)) {
      const value = nested({ [name]: 'something' });
      const found = inverseOf(resource, action, { params: {}, body: value, before: nested({ [name]: null }) });
      const isEmptied = emptiedValue(field) !== undefined;
      expect([name, whyOf(found) === undefined]).toEqual([name, isEmptied]);
    }
});

test('what a command of the user may do is not said to be done in the console alone', () => {
  const lacks = rules.flatMap((rule) => (/boot/i.test(rule.lacks ?? '') ? (rule.lacks ?? []) : []));
  const inverses = resources.flatMap((one) => describedActions(one)).map(({ inverse }) => inverse);
  const said = [...lacks, ...inverses].filter((one) => typeof one === 'string' && /console|boot/i.test(one));
  expect(said.length).toBeGreaterThan(3);
  for (const one of said) expect(one).toMatch(/the provider's console or your own command does it\.$/);
});
