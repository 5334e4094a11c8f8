import { expect, test } from 'vitest';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Row } from '../../../src/resources/resource.ts';
import { shownStep } from '../../../src/screens/plans/planStep.ts';
import type { Submission } from '../../../src/store/changes/change.ts';
import type { PlanStep } from '../../../src/store/plans/plan.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import { costsOf } from '../../../src/store/plans/stepCost.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { knowing } from '../../resources/known.ts';
import { fakeApi } from '../fakeApi.ts';
import { eventOf, openStores } from '../openStores.ts';

const servers = resourceNamed('servers');
const sizes = [
  { id: 'small', label: 'Small', price: { monthly: 24 } },
  { id: 'large', label: 'Large', price: { monthly: 96 } },
];

/** Stores in which so many running servers are loaded, and the tempo of one after the other. */
function open(count: number) {
  const rows = Array.from({ length: count }, (_, nth) => ({
    id: nth + 1,
    label: `web-${nth + 1}`,
    type: 'small',
    status: 'running',
    tags: [],
  }));
  const stores = { ...openStores(fakeApi()), view: knowing({ servers: rows, 'server-types': sizes }) };
  const targets = rows.map((row) => ({ row, params: { serverId: String(row.id) } }));
  const plan = (action: string, more: Partial<Submission> = {}, rolling?: string) =>
    putInPlan(
      stores,
      {
        ...{ resource: servers, action: actionOf(servers, action), targets, params: {}, draft: {} },
        tempo: { atATime: 1, within: '10m' },
        ...more,
      },
      undefined,
      rolling === undefined ? undefined : { id: rolling, title: 'Resize', of: 'servers', count },
    );
  const waits = () => stores.plans.getState().steps.map(({ record, wait }) => [record.action, ...(wait?.for ?? [])]);
  return { stores, plan, waits };
}

test.each([2, 200])(
  'what is resized once it was shut down is waited for until it is offline, of %i servers',
  (count) => {
    const { plan, waits } = open(count);
    const each = (action: string, state: string) => Array(count).fill([action, state]);
    plan('shutdown');
    plan('resize', { draft: { type: 'large' } });
    expect(waits()).toEqual([...each('shutdown', 'offline'), ...each('resize', 'offline')]);
  },
);

test('what is carried out by itself does not wait for what the rest of the plan would leave', () => {
  const { plan, waits } = open(2);
  plan('shutdown');
  plan('resize', { draft: { type: 'large' } }, 'at once');
  expect(waits().slice(2)).toEqual([
    ['resize', 'running'],
    ['resize', 'running'],
  ]);
});

/** The steps of a plan that shuts a server down and resizes it to these types, as they are shown with what became of them. */
function shown(
  types: readonly string[],
  results: readonly PlanStep['result'][],
  now: Row,
  events: readonly Row[] = [],
  isEdited = false,
) {
  const { stores, plan } = open(1);
  if (isEdited) plan('edit', { draft: { label: 'web' } });
  else plan('shutdown');
  for (const type of types) plan('resize', { draft: { type } });
  const steps = stores.plans.getState().steps.map((step, nth) => ({ ...step, result: results[nth] }));
  stores.plans.replace({ steps });
  stores.events.setState({ events: events as never });
  const view = knowing({ servers: [{ id: 1, label: 'web-1', tags: [], ...now }], 'server-types': sizes }, { events });
  const costs = costsOf({ steps: stores.plans.getState().steps, view });
  return steps.map((step) => {
    const found = shownStep({ ...stores, view }, step);
    if ('why' in found) throw new Error(found.why);
    return { refusals: found.refusals, losses: found.words.losses, cost: costs.of(step.id) };
  });
}

const job = eventOf(9, 'server_shutdown', 'started', { type: 'server', id: 1, label: 'web-1' });
const [begun, done] = [{ state: 'begun', at: 1 } as const, { state: 'done', at: 1 } as const];

test('a step is not said to be refused for a job of a step before it, which is waited for', () => {
  const off = { type: 'small', status: 'shutting_down' };
  const [, resize] = shown(['large'], [begun], off, [job]);
  expect(resize?.refusals).toEqual([]);
  const [, other] = shown(['large'], [], off, [job], true);
  expect(other?.refusals.join()).toContain('has a running or queued action (server shutdown)');
});

test.each(['sent', 'unknown', 'begun'] as const)(
  'a step that is %s tells what it changed when it was sent',
  (state) => {
    const now = { type: 'large', status: 'offline' };
    const [, resize] = shown(['large'], [done, { state, at: 2 }], now);
    expect(resize?.losses.join()).toContain('Resizes web-1 from Small (small) to Large (large).');
    expect(resize?.cost).toMatchObject({ before: 24, after: 96 });
    const [, , back] = shown(['large', 'small'], [done, { ...done, at: 2 }, { state, at: 3 }], {
      type: 'small',
      status: 'offline',
    });
    expect(back?.losses.join()).toContain('Resizes web-1 from Large (large) to Small (small).');
    expect(back?.cost).toMatchObject({ before: 96, after: 24 });
  },
);
