import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/error.ts';
import { neededSecrets, whyRefused } from '../../../src/program/plans/secrets.ts';
import { actionsOf, creationsOf, resourceNamed, resources } from '../../../src/resources/index.ts';
import { fieldOf } from '../../../src/resources/resource.ts';
import { draftKey } from '../../../src/screens/form/useFormEdits.ts';
import { editStep, shownStep } from '../../../src/screens/plans/planStep.ts';
import type { Change } from '../../../src/store/changes/change.ts';
import { sendChanges } from '../../../src/store/changes/send.ts';
import type { FormOverlay } from '../../../src/store/navigation.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import { examinePlan } from '../../../src/store/plans/examinePlan.ts';
import type { StepResult } from '../../../src/store/plans/plan.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import { withoutSecrets } from '../../../src/store/plans/storedPlan.ts';
import { client, json, serve } from '../../api/server.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { apiOn, onePage } from '../apiOn.ts';
import { fakeApi } from '../fakeApi.ts';
import { openStores } from '../openStores.ts';

/** Every action that sends a secret, with the name and the label of its field. */
const secrets = resources.flatMap((resource) =>
  actionsOf(resource).flatMap((action) =>
    (action.body ?? []).flatMap((entry) => {
      const name = entry.replace('!', '');
      const { kind, label } = fieldOf(resource, action, name);
      return kind === 'secret' || kind === 'secretParagraph' ? [{ resource, action, name, label }] : [];
    }),
  ),
);

const nested = (name: string, value: unknown): object =>
  name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

test.each(secrets)('no $resource.name.$action.name leaves with a redaction in its $name', async (one) => {
  const { resource, action, name, label } = one;
  const { url, seen } = await serve((_, response) => json(response, {}));
  const stores = openStores(client(url).api);
  const id = creationsOf(resource).includes(action) ? {} : { [resource.param]: '1' };
  const params = Object.fromEntries([...action.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => [param, '1']));
  for (const value of ['[redacted]', '[redacted]geheim', 'geheim[redacted]']) {
    const change: Change = { resource, action, params: { ...id, ...params }, label: 'one', body: nested(name, value) };
    const { results } = await sendChanges(stores, change, [change]);
    expect(results[0]).toMatchObject({
      state: 'failed',
      says: `Nothing was sent: ${label} holds [redacted], which stands for a secret that was left out. Type the secret again.`,
    });
  }
  expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a text that only speaks of a redaction leaves', async () => {
  const { url, seen } = await serve((_, response) => json(response, {}));
  const stores = openStores(client(url).api);
  const tickets = resourceNamed('tickets');
  const action = actionOf(tickets, 'create');
  const body = { summary: 'It says [redacted]', description: 'a [redacted] b' };
  await sendChanges(stores, { resource: tickets, action }, [
    { resource: tickets, action, params: {}, label: 'x', body },
  ]);
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

/** Stores with the step that makes a server from an image, kept and opened again. */
function withKeptServer() {
  const stores = openStores(fakeApi());
  const entries = { mode: 'image', image: 'server/debian12', region: 'us-east', type: 'nanode', label: 'web-9' };
  const body = { image: 'server/debian12', region: 'us-east', type: 'nanode', label: 'web-9', root_pass: 'Battery-9' };
  stores.plans.add([{ record: { resource: 'servers', action: 'create', params: {}, label: 'web-9', body } }], {
    ...entries,
    root_pass: 'Battery-9',
    note: 'Battery-9',
  });
  stores.plans.replace({ steps: stores.plans.getState().steps.map(withoutSecrets) });
  const [step] = stores.plans.getState().steps;
  if (!step) throw new Error('no step');
  return { stores, step, entries };
}

test('the secret of a kept step opens empty, and all else as it was entered', () => {
  const { stores, step, entries } = withKeptServer();
  expect(JSON.stringify(step)).not.toContain('Battery');
  expect(editStep(stores, step)).toBeUndefined();
  const overlay = stores.navigation.getState().overlays.at(-1) as FormOverlay;
  const draft = stores.navigation.getState().drafts[draftKey(overlay)];
  expect(draft?.mine).toEqual(entries);
});

test('the secret of a step out of a file opens empty as well', () => {
  const { stores, step, entries } = withKeptServer();
  const { entries: _, ...plain } = step;
  expect(editStep(stores, plain)).toBeUndefined();
  const overlay = stores.navigation.getState().overlays.at(-1) as FormOverlay;
  const { mode: _mode, ...known } = entries;
  const mine = stores.navigation.getState().drafts[draftKey(overlay)]?.mine ?? {};
  expect(mine).toMatchObject(known);
  expect(mine.root_pass).toBeUndefined();
});

test('a step that has begun is shown without a word of its secret', () => {
  const { stores, step } = withKeptServer();
  expect(shownStep(stores, step)).toMatchObject({ lacksSecret: true });
  expect(shownStep(stores, { ...step, result: { state: 'begun', at: 0 } })).toMatchObject({
    lacksSecret: false,
    refusals: [],
    asks: [],
  });
});

test('a step that was sent, or has begun, needs its secret no more', () => {
  const { step } = withKeptServer();
  const tried = (state: StepResult['state']) => whyRefused({ ...step, result: { state, at: 0 } }, new Map(), []);
  expect(tried('failed')).toMatch(/^Its Root password is a secret, which no file keeps/);
  expect((['sent', 'unknown', 'begun', 'done'] as const).map(tried)).toEqual(Array(4).fill(undefined));
  expect(neededSecrets([{ ...step, result: { state: 'begun', at: 0 } }])).toEqual([]);
});

test('a kept step is not planned anew without its secret', () => {
  const { stores, step } = withKeptServer();
  const resource = resourceNamed('servers');
  const action = actionOf(resource, 'create');
  const { root_pass: _, ...draft } = step.entries ?? {};
  const plan = (more: object) =>
    putInPlan(stores, { resource, action, targets: [], params: {}, draft: { ...draft, ...more } }, step.id);
  expect(plan({})).toBe('Root password was left out when the plan was kept: type it again, or delete the step.');
  expect(stores.plans.getState().steps[0]?.record.body).toHaveProperty('root_pass', '[redacted]');
  expect(plan({ root_pass: 'Battery-Staple-9' })).toBeUndefined();
  expect(stores.plans.getState().steps[0]?.record.body).toHaveProperty('root_pass', 'Battery-Staple-9');
});

test('a row that a secret names is not looked for by a redaction, and not called gone', async () => {
  const seen: string[] = [];
  const api = apiOn(async ({ method, path }) => {
    if (path.endsWith('/events')) return { body: onePage([]), status: 200 };
    seen.push(path);
    throw new ApiError({ kind: 'answer', status: 404, method, path, message: 'Not found.' });
  });
  const record = {
    ...{ resource: 'entity-transfers', action: 'cancel', params: { token: '[redacted]' }, label: 'a transfer' },
    before: { token: '[redacted]', status: 'pending', is_sender: true },
  };
  const plan = { host: 'a', steps: [{ id: 1, uid: 'uid-1', record }] };
  const says = 'A secret names its row, and no file holds that: do it by itself.';
  const stores = openStores(api);
  expect(await examinePlan(stores, plan, true)).toMatchObject([{ why: says }]);
  const { steps } = await carryOutPlan(stores, plan, { keep: () => {} });
  expect(steps).toMatchObject([{ result: { state: 'refused', says } }]);
  expect(seen).toEqual([]);
});
