import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Row } from '../../src/resources/resource.ts';
import type { Change } from '../../src/store/changes/change.ts';
import { nextBack } from '../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { carryOutPlan } from '../../src/store/plans/carryOut.ts';
import type { Plan } from '../../src/store/plans/plan.ts';
import { loggedSessions, losingDemo } from './losingDemo.ts';

const losing = losingDemo();
const domains = resourceNamed('domains');
const create = domains.create as Action;

/** Sessions, with the lines of their audit log as one of them has read it. */
function openLogged() {
  const open = loggedSessions(losing);
  const stores = open();
  const logged = async (of = stores): Promise<readonly Row[]> => {
    await of.audit.refresh();
    return of.view.rows('audit');
  };
  return { stores, open, logged };
}

const making = (domain: string): Change => {
  const body = { domain, type: 'master', soa_email: `admin@${domain}` };
  return { resource: domains, action: create, params: {}, label: domain, body };
};

/** From the next change on, no list can be read. */
function closeLists(): void {
  losing.onChange = async () => {
    losing.isClosed = true;
  };
}

function openLists(): void {
  losing.onChange = undefined;
  losing.isClosed = false;
}

test('a change that is found done after its answer was lost is done in the audit log, here and after a restart', async () => {
  const { stores, open, logged } = openLogged();
  const change = making('found-at-once.example');
  losing.fates = ['lost after'];
  const { results } = await sendChanges(stores, change, [change]);
  expect(results).toMatchObject([{ state: 'done' }]);
  const is = {
    outcome: 'done',
    params: { domainId: String(results[0]?.row?.id) },
    evidence: 'found-at-once.example is there now: the answer was lost, but it was done.',
    error: expect.stringMatching(/may have been done/),
  };
  expect(await logged()).toMatchObject([is]);
  expect(await logged(open())).toMatchObject([is]);
});

test('a transfer that is found done writes its token, by which anybody may accept it, to no line', async () => {
  const { stores, logged } = openLogged();
  const transfers = resourceNamed('entity-transfers');
  const [server] = await losing.rows('servers');
  const body = { entities: { servers: [server?.id] } };
  const change: Change = { resource: transfers, action: transfers.create as Action, params: {}, label: 'new', body };
  losing.fates = ['lost after'];
  const { results } = await sendChanges(stores, change, [change]);
  expect(results).toMatchObject([{ state: 'done', row: { token: expect.any(String) } }]);
  const lines = await logged();
  expect(lines).toMatchObject([{ outcome: 'done', evidence: expect.stringContaining('is there now') }]);
  expect(JSON.stringify(lines)).not.toContain(results[0]?.row?.token);
});

test('one that is found done only when it is sent again is one change, taken back once', async () => {
  const { stores, open, logged } = openLogged();
  const change = making('found-later.example');
  losing.fates = ['lost after'];
  closeLists();
  const [first] = (await sendChanges(stores, change, [change])).results;
  expect(first).toMatchObject({ state: 'unknown' });
  expect(await logged()).toMatchObject([{ outcome: 'answer lost' }]);
  openLists();
  const [again] = (await sendChanges(stores, change, [change])).results;
  expect(again).toMatchObject({ state: 'done' });
  const is = { outcome: 'done', uid: again?.uid, params: { domainId: String(again?.row?.id) } };
  expect(await logged()).toMatchObject([is]);
  const later = open();
  expect(await logged(later)).toMatchObject([is]);
  await nextBack(later, 'undo');
  expect(later.navigation.getState().overlays).toMatchObject([{ takesBack: { of: again?.uid } }]);
});

test('a step of a plan that another session finds done is done in the audit log', async () => {
  const { stores, open, logged } = openLogged();
  const { resource: _, action: __, before: ___, ...record } = making('found-by-plan.example');
  stores.plans.add([{ record: { ...record, resource: 'domains', action: 'create' } }]);
  const { steps } = stores.plans.getState();
  losing.fates = ['lost after'];
  closeLists();
  const plan = await carryOutPlan(stores, { host: 'api.example.com', steps }, { keep: () => {} });
  expect(plan.steps).toMatchObject([{ result: { state: 'unknown' } }]);
  openLists();
  const kept = JSON.parse(JSON.stringify(plan)) as Plan;
  const later = open();
  const {
    steps: [step],
  } = await carryOutPlan(later, kept, { keep: () => {} });
  expect(step).toMatchObject({ result: { state: 'done' } });
  const is = { outcome: 'done', params: step?.result?.made };
  expect(await logged(later)).toMatchObject([is]);
  expect(await logged(stores)).toMatchObject([is]);
});
