import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../src/resources/body.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { type ListOperation, type Row, viewWith } from '../../src/resources/resource.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const tags = resourceNamed('tags');
const tagged = resourceNamed('tagged');
const prod = { label: 'prod' };

const view = knowing({
  servers: [{ tags: ['prod', 'web'] }, { tags: ['prod'] }, { tags: [] }, {}],
  volumes: [{ tags: ['prod'] }],
  domains: [{ tags: ['web'] }],
  nodebalancers: [],
});
const partly = viewWith(view, { isRead: (name) => name !== 'domains' });

const columnOf = (title: string, row: Row, known = view) => {
  const value = tags.columns.find((column) => column.title === title)?.value;
  return typeof value === 'function' ? value(row, known) : undefined;
};

test('what bears a tag is counted by kind and in all', () => {
  const counts = ['Servers', 'Volumes', 'Domains', 'NodeBalancers', 'Total'].map((title) => columnOf(title, prod));
  expect(counts).toEqual([2, 1, undefined, undefined, 3]);
  expect(columnOf('Total', prod, partly)).toBeUndefined();
});

test.each([
  ['prod', /removes it from 2 servers and 1 volume,/],
  ['web', /removes it from 1 server and 1 domain,/],
  ['unused', /Nothing that is loaded has it\.$/],
])('before %s is deleted it is said what loses it', (label, says) => {
  expect(tags.remove?.ask).toHaveProperty('typeLabel', true);
  expect(saidBy(tags.remove, 'warning', { label }, view)).toMatch(says);
  const others = label === 'unused' ? says : / that are loaded, and from others that have it, which stay/;
  expect(saidBy(tags.remove, 'warning', { label }, partly)).toMatch(others);
});

test('members are told apart by kind and id, and lead to their own kind', () => {
  const { rows } = tagged.list as ListOperation;
  const data = [
    { type: 'server', data: { id: 5, label: 'web-1', ipv4: ['192.0.2.10'], status: 'running' } },
    { type: 'domain', data: { id: 5, domain: 'example.com' } },
    { type: 'reserved_ipv4_address', data: { address: '192.0.2.77' } },
  ];
  const members = rows?.({ data }) ?? [];
  expect(members.map(({ key }) => key)).toEqual(['server/5', 'domain/5', 'reserved_ipv4_address/192.0.2.77']);
  expect(members.map(({ entity }) => entity)).toEqual([
    { type: 'server', id: 5 },
    { type: 'domain', id: 5 },
    { type: 'reserved_ipv4_address', id: undefined },
  ]);
  expect(members.map(tagged.label)).toEqual(['web-1', 'example.com', '192.0.2.77']);
});

describe.each(['servers', 'volumes', 'domains', 'nodebalancers'])('on %s', (name) => {
  const resource = resourceNamed(name);
  const sent = (action: string, chosen: readonly string[], row: Row) => {
    return bodyOf(resource, actionOf(resource, action), { tags: chosen }, row);
  };
  const row = { id: 1, label: 'one', tags: ['prod', 'web'] };

  test('tags are added to those that each has', () => {
    expect(sent('tag', ['blue', 'web'], row)).toEqual({ tags: ['prod', 'web', 'blue'] });
    expect(sent('tag', ['blue'], { id: 2 })).toEqual({ tags: ['blue'] });
  });

  test('tags that it has already are not added', () => {
    const tag = actionOf(resource, 'tag');
    expect(tag.check?.({ tags: ['prod', 'web'] }, view, row, {})?.says).toBe('it has them already');
    expect(tag.check?.({ tags: ['prod', 'blue'] }, view, row, {})).toBeUndefined();
  });

  test('tags are taken off, the others stay', () => {
    expect(sent('untag', ['prod', 'blue'], row)).toEqual({ tags: ['web'] });
    expect(sent('untag', ['prod', 'web'], row)).toEqual({ tags: [] });
  });

  test('only tags that a row has are offered to be taken off', () => {
    const untag = actionOf(resource, 'untag');
    const { optionsOf } = untag.fields?.tags ?? {};
    expect(optionsOf?.([row, { tags: ['on call', 'web'] }, { tags: null }])).toEqual(['on call', 'prod', 'web']);
    expect(untag.refuse?.(row, view)).toBeUndefined();
    expect(untag.refuse?.({ ...row, tags: [] }, view)).toBe('it has no tags');
  });
});
