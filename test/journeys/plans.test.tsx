import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PlanStep } from '../../src/store/plans/plan.ts';
import { progressValue, stepValue } from '../../src/store/plans/storedPlan.ts';
import { memoryState } from '../store/keptState.ts';
import { startHeldDemo } from './heldDemo.ts';
import { planLabel } from './planLabel.ts';
import { openSkydeck, type Skydeck, type SlowDemo, startSlowDemo } from './skydeck.ts';

let demo: SlowDemo;
beforeEach(async () => {
  demo = await startSlowDemo();
});
afterEach(() => demo.close());

/** The text as it is before it is broken into lines. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ');

async function openPlan(skydeck: Skydeck): Promise<void> {
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor('── Plan ');
}

test('the keys of the plan are shown over it, and it is there again after them', async () => {
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'volumes' } });
  await planLabel(skydeck, 'db-primary-data', 'db-archive');
  await openPlan(skydeck);
  await skydeck.press('?');
  await skydeck.waitFor('── Keys ');
  const [here = ''] = skydeck.text().split(' Elsewhere');
  for (const own of ['carry out', 'request', 'clear what is done', 'bring back']) expect(here).toContain(own);
  expect(here).not.toContain('mark up to here');
  await skydeck.press('esc');
  // All that it changes has room beside its name.
  await skydeck.waitFor(
    /── Plan {2}1 step [\s\S]* 1 {2}· Edit db-primary-data {2}Label: db-primary-data → db-archive\n/,
  );
  await skydeck.close();
});

test('changes are collected, ordered, seen together, carried out as one, and kept until then', async () => {
  const kept = memoryState();
  const first = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session(), place: { area: 'volumes' } });
  await planLabel(first, 'db-primary-data', 'db-archive');
  expect(first.text().split('\n')[0]).toContain('plan 1');
  await first.goTo('servers');
  await first.press('n');
  await first.waitFor('── New server');
  await first.choose('From', 'empty');
  await first.pick('Region', 'us-east');
  await first.pick('Type', 'Standard 4 GB');
  await first.fill('Label', 'planned-1');
  await first.press('ctrl-a');
  await first.waitFor('Step 2 is in the plan: New server');
  await first.goTo('volumes');
  await first.press('n');
  await first.waitFor('── New volume');
  await first.fill('Label', 'planned-data');
  await first.fill('Size', '20');
  await first.pick('Server', 'step 2: planned-1, not made yet');
  await first.waitFor(/Server +✓ step 2: planned-1, not made yet/);
  await first.press('ctrl-s');
  await first.waitFor('A step of the plan makes the row that it needs');
  await first.press('ctrl-a');
  await first.waitFor('Step 3 is in the plan');
  expect(first.changes).toEqual([]);
  await first.press('q');
  await first.waitFor('A plan of 3 steps is kept for the next session');
  await first.close();

  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session() });
  await skydeck.waitFor('plan 3');
  await openPlan(skydeck);
  await skydeck.waitFor('Label: db-primary-data → db-archive');
  await skydeck.waitFor(/── Plan {2}3 steps {3}\+\$24\.00 a month, 1 price unknown/);
  await skydeck.waitFor('Server: step 2 (planned-1)');
  // A server without a config takes no volume, which is told before anything is sent.
  const lack = /Server: planned-1 has no config, which an attached volume needs: make one first,\s+or/;
  await skydeck.waitFor(lack);
  await skydeck.press('J');
  await skydeck.waitFor(/❯ +2 [^\n]*Edit db-primary-data/);
  await skydeck.press('J', 'J');
  await skydeck.waitFor('This is the last step.');
  await skydeck.press('g', 'J');
  await skydeck.waitFor('Step 2 needs the row of step 1, so it stays behind it.');
  await skydeck.press('d');
  await skydeck.waitFor('Step 2 goes on from step 1; delete or edit that first.');
  await skydeck.press('G', 'd');
  await skydeck.waitFor('Step 3 is deleted; u brings it back.');
  await skydeck.press('u');
  await skydeck.waitFor('Label: db-primary-data → db-archive');

  // A step is edited in its form.
  await skydeck.press('G', 'e');
  await skydeck.waitFor('── Edit db-primary-data');
  await skydeck.waitFor('The step as it is planned: it changes Label. ctrl-x starts over.');
  expect(skydeck.text()).not.toContain('Kept draft');
  await skydeck.fill('Label', 'db-old');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Label: db-primary-data → db-old');
  await skydeck.press('G', 'enter');
  await skydeck.waitFor('"label": "db-old"');
  await skydeck.press('esc');
  await skydeck.waitFor('ctrl-s carries it out');

  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 3 steps, one after the other?');
  await skydeck.press('enter');
  // The plan stops there, and the rest stays.
  await skydeck.waitFor('Step 2 is next');
  await skydeck.waitFor(/Server: planned-1 has no config, which an attached volume needs/);
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.press('g', 'j', 'd');
  await skydeck.waitFor('Step 2 is deleted; u brings it back.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 1 step?');
  await skydeck.press('enter');
  await skydeck.waitFor('Every step is done');
  expect(skydeck.changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /server/instances',
    expect.stringMatching(/^PUT \/volumes\/\d+$/),
  ]);
  expect(skydeck.text().split('\n')[0]).not.toContain('plan');
  await skydeck.press('c');
  await skydeck.waitFor('The plan is empty');
});

test('X stops it after the step that runs; one that was cut off is looked for first, and not sent twice', async () => {
  const held = await startHeldDemo();
  const kept = memoryState();
  const options = { demo: held, columns: 80, rows: 24, state: kept.session() };
  const first = await openSkydeck({ ...options, place: { area: 'volumes' } });
  await planLabel(first, 'db-primary-data', 'db-new');
  await planLabel(first, 'db-replica-1-data', 'replica-new');
  await planLabel(first, 'metrics-series', 'uploads-new');
  await openPlan(first);
  // The cursor stays with a step that is edited, and in its place where one is deleted.
  await first.press('j', 'e');
  await first.waitFor('── Edit db-replica-1-data');
  await first.fill('Label', 'replica-2');
  await first.press('ctrl-s');
  await first.waitFor('→ replica-2');
  expect(first.text()).toMatch(/❯ +2 /);
  await first.press('d');
  await first.waitFor(/❯ +2 [^\n]*Edit metrics-series/);
  await first.press('u');
  await first.waitFor('→ replica-2');

  await first.press('ctrl-s');
  await first.waitFor('── Carry out 3 steps');
  await first.press('enter');
  await vi.waitFor(() => expect(held.held).toBe(1));
  await first.press('X');
  await first.waitFor('Stopping: no further step is begun.');
  await first.press('X');
  await first.waitFor('The plan stops already, once the step that was sent is answered.');
  // Keys that wait for its end are not offered.
  expect(first.line(23)).not.toMatch(/edit|delete|earlier/);
  await first.press('d');
  await first.waitFor('The plan is being carried out; wait for it, or stop it.');
  held.release();
  await first.waitFor(/Plan {2}2 of 3 steps left[\s\S]*Step 2 is next; ctrl-s goes on with it/);
  expect(held.held).toBe(0);
  expect(first.changes).toHaveLength(1);

  await first.press('ctrl-s');
  await first.waitFor('── Carry out 2 steps');
  await first.press('enter');
  await vi.waitFor(() => expect(held.held).toBe(1));
  await first.close();
  expect(held.held).toBe(1);
  held.release();

  const second = await openSkydeck(options);
  await openPlan(second);
  await second.waitFor(/The answer was not seen: carrying out looks first whether\s+it was done/);
  await second.waitFor('ctrl-s looks first whether the steps with ? were done, and then goes on.');
  await second.press('ctrl-s');
  await second.waitFor('── Carry out 2 steps');
  await second.press('enter');
  await vi.waitFor(() => expect(held.held).toBe(1));
  held.release();
  await second.waitFor('Every step is done');
  expect(second.changes.map(({ body }) => body)).toEqual([{ label: 'uploads-new' }]);
  expect(unwrapped(second.text())).toContain('as it was sent: the answer was lost, but it was done.');
});

test('a step of which nothing tells whether it was done stays so, and is sent again when a question about it is answered', async () => {
  const held = await startHeldDemo();
  const skydeck = await openSkydeck({ demo: held, columns: 100, rows: 30, place: { area: 'managed-contacts' } });
  await skydeck.waitFor('Managed contacts  5');
  await skydeck.press('n');
  await skydeck.waitFor('── New managed contact');
  await skydeck.fill('Name', 'Night desk');
  await skydeck.fill('Email', 'night@example.com');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('is in the plan: New managed contact Night desk');
  await openPlan(skydeck);
  const carryOut = async () => {
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('── Carry out 1 step');
  };
  await carryOut();
  await skydeck.press('enter');
  await vi.waitFor(() => expect(held.held).toBe(1));
  held.lose();
  await skydeck.waitFor('It is unknown whether step 1 was done: look at it; ctrl-s asks whether to send it again');
  expect(unwrapped(skydeck.text())).toContain('Night desk is there now, and the API does not tell who made it.');
  await carryOut();
  await skydeck.waitFor('Type 1 step to confirm.');
  expect(unwrapped(skydeck.text())).toContain(
    'It may have been done already: carrying out looks once more, and where nothing tells, sends it a second time.',
  );
  await skydeck.press('enter');
  await skydeck.waitFor(/── Carry out 1 step/);
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.press('esc');
  await skydeck.waitFor('It is unknown whether step 1 was done');
  expect(skydeck.changes).toHaveLength(1);
  await carryOut();
  await skydeck.type('1 step');
  await skydeck.press('enter');
  await vi.waitFor(() => expect(held.held).toBe(1));
  held.release();
  await skydeck.waitFor('Every step is done');
  expect(skydeck.changes).toHaveLength(2);
});

test('it stops at the step that was changed elsewhere, and goes on when that is mended', async () => {
  const skydeck = await openSkydeck({
    demo,
    columns: 60,
    rows: 16,
    place: { area: 'volumes' },
    configuration: {
      guards: [{ for: 'volumes', where: 'label:logs', actions: ['edit'], ask: 'label', reason: 'Look.' }],
    },
  });
  await skydeck.waitFor('Volumes');
  await skydeck.press('/');
  await skydeck.type('data');
  await skydeck.press('enter');
  const rows = await skydeck.elsewhere('GET', '/volumes');
  const [one, two] = (rows.data as { id: number; label: string }[]).filter(({ label }) => label.includes('data'));
  if (!one || !two) throw new Error('there are no two volumes');
  await planLabel(skydeck, one.label, 'first-new');
  await planLabel(skydeck, two.label, 'second-new');
  await skydeck.elsewhere('PUT', `/volumes/${two.id}`, { label: 'theirs' });
  const stale = `label was ${two.label} and is now theirs; the step sends second-new. Edit the step, or delete it`;
  // It is told before anything is sent, where the row was read since.
  await skydeck.press('ctrl-r');
  await skydeck.waitFor('theirs');
  await openPlan(skydeck);
  await skydeck.waitFor((frame) => unwrapped(frame).includes(stale));
  await skydeck.waitFor('1 would be refused');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 2 steps');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Step 2 is next; ctrl-s goes on with it.');
  const says = unwrapped(skydeck.text());
  expect(says.split(stale)).toHaveLength(2);
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.elsewhere('PUT', `/volumes/${two.id}`, { label: two.label });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 1 step');
  await skydeck.press('enter');
  await skydeck.waitFor(/Plan {2}\d+ steps? done[\s\S]*Every step is done/);
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ label: 'first-new' }, { label: 'second-new' }]);
});

test('a session follows another that carries the plan out, and takes it up where that is killed', async () => {
  const kept = memoryState();
  const other = kept.session();
  const skydeck = await openSkydeck({
    demo,
    columns: 100,
    rows: 30,
    state: kept.session(),
    place: { area: 'volumes' },
  });
  await planLabel(skydeck, 'metrics-series', 'metrics-old');
  await planLabel(skydeck, 'mail-store', 'mail-old');
  await openPlan(skydeck);
  await skydeck.waitFor('Nothing is sent yet');
  const end = other.begin([...kept.of('plan').read().keys()]);
  const [[uid = '', value] = []] = [...kept.of('plan').read()];
  const step = { ...(value as PlanStep), uid, result: { state: 'done', at: Date.now() } } as const;
  other.of('progress').put([[uid, progressValue(step)]]);
  await skydeck.press('esc');
  await openPlan(skydeck);
  await skydeck.waitFor('Another session is carrying this plan out: 1 of 2 done.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('is carrying this plan out');
  await skydeck.press('d');
  await skydeck.waitFor('Another session is carrying this plan out: 1 of 2 done. Wait for it.');
  expect(skydeck.text().split('\n')[0]).toMatch(/plan 1(?! stopped)/);
  end?.();
  await skydeck.waitFor(/^ skydeck .* plan 1 stopped[\s\S]*Step 2 is next; ctrl-s goes on with it\./);
  expect(skydeck.changes).toEqual([]);
});

test('the question about a part of a plan is gone once another session has carried that out', async () => {
  const kept = memoryState();
  const [state, other] = [kept.session(), kept.session()];
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, state, place: { area: 'volumes' } });
  await planLabel(skydeck, 'metrics-series', 'metrics-old');
  await planLabel(skydeck, 'mail-store', 'mail-old');
  const [[uid = '', value] = []] = [...kept.of('plan').read()];
  const step = { ...(value as PlanStep), uid, rolling: { id: 'first', title: 'Edit metrics-series' } };
  other.of('plan').put([[uid, stepValue(step, 0)]]);
  await openPlan(skydeck);
  await skydeck.press('home');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 1 step of: Edit metrics-series?');
  other.of('progress').put([[uid, progressValue({ ...step, result: { state: 'done', at: Date.now() } })]]);
  await skydeck.hear();
  await skydeck.waitFor(/── Plan {2}1 of 2 steps left ─[\s\S]*Step 2 is next; ctrl-s goes on with it\./);
  expect(skydeck.changes).toEqual([]);
});

describe('a plan that another session changes while it is asked about', () => {
  /** A question about two steps, where another session adds a third. */
  async function asked() {
    const kept = memoryState();
    const [state, other] = [kept.session(), kept.session()];
    const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, state, place: { area: 'volumes' } });
    await planLabel(skydeck, 'metrics-series', 'metrics-old');
    await planLabel(skydeck, 'mail-store', 'mail-old');
    await planLabel(skydeck, 'scratch', 'scratch-old');
    const [uid = '', value] = [...kept.of('plan').read()].at(-1) ?? [];
    other.of('plan').put([[uid, undefined]]);
    await skydeck.hear();
    await skydeck.waitFor(/^ skydeck .* plan 2/);
    await openPlan(skydeck);
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('── Carry out 2 steps');
    return { skydeck, add: () => other.of('plan').put([[uid, value]]) };
  }

  async function readAgain(skydeck: Skydeck) {
    await skydeck.press('enter');
    await skydeck.waitFor(/── Carry out 3 steps[\s\S]*Another session has changed the plan meanwhile: read it again\./);
    expect(skydeck.changes).toEqual([]);
    await skydeck.press('enter');
    await skydeck.waitFor('Every step is done');
    const labels = ['metrics-old', 'mail-old', 'scratch-old'];
    expect(skydeck.changes.map(({ body }) => body)).toEqual(labels.map((label) => ({ label })));
  }

  test('is read again before it is carried out', async () => {
    const { skydeck, add } = await asked();
    add();
    await skydeck.hear();
    await skydeck.waitFor('── Carry out 3 steps, one after the other?');
    await readAgain(skydeck);
  });

  test('is read again also where this one has not heard of it yet, and another tempo was chosen', async () => {
    const { skydeck, add } = await asked();
    await skydeck.press('ctrl-o');
    await skydeck.waitFor(/How .*❯one by one/);
    add();
    await readAgain(skydeck);
  });
});

test('of several steps whose answers were not seen the first alone says so, and the others have its mark', async () => {
  const state = memoryState().session();
  const skydeck = await openSkydeck({ demo, columns: 100, rows: 30, state, place: { area: 'volumes' } });
  for (const [from, to] of [
    ['metrics-series', 'metrics-old'],
    ['mail-store', 'mail-old'],
    ['scratch', 'scratch-old'],
  ] as const)
    await planLabel(skydeck, from, to);
  const sent = [...state.of('plan').read()].slice(0, 2).map(([uid, value]): [string, unknown] => {
    return [uid, progressValue({ ...(value as PlanStep), uid, result: { state: 'sent', at: Date.now() } })];
  });
  state.of('progress').put(sent);
  await openPlan(skydeck);
  await skydeck.waitFor(/ 1 {2}\? Edit metrics-series[\s\S]* 2 {2}\? Edit mail-store[\s\S]* 3 {2}· Edit scratch/);
  expect(skydeck.text().match(/was not seen/g)).toHaveLength(1);
});

test('of a step that another session is sending it is said only once that has ended that its answer was not seen', async () => {
  const kept = memoryState();
  const skydeck = await openSkydeck({
    demo,
    columns: 100,
    rows: 30,
    state: kept.session(),
    place: { area: 'volumes' },
  });
  await planLabel(skydeck, 'metrics-series', 'metrics-old');
  await openPlan(skydeck);
  await skydeck.waitFor('Nothing is sent yet');
  const [[uid = '', value] = []] = [...kept.of('plan').read()];
  const end = kept.session().begin([uid]);
  const since = { at: Date.now(), ids: [], whole: [] };
  const step = { ...(value as PlanStep), uid, result: { state: 'sent', at: Date.now(), since } } as const;
  kept.of('progress').put([[uid, progressValue(step)]]);
  await skydeck.waitFor(/Another session is carrying this plan out: 0 of 1 done\.\s+❯ +1 {2}◐ Edit metrics-series/);
  expect(skydeck.text()).not.toContain('not seen');
  end?.();
  await skydeck.waitFor(/ 1 {2}\? Edit metrics-series[\s\S]*The answer was not seen: carrying out looks first/);
});

test('all of it is dropped by one command, and brought back by u', async () => {
  const kept = memoryState();
  const skydeck = await openSkydeck({
    demo,
    columns: 120,
    rows: 40,
    state: kept.session(),
    place: { area: 'volumes' },
  });
  await planLabel(skydeck, 'db-primary-data', 'db-archive');
  await planLabel(skydeck, 'metrics-series', 'metrics-old');
  await skydeck.press(':');
  await skydeck.type('discard');
  await skydeck.waitFor(/❯ Empty the plan +command +2 steps; nothing is sent by it/);
  await skydeck.press('enter');
  await skydeck.waitFor('The plan is empty; u in it brings 2 steps back.');
  expect(skydeck.text().split('\n')[0]).not.toContain('plan');
  await openPlan(skydeck);
  await skydeck.waitFor('The plan is empty: ctrl-a');
  await skydeck.press('u');
  await skydeck.waitFor('Label: metrics-series → metrics-old');
  await skydeck.press('esc', ':');
  await skydeck.waitFor('── Go to');
  await skydeck.type('drop plan');
  await skydeck.waitFor(/❯ Empty the plan +command +2 steps/);
  expect(skydeck.changes).toEqual([]);
});

test('a read-only session collects, and sends nothing', async () => {
  const kept = memoryState();
  const skydeck = await openSkydeck({
    demo,
    columns: 120,
    rows: 40,
    state: kept.session(),
    readOnly: true,
    place: { area: 'servers' },
  });
  await skydeck.pointAt('web-1');
  await skydeck.press('d');
  await skydeck.waitFor(/── Delete\?[\s\S]*\n ctrl-a plan /);
  expect(skydeck.text()).not.toMatch(/to confirm|do it/);
  await skydeck.press('enter');
  await skydeck.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Delete web-1; :plan shows it. Nothing was sent.');
  await openPlan(skydeck);
  await skydeck.waitFor('Delete web-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Read-only: :plan save FILE writes it down for a session that may change things.');
  expect(skydeck.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(kept.text()).toContain('"action\\":\\"delete');
});

test('a guard is told in the plan, refuses its step, and has the number of steps typed', async () => {
  const kept = memoryState();
  const first = await openSkydeck({ demo, columns: 100, rows: 40, state: kept.session(), place: { area: 'volumes' } });
  await planLabel(first, 'metrics-series', 'metrics-old');
  await planLabel(first, 'mail-store', 'mail-old');
  await first.press('n');
  await first.waitFor('── New volume');
  await first.fill('Label', 'guarded-1');
  await first.fill('Size', '20');
  await first.pick('Region', 'us-east');
  await first.press('ctrl-a');
  await first.waitFor('Step 3 is in the plan');
  await first.close();

  const skydeck = await openSkydeck({
    demo,
    columns: 80,
    rows: 24,
    state: kept.session(),
    configuration: {
      guards: [
        { for: 'volumes', where: 'label:metrics', actions: ['edit'], ask: 'label', reason: 'Look at the graphs' },
        { for: 'volumes', where: 'label:mail', actions: ['edit'], deny: true, reason: 'Mail stays' },
        { for: 'volumes', where: 'region:us-east', actions: ['create'], deny: true, reason: 'The east is full' },
      ],
    },
  });
  await openPlan(skydeck);
  await skydeck.waitFor('2 would be refused   1 guarded');
  await skydeck.waitFor('Guarded: Look at the graphs.');
  await skydeck.waitFor('mail-store is guarded: Mail stays.');
  await skydeck.waitFor('A new volume is guarded: The east is full.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Type 3 steps to confirm');
  await skydeck.press('enter');
  await skydeck.waitFor('Type 3 steps first');
  await skydeck.type('3 steps');
  await skydeck.press('enter');
  await skydeck.waitFor(/Step 2 is next[\s\S]*is guarded: Mail stays\./);
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ label: 'metrics-old' }]);
  await skydeck.press('d');
  await skydeck.waitFor('Step 2 is deleted');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 1 step');
  await skydeck.press('enter');
  await skydeck.waitFor(/Step 2 is next[\s\S]*is guarded: The east is full\./);
  expect(skydeck.changes).toHaveLength(1);
});
