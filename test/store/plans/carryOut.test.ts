import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Params, Row } from '../../../src/resources/resource.ts';
import type { UndoLevel } from '../../../src/store/changes/undoable.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import { examinePlan } from '../../../src/store/plans/examinePlan.ts';
import { needsOf, type Plan, type PlanStep, withoutDone, withoutUnneeded } from '../../../src/store/plans/plan.ts';
import { apiOn, onePage } from '../apiOn.ts';
import { openStores } from '../openStores.ts';
import { rowsCloud } from './rowsCloud.ts';
import { type Break, type TinyCloud, tinyCloud } from './tinyCloud.ts';

/** Renames a volume, makes another, attaches it, and deletes a third. */
const steps: readonly PlanStep[] = [
  {
    id: 1,
    uid: 'uid-1',
    record: {
      resource: 'volumes',
      action: 'edit',
      params: { volumeId: '1' },
      label: 'data-1',
      body: { label: 'old-1' },
      before: { label: 'data-1' },
    },
  },
  {
    id: 2,
    uid: 'uid-2',
    record: {
      resource: 'volumes',
      action: 'create',
      params: {},
      label: 'web-data',
      body: { label: 'web-data', size: 40, region: 'us-east' },
    },
  },
  {
    id: 3,
    uid: 'uid-3',
    record: {
      resource: 'volumes',
      action: 'attach',
      params: { volumeId: '2' },
      label: 'data-2',
      body: { server_id: 7 },
      before: { id: 2, label: 'data-2', server_id: null },
    },
  },
  {
    id: 4,
    uid: 'uid-4',
    record: {
      resource: 'volumes',
      action: 'edit',
      params: { volumeId: { $step: 2 } },
      label: 'web-data',
      body: { tags: ['web'] },
    },
  },
  {
    id: 5,
    uid: 'uid-5',
    record: {
      resource: 'volumes',
      action: 'delete',
      params: { volumeId: '3' },
      label: 'data-3',
      before: { id: 3, label: 'data-3', tags: [] },
    },
  },
];

const plan: Plan = { host: 'api.example.com', steps };

const wanted = [
  'PUT /volumes/1 {"label":"old-1"}',
  'POST /volumes {"label":"web-data","size":40,"region":"us-east"}',
  'POST /volumes/2/attach {"server_id":7}',
  'PUT /volumes/101 {"tags":["web"]}',
  'DELETE /volumes/3',
];

/** Carries a plan out once, by a program that may be killed on the way. */
async function carryOut(cloud: TinyCloud, plan: Plan, signal?: AbortSignal): Promise<Plan> {
  const { api, killed } = cloud.open();
  const stores = openStores(api);
  let kept = plan;
  await Promise.race([carryOutPlan(stores, plan, { keep: (now) => (kept = now), signal }), killed]);
  return JSON.parse(JSON.stringify(kept)) as Plan;
}

const isDone = ({ steps }: Plan) => steps.every(({ result }) => result?.state === 'done');

const resultsOf = ({ steps }: Plan) =>
  steps.map(({ result }) => [result?.state, result?.says].filter(Boolean).join(': '));

describe('a plan that is carried out', () => {
  test('sends each step once, in order, with the ids of rows that it made', async () => {
    const cloud = tinyCloud();
    const after = await carryOut(cloud, plan);
    expect(cloud.done).toEqual(wanted);
    expect(isDone(after)).toBe(true);
    expect(after.steps[1]?.result?.made).toEqual({ volumeId: '101' });
    expect(after.steps.map(needsOf)).toEqual([[], [], [], [2], []]);
    await carryOut(cloud, after);
    expect(cloud.done).toEqual(wanted);
  });

  test('interrupted at every point, and resumed, no step is lost or doubled', async () => {
    const whole = tinyCloud();
    await carryOut(whole, plan);
    const points = fc.array(
      fc.tuple(
        fc.nat({ max: whole.count * 2 }),
        fc.constantFrom<Break>('not arrived', 'not answered', 'killed before', 'killed after'),
      ),
      { maxLength: 5 },
    );
    const each = Array.from({ length: whole.count }, (_, nth): [[number, Break][]][] => [
      [[[nth, 'not arrived']]],
      [[[nth, 'not answered']]],
      [[[nth, 'killed before']]],
      [[[nth, 'killed after']]],
    ]).flat();
    // The program ends as it is told that the row of a lost deletion is gone.
    each.push([
      [
        [whole.count - 1, 'not answered'],
        [whole.count, 'killed after'],
      ],
    ]);
    await fc.assert(
      fc.asyncProperty(points, async (breaks) => {
        const cloud = tinyCloud();
        for (const [nth, how] of breaks) cloud.breaks.set(nth, how);
        let now = plan;
        // After a break, one run looks whether it was done, and another goes on.
        for (let run = 0; run <= 2 * breaks.length + 1 && !isDone(now); run++) now = await carryOut(cloud, now);
        expect(resultsOf(now).filter((result) => !result.startsWith('done'))).toEqual([]);
        expect(cloud.done).toEqual(wanted);
      }),
      { examples: each, numRuns: each.length + 60 },
    );
  });

  test('stops at the first step that does not succeed; the rest stays', async () => {
    const cloud = tinyCloud();
    cloud.volumes.set('2', { ...cloud.volumes.get('2'), server_id: 9 });
    const after = await carryOut(cloud, plan);
    expect(resultsOf(after)).toEqual([
      'done',
      'done',
      'refused: It was changed since this was planned: server_id was empty and is now 9; the step sends 7. Edit the step, or delete it; nothing was sent to this volume.',
      '',
      '',
    ]);
    expect(cloud.done).toEqual(wanted.slice(0, 2));
    cloud.volumes.set('2', { ...cloud.volumes.get('2'), server_id: null });
    expect(isDone(await carryOut(cloud, after))).toBe(true);
    expect(cloud.done).toEqual(wanted);
  });

  test('is not sent where a row is gone, a secret was left out, or the row it needs is not made', async () => {
    const cloud = tinyCloud();
    cloud.volumes.delete('1');
    expect(resultsOf(await carryOut(cloud, plan))[0]).toBe('refused: data-1 is gone, so nothing was sent to it.');
    const [, make, attach, use] = steps as [PlanStep, PlanStep, PlanStep, PlanStep];
    const only = (step: PlanStep) => carryOut(cloud, { ...plan, steps: [step] }).then((after) => resultsOf(after)[0]);
    expect(await only(use)).toBe('refused: It needs the row of a step that is not in the plan.');
    const hidden = { ...make.record, body: { label: 'x', root_pass: '[redacted]' } };
    expect(await only({ id: 2, uid: 'uid-2', record: hidden })).toBe(
      'refused: Its secret is kept in no file: open its form and type it again.',
    );
    const address = { ...attach.record, body: { server_id: { $step: 2, field: 'server_id' } } };
    const twice = await carryOut(cloud, { ...plan, steps: [make, { id: 3, uid: 'uid-3', record: address }] });
    expect(resultsOf(twice)[1]).toBe('refused: The volume web-data, which an earlier step made, has no server_id yet.');
    expect(cloud.done).toEqual([wanted[1]]);
    // Another session has taken the creation back since.
    const [made] = (await carryOut(cloud, { ...plan, steps: [make] })).steps as [PlanStep];
    cloud.volumes.delete(String(made.result?.made?.volumeId));
    const needs = { ...attach.record, body: { server_id: { $step: 2 } } };
    const gone = await carryOut(cloud, { ...plan, steps: [made, { id: 3, uid: 'uid-3', record: needs }] });
    expect(resultsOf(gone)[1]).toBe('refused: The volume web-data, which an earlier step made, is gone.');
    expect(cloud.done).toHaveLength(2);
  });

  test('that was sent is looked for without its secret, and stays unknown where it may have been done', async () => {
    const cloud = tinyCloud();
    const at = Date.now();
    const since = { at, ids: ['1', '2', '3'], whole: [] };
    const hidden = { ...steps[1]?.record, body: { label: 'web-data', root_pass: '[redacted]' } } as PlanStep['record'];
    const sent = { id: 2, uid: 'uid-2', record: hidden, result: { state: 'sent', at, since } } as const;
    const missing = await carryOut(cloud, { ...plan, steps: [sent] });
    expect(resultsOf(missing)).toEqual(['refused: Its secret is kept in no file: open its form and type it again.']);
    cloud.volumes.set('9', { id: 9, label: 'web-data', tags: [] });
    const found = { ...plan, steps: [sent] };
    const stores = openStores(cloud.open().api);
    expect((await examinePlan(stores, found))[0]).toMatchObject({
      why: undefined,
      note: expect.stringMatching(/looked for/),
    });
    const after = await carryOut(cloud, found);
    expect(after.steps[0]?.result).toMatchObject({ state: 'unknown', since });
    expect(cloud.done).toEqual([]);
  });

  test('nothing is sent where somebody else has done the same', async () => {
    const cloud = tinyCloud();
    cloud.volumes.set('1', { ...cloud.volumes.get('1'), label: 'old-1' });
    cloud.volumes.set('2', { ...cloud.volumes.get('2'), server_id: 7 });
    const [rename, , attach] = steps as [PlanStep, PlanStep, PlanStep];
    const some = { ...plan, steps: [rename, attach] };
    expect((await examinePlan(openStores(cloud.open().api), some)).map(({ why, note }) => why ?? note)).toEqual([
      'It is so already, so nothing was sent.',
      'It is so already, so nothing was sent.',
    ]);
    expect(resultsOf(await carryOut(cloud, some))).toEqual([
      'done: It is so already, so nothing was sent.',
      'done: It is so already, so nothing was sent.',
    ]);
    expect(cloud.done).toEqual([]);
  });

  test('a deletion is refused where somebody changed the row', async () => {
    const cloud = tinyCloud();
    cloud.volumes.set('3', { ...cloud.volumes.get('3'), label: 'needed' });
    const after = await carryOut(cloud, { ...plan, steps: steps.slice(4) });
    expect(resultsOf(after)).toEqual([
      'refused: It was changed since this was planned: label was data-3 and is now needed. Edit the step, or delete it; nothing was sent to this volume.',
    ]);
    expect(cloud.done).toEqual([]);
  });

  test('promises to take back nothing that was done to what it deletes, or in it', async () => {
    const zone: Row = { id: 3, domain: 'example.com', type: 'master', status: 'active', tags: [] };
    const record: Row = { id: 5, type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 0 };
    const other: Row = { id: 6, type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 0 };
    const cloud = rowsCloud({
      '/domains/3': zone,
      '/domains/4': { ...zone, id: 4, domain: 'example.org' },
      '/domains/3/records/5': record,
      '/domains/4/records/6': other,
    });
    const stores = openStores(cloud.api);
    const deletion = (id: number, resource: string, params: Params, label: string, before: Row): PlanStep => ({
      ...{ id, uid: `uid-${id}`, record: { resource, action: 'delete', params, label, before } },
    });
    const all = [
      deletion(1, 'records', { domainId: '3', recordId: '5' }, 'A www', record),
      deletion(2, 'records', { domainId: '4', recordId: '6' }, 'A www', other),
      deletion(3, 'domains', { domainId: '3' }, 'example.com', zone),
    ];
    await carryOutPlan(stores, { host: 'api.example.com', steps: all }, { keep: () => {}, isTyped: true });
    expect(cloud.writes).toEqual(['DELETE /domains/3/records/5', 'DELETE /domains/4/records/6', 'DELETE /domains/3']);
    const { undos, lost } = stores.changes.getState().undo.at(-1) as UndoLevel;
    expect(undos.map(({ inverse }) => [inverse.resource, inverse.params])).toEqual([['records', { domainId: '4' }]]);
    expect(lost).toContainEqual({ label: 'A www', why: 'The domain example.com was deleted after it.' });
  });

  test('counts a row once that is taken back in two parts', async () => {
    const make = { ...steps[1]?.record, body: { label: 'web-data', size: 40, server_id: 7 } } as PlanStep['record'];
    const gone = { ...steps[4]?.record, params: { volumeId: '9' } } as PlanStep['record'];
    const stores = openStores(tinyCloud().open().api);
    const two = [make, gone].map((record, nth) => ({ id: nth + 1, uid: `uid-${nth}`, record }));
    await carryOutPlan(stores, { ...plan, steps: two }, { keep: () => {} });
    const [{ title, undos }] = stores.changes.getState().undo as [UndoLevel];
    expect(undos.map(({ of }) => of.replace(/^[^.]*/, ''))).toEqual(['.0', '.0:first']);
    expect(title).toBe('the plan of 2 steps (1 of them)');
  });

  test('takes a value that an earlier step of it sends for no change by somebody', async () => {
    const again: PlanStep = {
      id: 6,
      uid: 'uid-6',
      record: { ...(steps[0] as PlanStep).record, body: { label: 'older-1' } },
    };
    const gone: PlanStep = {
      id: 7,
      uid: 'uid-7',
      record: { ...again.record, action: 'delete', body: undefined, before: { id: 1, label: 'data-1', tags: [] } },
    };
    const twice = { ...plan, steps: [steps[0] as PlanStep, again, gone] };
    const cloud = tinyCloud();
    const stores = openStores(cloud.open().api);
    expect(await examinePlan(stores, twice)).toMatchObject([
      { why: undefined },
      { why: undefined },
      { why: undefined },
    ]);
    const done = await carryOut(cloud, twice);
    expect(resultsOf(done)).toEqual(['done', 'done', 'done']);
    expect(cloud.done).toEqual([wanted[0], 'PUT /volumes/1 {"label":"older-1"}', 'DELETE /volumes/1']);

    const changed = tinyCloud();
    const first = await carryOut(changed, { ...plan, steps: [steps[0] as PlanStep] });
    changed.volumes.set('1', { ...changed.volumes.get('1'), label: 'theirs' });
    const refused = await carryOut(changed, { ...twice, steps: [...first.steps, again, gone] });
    expect(resultsOf(refused)[1]).toContain('label was data-1 and is now theirs');
    expect(changed.done).toEqual([wanted[0]]);
  });

  test('goes on with a row that a step has changed before, also once those that are done are cleared', async () => {
    const again: PlanStep = {
      id: 6,
      uid: 'uid-6',
      record: { ...(steps[0] as PlanStep).record, body: { label: 'older-1' } },
    };
    const cloud = tinyCloud();
    const first = await carryOut(cloud, { ...plan, steps: steps.slice(0, 1) });
    const all = [...first.steps, again];
    expect(withoutUnneeded(all, 1)).toBe('Step 2 goes on from step 1; delete or edit that first.');
    const left = withoutDone(all);
    const ended = await carryOut(cloud, { ...plan, steps: typeof left === 'string' ? all : left });
    expect(resultsOf(ended).at(-1)).toBe('done');
    expect(withoutDone(ended.steps)).toEqual([]);
  });

  test('stops between two steps', async () => {
    const cloud = tinyCloud();
    const stop = new AbortController();
    const { api } = cloud.open();
    const after = await carryOutPlan(openStores(api), plan, {
      signal: stop.signal,
      keep: ({ steps }) => steps[1]?.result?.state === 'done' && stop.abort(),
    });
    expect(cloud.done).toEqual(wanted.slice(0, 2));
    expect(resultsOf(after)).toEqual(['done', 'done', '', '', '']);
  });
});

test('a long plan looks for its next step without going through all of them for each', async () => {
  /** So often the steps of a plan are told apart while it is carried out. */
  const looks = async (count: number) => {
    const api = apiOn(async ({ path }, { params } = {}) =>
      path.endsWith('}')
        ? { body: { id: Number(params?.volumeId), label: 'new' }, status: 200 }
        : { body: onePage([]), status: 200 },
    );
    let looked = 0;
    const steps = Array.from({ length: count }, (_, index): PlanStep => {
      const params = { volumeId: String(index + 1) };
      const renamed = { label: 'old', before: { label: 'old' }, body: { label: 'new' } };
      return {
        get id() {
          looked++;
          return index + 1;
        },
        uid: `uid-${index}`,
        record: { resource: 'volumes', action: 'edit', params, ...renamed },
      };
    });
    const ended = await carryOutPlan(openStores(api), { host: 'api.example.com', steps }, { keep: () => {} });
    expect(ended.steps.every(({ result }) => result?.state === 'done')).toBe(true);
    return looked;
  };
  // Each step notes itself in a list of all: four times as many for twice the steps.
  expect(await looks(120)).toBeLessThan(5 * (await looks(60)));
});
