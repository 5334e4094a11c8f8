import { describe, expect, test } from 'vitest';
import { paramsFrom } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { shownStep } from '../../src/screens/plans/planStep.ts';
import type { PlanStep } from '../../src/store/plans/plan.ts';
import { costsOf } from '../../src/store/plans/stepCost.ts';
import { knowing } from '../resources/known.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

const rows: Readonly<Record<string, Row>> = {
  volumes: { id: 1, label: 'data', size: 20, server_id: 7, server_label: 'web-1', status: 'active', tags: [] },
  servers: { id: 7, label: 'web-1', type: 'small', status: 'offline', backups: { enabled: true }, tags: [] },
  nodebalancers: { id: 3, label: 'front', tags: [] },
  'server-types': {
    id: 'small',
    label: 'Small',
    price: { monthly: 24 },
    addons: { backups: { price: { monthly: 5 } } },
  },
};

const step = (id: number, resource: string, action: string, more: Partial<PlanStep['record']> = {}): PlanStep => {
  const row = rows[resource];
  const params = row ? paramsFrom(resourceNamed(resource), String(row.id)) : {};
  return { id, uid: `uid-${id}`, record: { resource, action, params, label: String(row?.label), ...more } };
};

/** The steps of a plan as they are shown. */
function shown(...steps: readonly PlanStep[]) {
  const known = Object.entries(rows).map(([name, row]) => [name, [row]]);
  const stores = { ...openStores(fakeApi()), view: knowing(Object.fromEntries(known)) };
  stores.plans.replace({ steps });
  const costs = costsOf({ steps, view: stores.view });
  return steps.map((one) => {
    const found = shownStep(stores, one);
    if ('why' in found) throw new Error(found.why);
    return { cost: costs.of(one.id), refusals: found.refusals, lines: found.words.lines, entered: found.entered };
  });
}

const attached = 'data is attached to web-1; detach it first';

describe('a step', () => {
  test('saves what it deletes, with backups, also where the API tells no price', () => {
    expect(shown(step(1, 'servers', 'delete'))[0]?.cost).toMatchObject({ before: 29, after: 0 });
    expect(shown(step(1, 'volumes', 'delete'))[0]?.cost).toMatchObject({ before: undefined, after: 0 });
    expect(shown(step(1, 'nodebalancers', 'delete'))[0]?.cost).toMatchObject({ before: undefined, after: 0 });
    expect(shown(step(1, 'volumes', 'edit', { body: { label: 'new' } }))[0]?.cost).toBeUndefined();
  });

  test('has the value before only of what it changes: a snapshot and a clone have names of their own', () => {
    const before = { label: 'web-1', size: 20, type: 'small' };
    const linesOf = (resource: string, action: string, body: Row) =>
      shown(step(1, resource, action, { body, before }))[0]?.lines.map(({ label, text }) => `${label}: ${text}`);
    expect(linesOf('servers', 'snapshot', { label: 'before-patch' })).toEqual(['made: label before-patch']);
    expect(linesOf('volumes', 'clone', { label: 'before-patch' })).toEqual(['made: label before-patch']);
    expect(linesOf('volumes', 'resize', { size: 40 })).toEqual(['Size: 20 GiB → 40 GiB']);
    expect(linesOf('volumes', 'edit', { label: 'new' })).toEqual(['Label: web-1 → new']);
  });

  test('opens its form with what stands for rows yet to be made, in lists as well', () => {
    const made = step(1, 'volumes', 'create', { params: {}, body: { label: 'new', size: 20 } });
    const tag = step(2, 'tags', 'create', {
      params: {},
      label: 'web',
      body: { label: 'web', volumes: [{ $step: 1 }] },
    });
    expect(shown(made, tag)[1]?.entered).toMatchObject({ label: 'web', volumes: ['{step 1}'] });
  });

  test('is refused by its row as it is, unless a step before it changes that', () => {
    const remove = step(2, 'volumes', 'delete');
    expect(shown(remove)[0]?.refusals).toEqual([attached]);
    expect(shown(step(1, 'volumes', 'edit', { body: { label: 'new' } }), remove)[1]?.refusals).toEqual([attached]);
    expect(shown(step(1, 'volumes', 'detach'), remove)[1]?.refusals).toEqual([]);
    const edit = (before: Row) => step(3, 'volumes', 'edit', { body: { label: 'new' }, before });
    expect(shown(edit({ label: 'data' }))[0]?.refusals).toEqual([]);
    expect(shown(edit({ label: 'old' }))[0]?.refusals).toEqual([
      'It was changed since this was planned: label was old and is now data; the step sends new. Edit the step, or delete it; nothing was sent to this volume.',
    ]);
    expect(shown({ ...edit({ label: 'old' }), result: { state: 'sent', at: 0 } })[0]?.refusals).toEqual([]);
    const own = step(1, 'volumes', 'edit', { body: { label: 'data' }, before: { label: 'old' } });
    expect(shown({ ...own, result: { state: 'done', at: 0 } }, edit({ label: 'old' }))[1]?.refusals).toEqual([]);
  });
});
