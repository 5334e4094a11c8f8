import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paramsOf } from '../../src/resources/identity.ts';
import { isSingle, resourceNamed, resources } from '../../src/resources/index.ts';
import type { Finding, Rule } from '../../src/resources/problems/rule.ts';
import type { CacheView, LoadedList, Params, Resource, Row } from '../../src/resources/resource.ts';
import { rules } from '../../src/resources/rules/index.ts';
import { type Clockwork, openClockwork, type Page } from '../demo/clock.ts';
import { knowing } from './known.ts';

/** An API may answer these where something else was expected. */
const junk: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1e300, '', ' ', 'neither', '12', '2024-13-45T99:00:00', '2020-01-01T00:00:00'],
  ...[[], {}, [null], [{}], { id: null }, { sda: null }, { enabled: true }],
  ...['offline', 'stopped', 'rebooting', 'failed', 'pending_upload', 'creating', 'outage', 'unavailable', 'not ready'],
  ...['problem', 'pending', 'disabled', 'accepted', 'has_errors', 'slave', 'legacy', 'none', 'drain', 'DOWN', 'reject'],
  ...['CNAME', 'MX', 'NS', '192.0.2.1', 'a.example.com', 'v=spf1', 'v=spf1 a +all', '04/2024', '12/9999'],
  ...[1, 1e4, { up: 1, down: 1 }, { up: 0, down: 2 }],
];

/** The row with each of its fields, at any depth, gone and in every broken way. */
function* brokenFrom(row: Row): Generator<Row> {
  for (const [field, value] of Object.entries(row)) {
    const { [field]: _gone, ...rest } = row;
    yield rest;
    for (const other of junk) yield { ...row, [field]: other };
    const isNested = value !== null && typeof value === 'object' && !Array.isArray(value);
    if (isNested) for (const inner of brokenFrom(value as Row)) yield { ...row, [field]: inner };
  }
}

/** The rows, each with another of its fields broken in another way. */
const bent = (rows: readonly Row[], turn: number): readonly Row[] =>
  rows.map((row, index) => {
    const ways = [...brokenFrom(row)];
    return ways[(index * 31 + turn * 97) % ways.length] ?? {};
  });

const year = 365 * 86_400_000;
/** So many rows of a list are broken. */
const most = 2;

describe('broken rows', () => {
  let demo: Clockwork;
  const lists: Record<string, readonly LoadedList[]> = {};
  const answers: Record<string, Row> = {};
  let turns: readonly CacheView[] = [];
  const said = new Map<Rule, readonly Finding[]>();

  beforeAll(async () => {
    demo = await openClockwork({ servers: 12 });
    for (const resource of resources.filter(({ under }) => under === undefined)) {
      const list = await listOf(resource, {});
      if (list) lists[resource.name] = [list];
    }
    for (const resource of resources.filter(({ under, list }) => under !== undefined && list?.pages !== 'marker'))
      lists[resource.name] = await listsUnder(resource);
    for (const { of, fetches } of rules) for (const asked of [fetches ?? []].flat()) await askAll(of, asked);
    turns = [0, 1, 2].map(viewIn);
  });

  afterAll(() => demo.close());

  async function listOf(resource: Resource, params: Params): Promise<LoadedList | undefined> {
    const single = isSingle(resource);
    if (!single && !resource.list) return undefined;
    const { status, body } = await demo.ask<Row & Page<Row>>(resource.name, single ? 'view' : 'list', params);
    if (status !== 200) return undefined;
    return { params, rows: single ? [body] : (resource.list?.rows?.(body) ?? body.data), whole: true };
  }

  const parentsOf = ({ under }: Resource) =>
    (lists[under ?? ''] ?? []).flatMap(({ rows, params }) =>
      rows.slice(0, most).map((row) => paramsOf(resourceNamed(under ?? ''), row, params)),
    );

  async function listsUnder(resource: Resource): Promise<readonly LoadedList[]> {
    const found = await Promise.all(parentsOf(resource).map((params) => listOf(resource, params)));
    return found.filter((list) => list !== undefined);
  }

  async function askAll(name: string, operation: string): Promise<void> {
    for (const { rows, params } of lists[name] ?? [])
      for (const row of rows.slice(0, most)) {
        const own = paramsOf(resourceNamed(name), row, params);
        answers[[name, operation, ...Object.values(own)].join(' ')] = (await demo.ask<Row>(name, operation, own)).body;
      }
  }

  /** The loaded rows, years later, when much is late; in every turn but the first, all of it is broken. */
  function viewIn(turn: number) {
    const broken = (rows: readonly Row[]) => (turn === 0 ? rows : bent(rows, turn));
    const listsNow = Object.entries(lists).map(([name, found]) => [
      name,
      found.map((list) => ({ ...list, rows: broken(list.rows) })),
    ]);
    return knowing(Object.fromEntries(listsNow), {
      answers: Object.fromEntries(Object.entries(answers).map(([key, body]) => [key, broken([body])[0]])),
      events: broken(lists.events?.[0]?.rows ?? []),
      usage: Object.fromEntries((lists.servers?.[0]?.rows ?? []).map(({ id }) => [String(id), { cpu: 1e6, io: 1e9 }])),
      now: Date.UTC(2025, 5, 10, 12) + turn * year,
    });
  }

  /** Every sentence that a rule says of the rows of its resource, each broken in every way. */
  function saidBy(rule: Rule): readonly Finding[] {
    const { of, find } = rule;
    const known = said.get(rule);
    if (known) return known;
    const found = turns.flatMap((view) =>
      (lists[of] ?? []).flatMap(({ rows, params }) =>
        rows.slice(0, most).flatMap((row) => {
          const named = paramsOf(resourceNamed(of), row, params);
          const answers = [row, {}, ...brokenFrom(row)].flatMap((one) => [find(one, view, named) ?? []].flat());
          return answers.map((one) => (typeof one === 'string' ? { says: one } : one));
        }),
      ),
    );
    said.set(rule, found);
    return found;
  }

  it.each(rules.map((rule) => [rule.name, rule] as const))('neither stop %s nor make it talk nonsense', (_, rule) => {
    expect(lists[rule.of]?.length).toBeGreaterThan(0);
    for (const { says, since } of saidBy(rule)) {
      expect(says).not.toMatch(/undefined|null|NaN|Infinity|\[object|\s{2}|^\s|\s$/);
      if (since !== undefined) expect(typeof since).toBe('number');
    }
  });

  it('have been told of by most rules', () => {
    const talking = rules.filter((rule) => saidBy(rule).length > 0);
    expect(talking.length).toBeGreaterThan(rules.length / 2);
  });
});
