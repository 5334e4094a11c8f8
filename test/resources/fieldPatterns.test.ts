import { describe, expect, test } from 'vitest';
import { sentValue } from '../../src/resources/body.ts';
import { actionsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import { type Entry, fieldOf } from '../../src/resources/resource.ts';
import { ruleOf, verdictOf } from '../../src/resources/verdict.ts';
import { actionOf } from './actionOf.ts';
import { knowing } from './known.ts';

/** The field of an action. */
const fieldIn = (resource: string, action: string, name: string) =>
  fieldOf(resourceNamed(resource), actionOf(resourceNamed(resource), action), name);

/** Why an entry is wrong in a field. */
const wrong = (resource: string, action: string, name: string, entry: Entry) =>
  verdictOf(fieldIn(resource, action, name), false, entry, { [name]: entry }, knowing());

describe('a field takes what the API takes, and no more', () => {
  test.each<[string, string, string, readonly string[], readonly string[]]>([
    [
      'volumes',
      'create',
      'label',
      ['a', 'ab', 'ab-_c', 'a_-b', 'a-', 'a'.repeat(32)],
      ['', '1a', 'a--b', 'a__b', 'a b', 'a.b', 'a'.repeat(33)],
    ],
    ['volumes', 'clone', 'label', ['ab-_c'], ['a--b']],
    [
      'nodebalancer-nodes',
      'create',
      'label',
      ['a-b', 'a.b', 'A_1', 'a'.repeat(32)],
      ['ab', 'a b c', 'a/b', 'a'.repeat(33)],
    ],
    ['configs', 'create', 'root_device', ['/dev/sda', 'a_b-1', 'x'], ['bad dev!', '/dev/sda1.', ' ']],
    [
      'managed-credentials',
      'create',
      'label',
      ['ab', 'a b', 'a.', 'x/ab', 'a'.repeat(75)],
      ['a/b', 'a', 'é/é', 'a'.repeat(76)],
    ],
    ['managed-credentials', 'edit', 'label', ['ab'], ['a/b']],
    ['managed-services', 'create', 'label', ['abc', 'a-b', 'a'.repeat(64)], ['ab', 'a/b', 'a/b/c', 'a'.repeat(65)]],
    ['managed-contacts', 'create', 'name', ['ab', 'Jörg', 'a'.repeat(64)], ['a', 'a/b', 'a'.repeat(65)]],
    ['managed-contacts', 'create', 'group', ['ab', 'a'.repeat(50)], ['a', 'a/b', 'a'.repeat(51)]],
    [
      'domains',
      'create',
      'domain',
      ['example.com', '_acme-challenge.example.com', '*.example.com', `${'a'.repeat(63)}.example`],
      ['a b.example', '-a.example', 'a.*.example', 'a..example', `${'a'.repeat(64)}.example`],
    ],
    ['domains', 'clone', 'domain', ['_acme-challenge.example.com', '*.example.com'], ['a.*.b']],
    ['domains', 'import', 'domain', ['_acme-challenge.example.com', '*.example.com'], ['a.*.b']],
    ['domains', 'create', 'soa_email', ['a@b.example'], ['not-an-email', 'a@b', 'a b@c.example', 'a@']],
    [
      'account',
      'edit',
      'email',
      ['a@b.example', `${'a'.repeat(118)}@b.example`],
      ['not-an-email', 'a@b@c.example', 'a@b.', `${'a'.repeat(119)}@b.example`],
    ],
    [
      'objects',
      'url',
      'expires_in',
      ['360', '68400', '6m', '1h', '1.5 h', '19h'],
      ['359', '68401', '5m', '20h', '1.0001h', 'h', '1y', '-1h'],
    ],
  ])('%s %s %s: %j, and not %j', (resource, action, name, right, bad) => {
    for (const entry of right) expect(wrong(resource, action, name, entry), entry).toBeUndefined();
    for (const entry of bad.filter(Boolean)) expect(wrong(resource, action, name, entry), entry).toBeDefined();
  });

  test('seconds that were typed as another span are sent as seconds', () => {
    expect(sentValue(fieldIn('objects', 'url', 'expires_in'), '1h')).toBe(3600);
    expect(sentValue(fieldIn('objects', 'url', 'expires_in'), '3600')).toBe(3600);
  });
});

const allFields = resources.flatMap((resource) =>
  actionsOf(resource).flatMap((action) =>
    (action.body ?? []).map((entry) => {
      const name = entry.replace(/!$/, '');
      return [`${resource.name} ${action.name} ${name}`, fieldOf(resource, action, name)] as const;
    }),
  ),
);

test('spaces alone are no text that anybody can read, in no field', () => {
  const texts = allFields.filter(([, { kind }]) => kind === 'text' || kind === 'paragraph');
  expect(texts.length).toBeGreaterThan(100);
  for (const [name, field] of texts) {
    expect(verdictOf(field, false, '     ', {}, knowing()), name).toBe(`${field.label} must be more than spaces.`);
    expect(verdictOf(field, false, '\u00a0\t', {}, knowing()), name).toBeDefined();
  }
});

test('no rule of a field ends with a full stop, for a sentence goes on behind it', () => {
  for (const [name, field] of allFields) expect(ruleOf(field, true), name).not.toMatch(/\.$/);
});
