import { describe, expect, test } from 'vitest';
import { askOf } from '../../src/resources/asking.ts';
import { labelled } from '../../src/resources/field.ts';
import { actionsOf, operationsOf, resourceCalled, resourceNamed, resources } from '../../src/resources/index.ts';
import { type Action, type Field, fieldOf, type Resource } from '../../src/resources/resource.ts';

const asList = (one: string | readonly string[] | undefined) => (one === undefined ? [] : [one].flat());

/** The path parameters that a row of a resource has: its own, and those of what it lies under. */
const namesOf = ({ param, params = {}, under }: Resource): readonly string[] => [
  param,
  ...Object.keys(params),
  ...(under ? namesOf(resourceNamed(under)) : []),
];

describe.each(resources)('the description of $name', (resource) => {
  test('names fields that it has', () => {
    for (const action of actionsOf(resource))
      for (const name of action.body ?? []) expect(fieldOf(resource, action, name).label).toBeTruthy();
  });

  test('has no fallback for what it requires, for that is never left out', () => {
    for (const action of actionsOf(resource))
      for (const name of (action.body ?? []).filter((entry) => entry.endsWith('!')))
        expect(fieldOf(resource, action, name).fallback, `${action.name} ${name}`).toBeUndefined();
  });

  test('never empties a text that has a least length', () => {
    const all = [resource.fields, ...actionsOf(resource).map(({ fields = {} }) => fields)].flatMap(
      Object.values<Field>,
    );
    expect(all.filter(({ emptied, min = 0 }) => emptied === '' && min > 0)).toEqual([]);
    const others = all.filter(({ kind, emptied }) => emptied === '' && !['text', 'paragraph'].includes(kind));
    expect(others).toEqual([]);
  });

  test('gives no two actions or shortcuts the same name or key', () => {
    const offered = [...actionsOf(resource), ...(resource.shortcuts ?? [])];
    expect(new Set(offered.map(({ key }) => key)).size).toBe(offered.length);
    expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length);
  });

  test('gives no two operations the same name', () => {
    const names = operationsOf(resource).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('points only to what is described', () => {
    const fields = actionsOf(resource).flatMap((action) =>
      (action.body ?? []).map((name) => fieldOf(resource, action, name)),
    );
    for (const field of fields) for (const to of asList(field.to)) expect(resourceNamed(to).list).toBeDefined();
    for (const tab of resource.tabs ?? []) if ('list' in tab) expect(resourceNamed(tab.list).name).toBe(tab.list);
    for (const { to, action } of resource.shortcuts ?? [])
      expect(actionsOf(resourceNamed(to)).map(({ name }) => name)).toContain(action);
    if (resource.under) expect(resourceNamed(resource.under).name).toBe(resource.under);
  });

  test('makes a row below each of several only by a form in which nothing belongs to one of them', () => {
    for (const { to, action, each, next } of resource.shortcuts ?? []) {
      if (each === undefined || next !== undefined) continue;
      const { create, ...child } = resourceNamed(to);
      expect([child.under, action]).toEqual([resource.name, create?.name]);
      const { body = [], ask, secret, multipart, dialog, parts } = create ?? {};
      expect([secret, multipart, dialog, parts]).toEqual(Array(4).fill(undefined));
      // All else would be asked of the row above it.
      expect(Object.keys(ask || {}).filter((said) => said !== 'note')).toEqual([]);
      const fields = body.map((name) => fieldOf(resourceNamed(to), create ?? {}, name));
      const isOfOne = ({ kind, to, under }: Field) =>
        kind === 'device' || under !== undefined || asList(to).some((name) => resourceNamed(name).under !== undefined);
      expect(fields.filter(isOfOne)).toEqual([]);
    }
  });

  test('makes a row in place of each of several only where it is of its own kind, and asks about the old ones then', () => {
    for (const { to, action, each, next, together } of resource.shortcuts ?? []) {
      if (each === undefined || next === undefined) continue;
      expect([to, action]).toEqual([resource.name, resource.create?.name]);
      expect(together).toMatch(/^[A-Z].*\.$/);
      const asked = actionsOf(resource).find(({ name }) => name === next);
      expect([asked?.body, asked?.dialog, askOf(asked as Action).typeLabel]).toEqual([undefined, undefined, true]);
    }
  });

  test('fills columns and tabs by operations that it declares', () => {
    const asked = resource.columns.flatMap(({ fetches }) => fetches ?? []);
    const tabs = (resource.tabs ?? []).flatMap((tab) => ('operation' in tab && tab.operation ? [tab.operation] : []));
    for (const name of [...asked, ...tabs]) expect(Object.keys(resource.operations ?? {})).toContain(name);
  });

  test('sorts by a column that it has, and keeps one at 80 columns', () => {
    const titles = resource.columns.map(({ title }) => title);
    if (resource.sort) expect(titles).toContain(resource.sort.replace(/^-/, ''));
    expect(new Set(titles).size).toBe(titles.length);
    expect(resource.columns.some(({ keep }) => keep === 1)).toBe(true);
  });

  test('fills every path by its own parameter and its parent’s', () => {
    const given = new Set([...namesOf(resource), 'year', 'month']);
    for (const { operation } of operationsOf(resource))
      for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) expect(given).toContain(name);
  });

  test('is found by each word that it is called', () => {
    for (const word of [resource.name.toLowerCase(), resource.one, ...(resource.aliases ?? [])])
      expect(resourceCalled(word)?.name).toBe(resource.name);
  });
});

test.each([
  ['objectKeys', 'object-keys'],
  ['objectStorage', 'object-storage'],
  ['objectClusters', 'object-clusters'],
  ['serverTypes', 'server-types'],
  ['nodebalancerConfigs', 'nodebalancer-configs'],
  ['nodebalancerNodes', 'nodebalancer-nodes'],
])('%s, as it was called before, is still understood', (before, now) => {
  expect(resourceCalled(before)?.name).toBe(now);
});

test.each([
  ['server_id', 'Server'],
  ['migrations.policy', 'Policy'],
  ['ssh.login_user', 'Login user'],
])('without a label the field %s is called %s', (name, label) => {
  expect(labelled({ [name]: {} })[name]?.label).toBe(label);
});

test.each([
  [{ max: 5 }, 'text'],
  [{ options: ['a', 'b'] }, 'choice'],
  [{ optionHelp: { a: 'the first' } }, 'choice'],
  [{ to: 'servers' }, 'reference'],
  [{ to: 'servers', picks: () => 'typed' }, 'text'],
  [{ kind: 'device', to: 'servers' }, 'device'],
] as const)('a field of %o is a %s', (field, kind) => {
  expect(labelled({ field })).toMatchObject({ field: { ...field, kind } });
});
