import { describe, expect, test } from 'vitest';
import { type Action, type Entry, type Field, type Resource, resource } from '../../src/resources/resource.ts';
import { tagsField } from '../../src/resources/tagging.ts';
import { complaintsOf, ruleOf, verdictOf } from '../../src/resources/verdict.ts';
import { knowing } from './known.ts';

const verdict = (field: Partial<Field>, entry: Entry, required = false) =>
  verdictOf({ label: 'Name', kind: 'text', ...field }, required, entry, {}, knowing());

describe('a verdict', () => {
  test.each<[Partial<Field>, Entry, string | undefined]>([
    [{ min: 3, max: 5 }, 'ab', 'Name must have 3–5 characters; it has 2.'],
    [{ min: 3, max: 5 }, 'abc', undefined],
    [{ min: 3, max: 5 }, 'abcde', undefined],
    [{ min: 3, max: 5 }, 'abcdef', 'Name must have 3–5 characters; it has 6.'],
    [{ max: 2 }, '🚀🚀', undefined],
    [{ max: 2 }, 'abc', 'Name must have at most 2 characters; it has 3.'],
    [{ min: 2 }, 'a', 'Name must have at least 2 characters; it has 1.'],
    [{ kind: 'secret', min: 7 }, 'secret', 'Name must have at least 7 characters; it has 6.'],
    [{ kind: 'integer', min: 10, max: 20, unit: 'GB' }, '9', 'Name must be 10–20 GB; it is 9.'],
    [{ kind: 'integer', min: 10, max: 20, unit: 'GB' }, '10', undefined],
    [{ kind: 'integer', min: 10, max: 20, unit: 'GB' }, '20', undefined],
    [{ kind: 'integer', min: 10, max: 20, unit: 'GB' }, '21', 'Name must be 10–20 GB; it is 21.'],
    [{ kind: 'integer', min: 0 }, '-1', 'Name must be at least 0; it is -1.'],
    [{ kind: 'integer' }, '1.5', 'Name must be a whole number.'],
    [{ kind: 'integer' }, '1e3', 'Name must be a whole number.'],
    [{ kind: 'choice', options: ['a', 'b'] }, 'c', 'Name must be one of a, b.'],
    [{ kind: 'choice', options: ['a', 'b'] }, 'b', undefined],
    [{ kind: 'json' }, '{"a": 1}', undefined],
    [{ kind: 'json' }, '[1]', 'Name must be a JSON object, e.g. {"name": "value"}.'],
    [{ kind: 'strings', max: 1 }, ['a', 'b'], 'Name must have at most 1 entries; it has 2.'],
    [{ kind: 'strings', pattern: { test: /^a/, says: 'words on a' } }, ['a', 'b'], 'Name must be made of words on a.'],
    [{ pattern: { test: /^a/, says: 'words on a' } }, 'b', 'Name must be made of words on a.'],
    [{ pattern: { test: /^a/, says: 'a word on a', whole: true } }, 'b', 'Name must be a word on a.'],
    [tagsField, ['abc', '', 'def', ''], undefined],
    [{ kind: 'strings', max: 1 }, ['a', ''], undefined],
    [tagsField, ['ab'], 'Tags must be 3–50 characters each.'],
    [{ min: 2, max: 2 }, 'abc', 'Name must have exactly 2 characters; it has 3.'],
    [{ check: (entry) => (entry === 'no' ? 'is no' : undefined) }, 'no', 'Name is no.'],
    [{ min: 3 }, '', undefined],
    [{ kind: 'boolean' }, false, undefined],
  ])('on %j holding %j is %j', (field, entry, says) => {
    expect(verdict(field, entry)).toBe(says);
  });

  test('names what is missing with its rule', () => {
    expect(verdict({ min: 3, max: 5 }, undefined, true)).toBe('Name is required: 3–5 characters.');
    expect(verdict({}, '', true)).toBe('Name is required.');
    expect(verdict({ kind: 'strings' }, ['', ''], true)).toBe('Name: at least one is required.');
  });

  test('says where JSON breaks', () => {
    expect(verdict({ kind: 'json' }, '{')).toMatch(/^Name must be valid JSON: .+\.$/);
  });
});

test('a rule says range, pattern, what stands when left out, and that it is required', () => {
  expect(ruleOf({ label: 'Size', kind: 'integer', min: 10, max: 20, unit: 'GB', fallback: 12 }, false)).toBe(
    '10–20 GB, 12 GB if left out',
  );
  expect(ruleOf({ label: 'On', kind: 'boolean', fallback: true }, false)).toBe('yes if left out');
  expect(ruleOf({ label: 'On', kind: 'boolean', fallback: true }, true)).toBe('required');
});

const action: Action = {
  name: 'create',
  key: 'n',
  help: 'New',
  method: 'POST',
  path: '/things',
  body: ['label!', 'size'],
  check: ({ label, size }) => (label === size ? { field: 'size', says: 'the label is the size' } : undefined),
};
const things: Resource = resource()({
  name: 'volumes',
  one: 'thing',
  many: 'Things',
  area: 'Storage',
  id: 'id',
  param: 'thingId',
  label: () => 'a thing',
  columns: [],
  fields: { label: { label: 'Label', kind: 'text' }, size: { label: 'Size', kind: 'integer' } },
});

describe('the complaints about a draft', () => {
  const complaints = (draft: Record<string, Entry>) => complaintsOf(things, action, draft, knowing());

  test('come field by field in the order of the form', () => {
    expect(complaints({ size: 'x' })).toEqual([
      { field: 'label', says: 'Label is required.' },
      { field: 'size', says: 'Size must be a whole number.' },
    ]);
  });

  test('hold the rule across fields once each field is right', () => {
    expect(complaints({ label: '5', size: '5' })).toEqual([{ field: 'size', says: 'Size: the label is the size.' }]);
    expect(complaints({ label: '5', size: '6' })).toEqual([]);
  });
});
