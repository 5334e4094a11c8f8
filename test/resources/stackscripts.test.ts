import { describe, expect, test } from 'vitest';
import { bodyOf, entriesLike, formFields } from '../../src/resources/body.ts';
import { isMadeFor, questionsOf } from '../../src/resources/compute/scriptQuestions.ts';
import { servers } from '../../src/resources/compute/servers.ts';
import { stackscripts } from '../../src/resources/compute/stackscripts.ts';
import type { Action, Draft, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const createServer = servers.create as Action;

const user_defined_fields = [
  { name: 'release', label: 'Release to deploy', example: '2024.18' },
  { name: 'role', label: 'Role', oneOf: 'web,api', default: 'web' },
  { name: 'modules', label: 'Modules', manyOf: 'a, b,c', default: '' },
  { name: 'db_password', label: 'Password of the database user, kept secret' },
];
const script = {
  id: 10,
  label: 'web-node',
  images: ['server/debian12'],
  is_public: false,
  mine: true,
  username: 'operator',
  script: '#!/bin/sh\n',
  user_defined_fields,
};
const foreign = { ...script, id: 11, mine: false, is_public: true, username: 'apps-team' };
const view = knowing({ stackscripts: [script], images: [{ id: 'server/debian12', label: 'Debian 12', size: 1000 }] });

const actionNamed = (name: string) => actionOf(stackscripts, name);

describe('the questions of a script', () => {
  test('come from the API, else from its tags', () => {
    const text =
      '#!/bin/sh\n# <UDF name="a" Label="The a" default="" example="x > y">\n# <udf name=\'b\' oneof="1, 2" />\n# <UDF label="nameless">';
    expect(questionsOf({ user_defined_fields: [{ name: 'a' }], script: text })).toEqual([{ name: 'a', label: 'a' }]);
    expect(questionsOf({ script: text })).toEqual([
      { name: 'a', label: 'The a', example: 'x > y', default: '' },
      { name: 'b', label: 'b', oneOf: ['1', '2'] },
    ]);
    expect(questionsOf({ user_defined_fields: null, script: '#!/bin/sh' })).toEqual([]);
    expect(questionsOf({})).toBeUndefined();
  });

  test.each([
    [undefined, 'server/debian12', true],
    [script, undefined, true],
    [script, 'server/debian12', true],
    [script, 'server/debian11', false],
    [{ images: ['any/all'] }, 'private/1', true],
  ])('of %j and the image %s', (row, image, fits) => {
    expect(isMadeFor(row, image)).toBe(fits);
  });
});

describe('deploying one', () => {
  const base = {
    mode: 'stackscript',
    stackscript_id: '10',
    image: 'server/debian12',
    region: 'us-east',
    type: 'small',
  };
  const draft: Draft = { ...base, root_pass: 'seven77', 'stackscript_data.release': '2024.18' };
  const fieldsOf = (entries: Draft, loaded = view) =>
    formFields(servers, createServer, entries, undefined, loaded).filter(({ name }) =>
      name.startsWith('stackscript_data'),
    );

  test('asks its questions: as choices where it says so, without a default as required, passwords masked', () => {
    expect(fieldsOf(base).map(({ name, field: { kind }, required }) => [name, kind, required])).toEqual([
      ['stackscript_data.release', 'text', true],
      ['stackscript_data.role', 'choice', false],
      ['stackscript_data.modules', 'choices', false],
      ['stackscript_data.db_password', 'secret', true],
    ]);
    expect(fieldsOf(base)[3]?.field.help).toBe('Password of the database user, kept secret.');
    expect(fieldsOf(base)[1]?.field.fallback).toBe('web');
  });

  test.each(['apikey', 'api_key', 'DB_PASS', 'rootpass', 'passwd', 'client_secret', 'runner_token'])(
    '%s is masked',
    (name) => {
      const asks = knowing({ stackscripts: [{ ...script, user_defined_fields: [{ name }] }] });
      expect(fieldsOf(base, asks)[0]?.field.kind).toBe('secret');
    },
  );

  test.each(['keyboard', 'monkeys', 'hostname'])('%s is not', (name) => {
    const asks = knowing({ stackscripts: [{ ...script, user_defined_fields: [{ name }] }] });
    expect(fieldsOf(base, asks)[0]?.field.kind).toBe('text');
  });

  test('is asked for as JSON where the script or its questions are not known', () => {
    const json = [['stackscript_data', 'json']];
    const kinds = (loaded: ReturnType<typeof knowing>) =>
      fieldsOf(base, loaded).map(({ name, field }) => [name, field.kind]);
    expect(kinds(knowing())).toEqual(json);
    expect(kinds(knowing({ stackscripts: [{ id: 10, label: 'x' }] }))).toEqual(json);
    expect(kinds(knowing({ stackscripts: [{ ...script, user_defined_fields: [{ name: 'a.b' }] }] }))).toEqual(json);
  });

  test('wants what has no default', () => {
    const wrong = (entries: Draft) => complaintsOf(servers, createServer, entries, view).map(({ field }) => field);
    expect(wrong({ ...draft, 'stackscript_data.release': '' })).toEqual([
      'stackscript_data.release',
      'stackscript_data.db_password',
    ]);
    expect(wrong({ ...draft, 'stackscript_data.db_password': 'x', 'stackscript_data.role': 'db' })).toEqual([
      'stackscript_data.role',
    ]);
    expect(wrong({ ...draft, 'stackscript_data.db_password': 'x' })).toEqual([]);
  });

  test('sends the answers by name, several choices with commas, and nothing of another script', () => {
    const answers = {
      'stackscript_data.modules': ['a', 'c'],
      'stackscript_data.role': '',
      'stackscript_data.old': 'x',
    };
    expect(bodyOf(servers, createServer, { ...draft, ...answers }, undefined, view)).toMatchObject({
      stackscript_id: 10,
      stackscript_data: { release: '2024.18', modules: 'a,c' },
    });
    const none = bodyOf(servers, createServer, { ...draft, 'stackscript_data.modules': [] }, undefined, view);
    expect(none?.stackscript_data).toEqual({ release: '2024.18' });
  });

  test('offers only images and scripts that go together', () => {
    const offers = (name: string, row: Row, entries: Draft) =>
      formFields(servers, createServer, { mode: 'stackscript', ...entries })
        .find((one) => one.name === name)
        ?.field.offers?.(row, entries, view);
    expect(offers('image', { id: 'server/debian12' }, { stackscript_id: '10' })).toBe(true);
    expect(offers('image', { id: 'server/debian11' }, { stackscript_id: '10' })).toBe(false);
    expect(offers('image', { id: 'server/debian12', status: 'creating' }, {})).toBe(false);
    expect(offers('stackscript_id', script, { image: 'server/debian12' })).toBe(true);
    expect(offers('stackscript_id', script, { image: 'server/debian11' })).toBe(false);
  });

  test('begins at the script, with its image where it has only one', () => {
    const deploy = stackscripts.shortcuts?.find(({ name }) => name === 'deploy');
    expect(deploy?.start(script, view, {})).toMatchObject({ stackscript_id: '10', image: 'server/debian12' });
    expect(deploy?.start({ ...script, images: ['a', 'b'] }, view, {})).toMatchObject({ image: undefined });
  });
});

describe('a StackScript', () => {
  const filled = { label: 'web', images: ['server/debian12'], script: '#!/bin/sh\ntrue\n' };
  const wrong = (draft: Draft) =>
    complaintsOf(stackscripts, actionNamed('create'), draft, view).map(({ field }) => field);

  test.each([
    ['label', 'ab', 'abc'],
    ['label', 'a'.repeat(129), 'a'.repeat(128)],
    ['images', [], ['server/debian12']],
    ['script', 'echo hello', '#!/bin/sh'],
  ])('%s refuses %j and takes %j', (field, refused, taken) => {
    expect(wrong({ ...filled, [field]: refused })).toEqual([field]);
    expect(wrong({ ...filled, [field]: taken })).toEqual([]);
  });

  test('is published by its own action alone, once, by its owner', () => {
    const publish = actionNamed('publish');
    expect(bodyOf(stackscripts, publish, {}, script)).toEqual({ is_public: true });
    expect(actionNamed('edit').body).not.toContain('is_public');
    expect(publish.refuse?.(script, view)).toBeUndefined();
    expect(publish.refuse?.({ ...script, is_public: true }, view)).toContain('already public');
    expect(publish.refuse?.(foreign, view)).toContain('belongs to apps-team');
    expect(publish.ask).toHaveProperty('typeLabel', true);
    expect(saidBy(publish, 'warning', script, view)).toContain('never be made private again');
  });

  test('is deleted only while private, and edited only by its owner', () => {
    const refusal = (name: string, row: Row) => actionNamed(name).refuse?.(row, view);
    expect(refusal('delete', script)).toBeUndefined();
    expect(refusal('delete', { ...script, is_public: true })).toContain('only private');
    expect(refusal('delete', foreign)).toContain('belongs to apps-team');
    expect(refusal('edit', { ...script, is_public: true })).toBeUndefined();
    expect(refusal('edit', foreign)).toContain('belongs to apps-team');
  });

  test('whose owner is not told is mine while it is private', () => {
    const { mine: _, ...untold } = script;
    const [mine, everybodys] = stackscripts.sections ?? [];
    expect([script, foreign, untold, { ...untold, is_public: true }].map((row) => mine?.only(row))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([script, foreign].map((row) => everybodys?.only(row))).toEqual([false, true]);
  });

  test('is made like another with its script and images, but never public unasked', () => {
    const start = entriesLike(stackscripts, stackscripts.create as Action, { ...script, is_public: true });
    expect(start).toMatchObject({ images: script.images, script: script.script });
    expect(start.is_public).not.toBe(true);
    expect(start.rev_note).toBeUndefined();
  });
});
