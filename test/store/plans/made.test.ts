import { expect, test } from 'vitest';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Draft, Row } from '../../../src/resources/resource.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import type { PlanStep } from '../../../src/store/plans/plan.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import { client, json, serve } from '../../api/server.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { onePage } from '../apiOn.ts';
import { eventOf, openStores } from '../openStores.ts';

/** Stores before a zone that takes whatever is sent to it, and the bodies that were. */
async function openZone(...first: readonly Row[]) {
  const rows: Row[] = first.map((row, id) => ({ id: id + 1, ttl_sec: 0, ...row }));
  const events: Row[] = [];
  const lost = { is: false };
  const refused = { is: false };
  const { url, seen } = await serve(({ method, url: { pathname }, body }, response) => {
    if (method === 'POST' && refused.is) return json(response, { errors: [{ reason: 'No.' }] }, 400);
    if (method === 'POST') rows.push({ id: rows.length + 1, ttl_sec: 0, ...JSON.parse(body) });
    if (method === 'POST') return lost.is ? response.destroy() : json(response, rows.at(-1));
    if (pathname.endsWith('/events')) return json(response, onePage(events));
    if (pathname.endsWith('/records')) return json(response, onePage(rows));
    return json(response, onePage([{ id: 1, domain: 'alpha.example', type: 'master', status: 'active' }]));
  });
  const stores = openStores(client(url).api);
  const records = resourceNamed('records');
  const action = actionOf(records, 'create');
  const plan = (draft: Draft) =>
    expect(
      putInPlan(stores, { resource: records, action, targets: [], params: { domainId: '1' }, draft }),
    ).toBeUndefined();
  const carryOut = async (...again: readonly number[]) => {
    const { steps } = await carryOutPlan(
      stores,
      { ...stores.plans.plan(), host: 'api.example.com' },
      { keep: ({ steps }) => stores.plans.setState({ steps }), again: new Set(again) },
    );
    return steps.map(({ result }) => [result?.state, result?.says]);
  };
  const sent = () => seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
  const setSteps = (change: (step: PlanStep, nth: number) => PlanStep) =>
    stores.plans.setState(({ steps }) => ({ steps: steps.map(change) }));
  return { rows, events, lost, refused, plan, carryOut, sent, setSteps };
}

const alias = { type: 'CNAME', name: 'www', target: 'beta.example' };
const address = { type: 'A', name: 'www', target: '192.0.2.4' };

test('a record that a step makes is checked against what steps before it have made', async () => {
  const { plan, carryOut, sent } = await openZone();
  plan(alias);
  plan(address);
  expect(await carryOut()).toEqual([
    ['done', undefined],
    [
      'refused',
      'Name: www.alpha.example has a CNAME beside A; a CNAME must be the only record of its name, so delete it or the others (RFC 1034 §3.6.2). Nothing was sent.',
    ],
  ]);
  expect(sent()).toEqual([alias]);
});

test('a record that a step makes is checked against what others have made since it was planned', async () => {
  const { rows, plan, carryOut, sent } = await openZone();
  plan({ type: 'TXT', target: 'v=spf1 -all' });
  rows.push({ id: 9, type: 'TXT', name: '', target: 'v=spf1 mx -all', ttl_sec: 0 });
  const [[state, says] = []] = await carryOut();
  expect([state, says]).toEqual(['refused', expect.stringContaining('alpha.example has 2 SPF records')]);
  expect(sent()).toEqual([]);
});

test('a record does not wait for one of another part of the plan', async () => {
  const { plan, carryOut, sent, setSteps } = await openZone();
  plan(alias);
  plan(address);
  const rolling = { id: 'stopped', title: 'New record' };
  setSteps((step, nth) => (nth === 0 ? { ...step, rolling } : step));
  expect((await carryOut())[1]).toEqual(['done', undefined]);
  expect(sent()).toEqual([address]);
});

test('what does not meet is made', async () => {
  const { plan, carryOut, sent } = await openZone({ ...alias, name: 'ftp' });
  plan(address);
  plan({ type: 'MX', null_mx: true });
  expect((await carryOut()).map(([state]) => state)).toEqual(['done', 'done']);
  expect(sent()).toEqual([address, { type: 'MX', name: '', target: '', priority: 0 }]);
});

test('what was there and is gone is not made once more, as it may have been of this request', async () => {
  const { rows, events, lost, plan, carryOut, sent } = await openZone();
  const created = new Date(Date.now() + 5000).toISOString().slice(0, 19);
  const entity = { type: 'domain', id: 1, label: 'alpha.example' };
  events.push({ ...eventOf(7, 'dns_record_create', 'finished', entity), created, username: 'operator' });
  plan(address);
  lost.is = true;
  const [[state] = []] = await carryOut();
  expect(state).toBe('unknown');
  rows.length = 0;
  lost.is = false;
  const [[still, says] = []] = await carryOut();
  expect(sent()).toHaveLength(1);
  expect(still).toBe('unknown');
  expect(says).toContain('one was made then, as the events tell, and is gone now');
});

test('a request that is refused says nothing of the one before, so nothing is sent again unasked', async () => {
  const { rows, events, lost, refused, plan, carryOut, sent } = await openZone();
  const created = new Date(Date.now() + 5000).toISOString().slice(0, 19);
  const entity = { type: 'domain', id: 1, label: 'alpha.example' };
  events.push({ ...eventOf(7, 'dns_record_create', 'finished', entity), created, username: 'operator' });
  plan(address);
  lost.is = true;
  expect((await carryOut())[0]?.[0]).toBe('unknown');
  rows.length = 0;
  [lost.is, refused.is] = [false, true];
  const [[state, says] = []] = await carryOut(1);
  expect(sent()).toHaveLength(2);
  expect([state, says]).toEqual(['unknown', expect.stringMatching(/^No \(400\)\. It was sent before as well/)]);
  refused.is = false;
  expect((await carryOut())[0]?.[0]).toBe('unknown');
  expect(sent()).toHaveLength(2);
  expect((await carryOut(1))[0]?.[0]).toBe('done');
  expect(sent()).toHaveLength(3);
});
