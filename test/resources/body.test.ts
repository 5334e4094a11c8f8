import { describe, expect, test } from 'vitest';
import { bodyOf, draftOf, entryOf, formFields, isBlank, sentValue } from '../../src/resources/body.ts';
import { type Action, type Field, type Resource, resource } from '../../src/resources/resource.ts';

const edit: Action = {
  name: 'edit',
  key: 'e',
  help: 'Edit',
  method: 'PUT',
  path: '/things',
  body: ['label!', 'note', 'tags', 'size', 'deep.inner', 'list.0.name', 'list.1.name', 'hint', 'extra'],
};
const create: Action = { ...edit, name: 'create', fields: { size: { label: 'Size of a new one', kind: 'text' } } };
const things: Resource = resource()({
  name: 'volumes',
  one: 'thing',
  many: 'Things',
  area: 'Storage',
  id: 'id',
  param: 'thingId',
  label: () => 'a thing',
  columns: [],
  fields: {
    label: { label: 'Label', kind: 'text', min: 1 },
    note: { label: 'Note', kind: 'paragraph', emptied: null },
    tags: { label: 'Tags', kind: 'strings' },
    size: { label: 'Size', kind: 'integer', needed: (draft) => draft.hint === 'big' },
    'deep.inner': { label: 'Inner', kind: 'boolean' },
    'list.0.name': { label: 'First', kind: 'text' },
    'list.1.name': { label: 'Second', kind: 'text' },
    hint: { label: 'Hint', kind: 'text', local: true },
    extra: { label: 'Extra', kind: 'text', emptied: '', shown: (draft) => draft.label === 'open' },
  },
});
const row = {
  label: 'a',
  note: 'n',
  tags: ['x', 'y'],
  size: 3,
  deep: { inner: false },
  list: [{ name: 'one' }],
  extra: 'e',
};

describe('a body', () => {
  test('nests dotted names, with arrays where a part is a number', () => {
    const draft = { label: 'b', 'deep.inner': true, 'list.0.name': 'one', 'list.1.name': 'two' };
    expect(bodyOf(things, create, draft)).toEqual({
      label: 'b',
      deep: { inner: true },
      list: [{ name: 'one' }, { name: 'two' }],
    });
  });

  test('leaves out what is untouched, blank, local or not shown', () => {
    const draft = { label: 'b', note: '', tags: undefined, hint: 'h', extra: 'e' };
    expect(bodyOf(things, create, draft)).toEqual({ label: 'b', note: null });
    expect(bodyOf(things, create, { label: 'open', extra: 'e' })).toEqual({ label: 'open', extra: 'e' });
  });

  test('of an edit holds only what differs from the row', () => {
    const draft = draftOf(things, edit, row);
    expect(bodyOf(things, edit, draft, row)).toEqual({});
    expect(bodyOf(things, edit, { ...draft, size: '4' }, row)).toEqual({ size: 4 });
  });

  test('of an edit clears each kind in its own way', () => {
    const cleared = { ...draftOf(things, edit, row), note: '', tags: [] };
    expect(bodyOf(things, edit, cleared, row)).toEqual({ note: null, tags: [] });
    const open = { ...row, label: 'open' };
    expect(bodyOf(things, edit, { ...draftOf(things, edit, open), extra: '' }, open)).toEqual({ extra: '' });
  });

  test('of an edit never holds an empty value where the field has none', () => {
    const cleared = { ...draftOf(things, edit, row), label: '', size: '' };
    expect(bodyOf(things, edit, cleared, row)).toEqual({});
  });

  test('is what `send` makes of it', () => {
    const wrapped: Action = { ...create, send: (body, draft) => ({ wrapped: body, asked: draft.hint }) };
    expect(bodyOf(things, wrapped, { label: 'b', hint: 'h' })).toEqual({ wrapped: { label: 'b' }, asked: 'h' });
  });

  test('is none where the operation takes none', () => {
    expect(bodyOf(things, { ...edit, body: undefined }, {})).toBeUndefined();
  });
});

describe('a form', () => {
  test('requires what is marked and what this draft needs', () => {
    const required = (draft: object) =>
      formFields(things, edit, { ...draft }).flatMap(({ name, required }) => (required ? [name] : []));
    expect(required({})).toEqual(['label']);
    expect(required({ hint: 'big' })).toEqual(['label', 'size']);
  });

  test('takes the action’s own field before the resource’s', () => {
    const labelIn = (action: Action) => formFields(things, action, {}).find(({ name }) => name === 'size')?.field.label;
    expect(labelIn(create)).toBe('Size of a new one');
    expect(labelIn(edit)).toBe('Size');
  });

  test('starts from all values of the row, those of fields that are shown later too', () => {
    expect(draftOf(things, edit, row)).toEqual({
      label: 'a',
      note: 'n',
      tags: ['x', 'y'],
      size: '3',
      'deep.inner': false,
      'list.0.name': 'one',
      'list.1.name': undefined,
      hint: undefined,
      extra: 'e',
    });
  });

  test('names the resource and field of a mistake in a description', () => {
    expect(() => formFields(things, { ...edit, body: ['absent!'] }, {})).toThrow('volumes has no field absent');
  });
});

const field = (kind: Field['kind'], more: Partial<Field> = {}): Field => ({ label: 'F', kind, ...more });

test.each([
  [field('integer'), '20', 20],
  [field('reference'), '7', 7],
  [field('reference', { to: 'regions' }), 'us-east', 'us-east'],
  [field('references'), ['1', '2'], [1, 2]],
  [field('references', { to: 'regions' }), ['a'], ['a']],
  [field('device'), 'disks/12', { disk_id: 12, volume_id: null }],
  [field('device'), 'volumes/7', { disk_id: null, volume_id: 7 }],
  [field('json'), '{"a": 1}', { a: 1 }],
  [field('boolean'), false, false],
  [field('strings'), [], []],
  [field('strings'), ['a', '', 'b', ''], ['a', 'b']],
  [field('strings'), [''], []],
  [field('text'), '', undefined],
  [field('text', { emptied: null }), '', null],
  [field('text'), undefined, undefined],
])('%j sends %j as %j', (described, entry, sent) => {
  expect(sentValue(described, entry)).toEqual(sent);
});

test.each([
  [field('integer'), 5, '5'],
  [field('boolean'), true, true],
  [field('device'), { disk_id: 12, volume_id: null }, 'disks/12'],
  [field('device'), { disk_id: null, volume_id: 7 }, 'volumes/7'],
  [field('device'), { disk_id: null, volume_id: null }, undefined],
  [field('device'), null, undefined],
  [field('json'), { a: 1 }, '{"a":1}'],
  [field('references'), [1, 2], ['1', '2']],
  [field('text'), null, undefined],
])('%j enters %j as %j', (described, value, entry) => {
  expect(entryOf(described, value)).toEqual(entry);
});

test('blank is untouched, empty text and a list without an item, but not a refusal', () => {
  expect([undefined, '', [], ['', '']].map(isBlank)).toEqual([true, true, true, true]);
  expect([false, ' ', ['', 'a']].map(isBlank)).toEqual([false, false, false]);
});
