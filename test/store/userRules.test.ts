import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RuleConfig } from '../../src/config/schema.ts';
import { emptyView, type Params, type Row, viewWith } from '../../src/resources/resource.ts';
import { userRules } from '../../src/store/problems/userRules.ts';
import { knowing } from '../resources/known.ts';
import { openProblems, rowsTo } from './openProblems.ts';

const ruleFor = (where: string, more: Partial<RuleConfig> = {}): RuleConfig => ({
  for: 'servers',
  where,
  severity: 'critical',
  says: '{label} is {status}',
  ...more,
});

const server = (more: Row = {}): Row => ({ id: 1, label: 'web-1', status: 'shutting_down', tags: ['prod'], ...more });

const saidOf = (rule: RuleConfig, row: Row, view = emptyView) => {
  const [own] = userRules([rule]);
  return own?.find(row, view, { serverId: '1' });
};

describe('the sentence of a rule', () => {
  test.each([
    ['{label} is {status}', 'web-1 is shutting down'],
    ['{{{label}}}', '{web-1}'],
    ['{label} has {specs.vcpus} CPUs and {specs.gpus} GPUs', 'web-1 has 2 CPUs and unknown GPUs'],
    ['{tags} at {ipv4.0}, backups {backups.enabled}', 'prod at 192.0.2.1, backups no'],
    ['{vcpu} CPUs with {load} of {price}', '2 CPUs with 1.3 of unknown'],
  ])('%s', (says, said) => {
    const row = server({ specs: { vcpus: 2 }, ipv4: ['192.0.2.1'], backups: { enabled: false }, load: 1.26 });
    expect(saidOf(ruleFor('tag:prod', { says }), row)).toBe(said);
  });

  test('says where a row lies under another, unless it says so itself', () => {
    const view = knowing({ domains: [{ id: 3, domain: 'shop.example' }] });
    const said = (says: string, params: Params) => {
      const [own] = userRules([ruleFor('type=A', { for: 'records', says })]);
      return own?.find({ id: 5, type: 'A', name: 'old0' }, view, { recordId: '5', ...params });
    };
    expect(said('{name} leads nowhere', { domainId: '3' })).toBe('old0 leads nowhere (in shop.example)');
    expect(said('{name}.shop.example leads nowhere', { domainId: '3' })).toBe('old0.shop.example leads nowhere');
    expect(said('{name} leads nowhere', { domainId: '4' })).toBe('old0 leads nowhere');
  });

  test('says of which NodeBalancer the port of a node is', () => {
    const view = knowing({
      nodebalancers: [{ id: 1, label: 'web-lb' }],
      'nodebalancer-configs': [{ id: 2, port: 443, protocol: 'https' }],
    });
    const [own] = userRules([ruleFor('mode:drain', { for: 'nodebalancer-nodes', says: '{label} drains' })]);
    const params = { nodeBalancerId: '1', configId: '2', nodeId: '3' };
    expect(own?.find({ id: 3, label: 'web-1', mode: 'drain' }, view, params)).toEqual(
      'web-1 drains (in port 443 of web-lb)',
    );
  });

  test('has the label that the resource has for its rows', () => {
    const [own] = userRules([ruleFor('type:master', { for: 'domains', says: '{label}' })]);
    expect(own?.find({ id: 3, domain: 'shop.example', type: 'master' }, emptyView, {})).toEqual('shop.example');
  });
});

test.each([
  ['{transfer}', '29.7%'],
  ['{transfer} %', '29.7 %'],
  ['{transfer}%', '29.7%'],
])('a share is said with its unit once: %s', (says, said) => {
  const view = viewWith(emptyView, { transferShare: () => 29.7 });
  expect(saidOf(ruleFor('tag:prod', { says }), server(), view)).toBe(said);
});

test('many rows that a rule finds are said by the sentence about the first of them', () => {
  const [own] = userRules([ruleFor('tag:prod')]);
  expect(own?.several).toBe('{first}, and {more} more servers');
});

describe('what a rule finds', () => {
  test('is what its filter finds', () => {
    const rule = ruleFor('tag:prod !status:running');
    expect(saidOf(rule, server())).toBe('web-1 is shutting down');
    expect(saidOf(rule, server({ status: 'running' }))).toBeUndefined();
    expect(saidOf(rule, server({ tags: [] }))).toBeUndefined();
  });

  test('is what the column shows, and after a date what is after its end', () => {
    const rule = (where: string) => ruleFor(where, { says: '{label}' });
    expect(saidOf(rule('watchdog:yes'), server({ watchdog_enabled: true }))).toBe('web-1');
    expect(saidOf(rule('watchdog:yes'), server({ watchdog_enabled: false }))).toBeUndefined();
    expect(saidOf(rule('created>2025-05'), server({ created: '2025-05-20T10:00:00' }))).toBeUndefined();
    expect(saidOf(rule('created>2025-05'), server({ created: '2025-06-01T00:00:00' }))).toBe('web-1');
  });

  test('is nothing where a figure that it negates is not read', () => {
    const rule = ruleFor('!transfer>50', { says: '{label}' });
    const share = (value: number | undefined) => viewWith(emptyView, { transferShare: () => value });
    expect(saidOf(rule, server(), share(undefined))).toBeUndefined();
    expect(saidOf(rule, server(), share(20))).toBe('web-1');
    expect(saidOf(rule, server(), share(80))).toBeUndefined();
  });

  test('is named by area and filter, whatever else is configured', () => {
    const named = (...rules: RuleConfig[]) => userRules(rules).map(({ name }) => name);
    const [one, other] = [ruleFor('cpu>90 !tag:prod|web'), ruleFor('Type:master', { for: 'domain' })];
    expect(named(one, other)).toEqual(['own-servers-cpu-above-90-not-tag-prod-or-web', 'own-domains-type-master']);
    expect(named(other, one)).toEqual(named(one, other).toReversed());
    expect(named(one, one)).toEqual([named(one)[0], `${named(one)[0]}-2`]);
    expect(named(ruleFor('/^$/'))).toEqual(['own-servers']);
  });

  test('asks about the rows that its other terms find', () => {
    const asks = (where: string, row: Row) => userRules([ruleFor(where)])[0]?.fetchesOf?.(row, emptyView);
    expect(asks('tag:prod cpu>90 !status:running', server())).toBe(true);
    expect(asks('tag:prod cpu>90 !status:running', server({ status: 'running' }))).toBe(false);
    expect(asks('!(tag:web|tag:db) !cpu>90', server({ tags: ['db'] }))).toBe(false);
    // Either of them, so that all must be asked about.
    expect(asks('tag:web|cpu>90', server())).toBeUndefined();
    expect(asks('tag:prod', server())).toBeUndefined();
  });

  test('is not looked for where not all rows are read', () => {
    expect(userRules([ruleFor('mine', { for: 'stackscripts' }), ruleFor('x', { for: 'problems' })])).toEqual([]);
  });

  test('takes the figures of every row that are needed', () => {
    const asked = userRules([ruleFor('cpu>90 !transfer>10 in>5'), ruleFor('tag:prod web')]).map(
      ({ fetches }) => fetches,
    );
    expect(asked).toEqual([['stats', 'transfer'], []]);
    const said = userRules([ruleFor('tag:prod', { says: '{label} takes {in} of {transfer}, {cpu}, {nothing}' })]);
    expect(said.map(({ fetches }) => fetches)).toEqual([['stats', 'transfer']]);
    const ports = userRules([ruleFor('ports:80', { for: 'nodebalancers', says: '{ports} are open' })]);
    expect(ports.map(({ fetches }) => fetches)).toEqual([['configs']]);
  });
});

describe('rules that are replaced', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  test('find at once, and what the others found is gone; none of it is news', async () => {
    const volumes = (where: string) => userRules([ruleFor(where, { for: 'volumes', says: '{label}: {status}' })]);
    const { problems, ruleQueries, answerAll, api } = openProblems(volumes('status:active'));
    const said = () => problems.getState().problems.map(({ says }) => says);
    const replace = (next: ReturnType<typeof userRules>) => {
      ruleQueries.replaceRules(next);
      problems.replaceRules(next);
    };
    problems.watch();
    const rows = rowsTo(2, { label: 'data', status: 'active', size: 20 });
    await answerAll(() => rows);
    expect(said()).toEqual(['data: active', 'data: active']);
    const [before] = problems.getState().problems;
    replace(volumes('status:active'));
    await answerAll(() => rows);
    expect(problems.getState().problems[0]).toBe(before);
    replace(volumes('size>10'));
    await answerAll(() => rows);
    expect(problems.getState().problems.map(({ rule }) => rule)).toEqual(Array(2).fill('own-volumes-size-above-10'));
    replace(userRules([ruleFor('id:1', { for: 'domains' })]));
    await answerAll(() => [{ id: 1, domain: 'shop.example', status: 'active' }]);
    expect(said()).toEqual(['shop.example is active']);
    expect(problems.getState().news).toEqual([]);
    expect(api.all.map(({ name }) => name)).toEqual(['volumes.list', 'domains.list']);
    replace([]);
    await answerAll();
    expect(said()).toEqual([]);
  });
});
