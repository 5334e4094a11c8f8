import { expect, onTestFinished, test, vi } from 'vitest';
import { at } from '../../src/resources/row.ts';
import { storedSteps } from '../../src/store/plans/storedPlan.ts';
import { version } from '../api/server.ts';
import { memoryState } from '../store/keptState.ts';
import { type HeldDemo, startHeldDemo } from './heldDemo.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

/** Has a tag added to all of eight volumes at once, of which two requests are held and two wait behind them. */
async function addTags(options: SkydeckOptions & { demo: HeldDemo }): Promise<Skydeck> {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' }, ...options });
  await skydeck.waitFor('archive-2023');
  await skydeck.press(...Array(8).fill('space'), 'a', '+');
  await skydeck.waitFor('── Add tags to 8 volumes');
  await skydeck.type('fresh');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/── Add tags to 8 of 8 volumes[\s\S]*❯all at once/);
  await skydeck.press('end', 'enter');
  await vi.waitFor(() => expect(options.demo.held).toBe(2));
  return skydeck;
}

const ended = /Add tags to 8 volumes: its session ended when 2 of 8 were known to be done\. The others/;

/** The names of records as they are in all domains that have one so named. */
async function recordsNamed({ url, tokens }: HeldDemo, name: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${tokens.full}` };
  const read = async (path: string): Promise<readonly { id: number; name: string }[]> => {
    const answer = await fetch(`${url}${version}/${path}`, { headers });
    return ((await answer.json()) as { data?: [] }).data ?? [];
  };
  const records = (await read('domains')).map(({ id }) => read(`domains/${id}/records`));
  return (await Promise.all(records)).flat().flatMap((record) => (record.name === name ? [name] : []));
}

/** Carries the rest of the plan out. */
async function goOn(skydeck: Skydeck, left = 6, all = 8, says: string | RegExp = ''): Promise<void> {
  await skydeck.press('esc', ':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor(`── Plan  ${left} of ${all} steps left`);
  await skydeck.waitFor(says);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(`── Carry out ${left} steps`);
  await skydeck.press('end', 'enter');
}

test('a change of many rows whose session is killed goes on in the next, and nothing is sent twice', async () => {
  let holds = true;
  const demo = await startHeldDemo(({ method }) => holds && method === 'PUT');
  const kept = memoryState();
  const first = await addTags({ demo, state: kept.session() });
  demo.release(2);
  await first.waitFor(/Add tags to 8 volumes [^\n]* 2\/8/);
  // The answers of one of these are lost with the session.
  await vi.waitFor(() => expect(demo.held).toBe(2));
  demo.lose();
  kept.kill();
  await first.close();
  holds = false;

  const second = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session() });
  await second.waitFor(ended);
  await goOn(second, 6, 8, /looks first whether the steps with \? were done/);
  await second.waitFor(/Add tags to 8 volumes: all done/);
  await second.close();
});

test('what the last session has not sent as it was quit is in the plan of the next', async () => {
  const demo = await startHeldDemo();
  const kept = memoryState();
  const first = await addTags({ demo, state: kept.session() });
  demo.release(2);
  await first.waitFor(/Add tags to 8 volumes [^\n]* 2\/8/);
  await first.press('esc');
  await first.press('q');
  await first.waitFor(/q once more quits without waiting for the answer; the 2 rows that wait go\s+into\s+the plan\./);
  await first.close();
  const second = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session() });
  await second.waitFor(ended);
  await second.close();
});

test('what the state has lost meanwhile is not said to go into the plan', async () => {
  const demo = await startHeldDemo();
  const kept = memoryState();
  const skydeck = await addTags({ demo, state: kept.session() });
  // As where its file was damaged, and another one begun.
  kept.of('unsent').put([...kept.of('unsent').read().keys()].map((uid) => [uid, undefined] as const));
  await skydeck.press('esc');
  await skydeck.press('q');
  await skydeck.waitFor(/q once more quits without waiting for the answer; the 4 rows that wait\s+are\s+not\s+sent\./);
  await skydeck.close();
});

test('a change that is stopped, or goes on elsewhere, is not in the plan', async () => {
  const demo = await startHeldDemo();
  const kept = memoryState();
  const first = await addTags({ demo, state: kept.session() });
  const other = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session() });
  await other.press(':');
  await other.type('plan');
  await other.waitFor('❯ Plan');
  await other.press('enter');
  await other.waitFor('── Plan ');
  expect(other.text()).not.toContain('its session ended');
  await first.press('X');
  for (let more = 2; more > 0; more--) {
    await vi.waitFor(() => expect(demo.held).toBe(2));
    demo.release();
  }
  await first.waitFor(/4 of 8 done, 4 not sent/);
  await other.close();
  await first.close();
  expect(kept.of('unsent').read().size).toBe(0);
  expect(kept.of('progress').read().size).toBe(0);
});

test('of one that is stopped, and quit before its last answers, what was not sent is left out of the plan', async () => {
  let holds = true;
  const demo = await startHeldDemo(({ method }) => holds && method === 'PUT');
  const kept = memoryState();
  const first = await addTags({ demo, state: kept.session() });
  demo.release(2);
  await first.waitFor(/Add tags to 8 volumes [^\n]* 2\/8/);
  await first.press('X');
  await first.waitFor('stopping, 2 not sent');
  await first.close();
  holds = false;
  const second = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session() });
  await second.waitFor('Add tags to 8 volumes: its session ended when 2 of 6 were known to be done.');
  await goOn(second, 4, 6);
  await second.waitFor(/Add tags to 8 volumes: 6 of the 8 done; 2 are not in the plan/);
  await second.close();
});

test('of records in several domains none is made twice whose answer was lost with the session', async () => {
  let holds = true;
  const demo = await startHeldDemo(({ method }) => holds && method === 'POST');
  const kept = memoryState();
  const first = await openSkydeck({ demo, columns: 120, rows: 50, state: kept.session(), place: { area: 'domains' } });
  await first.waitFor('example.com');
  await first.press('*', 'a', 'R');
  await first.waitFor('── New record in');
  await first.pick('Type', 'TXT');
  await first.fill('Name', '_check');
  await first.fill('Target', 'site=1');
  await first.press('ctrl-s');
  await first.waitFor('── New record in 5 of 6 domains');
  await first.press('end', 'enter');
  await vi.waitFor(() => expect(demo.held).toBe(2));
  demo.lose();
  demo.release(1);
  await first.waitFor(/New record[^\n]* 1\/5/);
  // The result of one is noted with the next.
  const states = () => [...kept.of('progress').read().values()].map((value) => at(value, 'result.state'));
  await vi.waitFor(() => expect(states()).toContain('done'));
  kept.kill();
  await first.close();
  holds = false;

  const second = await openSkydeck({ demo, columns: 120, rows: 40, state: kept.session(), place: { area: 'domains' } });
  await second.waitFor(/its session ended when 1 of 5 were known to be done[\s\S]*esc closes\s+this/);
  await goOn(second, 4, 5);
  await second.waitFor(/It is unknown whether step 1 was done[\s\S]*not known\s+whether that was by this request/);
  expect(await recordsNamed(demo, '_check')).toHaveLength(2);
  await second.press('d', 'ctrl-s');
  await second.waitFor('── Carry out 3 steps');
  await second.press('end', 'enter');
  await second.waitFor(/New record in 5 domains: 4 of the 5 done/);
  expect(await recordsNamed(demo, '_check')).toHaveLength(5);
  await second.close();
});

test('a change of which it cannot be noted that it is sent is not sent', async () => {
  const demo = await startHeldDemo();
  const kept = memoryState();
  const skydeck = await addTags({ demo, state: kept.session() });
  kept.refuses = true;
  for (let more = 2; more > 0; more--) {
    await vi.waitFor(() => expect(demo.held).toBe(2));
    demo.release();
  }
  await skydeck.waitFor(/── Add tags: 4 of 8 done, 4 not sent; these stay marked/);
  await skydeck.waitFor(/It was not sent, because that could not be noted: The disk is\s[^\n]*\n[^\n]*full\./);
  expect(skydeck.changes).toHaveLength(4);
  // Once there is room, none of it is taken for what a session has left.
  kept.refuses = false;
  await expect.poll(() => kept.of('unsent').read().size, { timeout: 20_000 }).toBe(0);
  expect(kept.of('plan').read().size).toBe(0);
  await skydeck.close();
});

/** A plan that another session is about to send, or has left, as it is kept: of its two steps one is of another version. */
const left = (of: string) => {
  const rolling = { id: of, title: 'Delete 2 volumes', of: 'volumes', count: 2 };
  const record = { resource: 'volumes', action: 'delete', label: 'archive-2023', params: { volumeId: '6001' } };
  return { [`${of}.1`]: { place: 0, id: 1, record, rolling }, [`${of}.2`]: { place: 1, id: 2, does: record, rolling } };
};

test('what a session has left and cannot be read is said, and that of one that goes on stays', async () => {
  const kept = memoryState({ unsent: { ...left('gone'), ...left('busy') } });
  const busy = kept.session().begin(['busy.1', 'busy.2']);
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state: kept.session() });
  await skydeck.waitFor(
    /0 of 2 were known to be done\.\s+1\s+of\s+them\s+cannot\s+be\s+read\s+and\s+is\s+left\s+out\.\s+The\s+others/,
  );
  expect([...kept.of('unsent').read().keys()]).toEqual(['busy.1', 'busy.2']);
  busy?.();
  await skydeck.close();
});

test('what two sessions have left is two parts, one behind the other, with what was entered', async () => {
  const several = (of: string) =>
    Object.entries(left(of)).map(([uid, { does, record = does, ...step }]) => [
      uid,
      { ...step, record, entries: { label: of } },
    ]);
  const kept = memoryState({ unsent: Object.fromEntries([...several('one'), ...several('two')]) });
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state: kept.session() });
  await skydeck.waitFor('Delete 2 volumes: its session ended when 0 of 2 were known to be done.');
  const steps = storedSteps(kept.of('plan').read());
  expect(steps.map(({ uid, id, entries }) => [uid, id, entries])).toEqual([
    ['one.1', 1, { label: 'one' }],
    ['one.2', 2, { label: 'one' }],
    ['two.1', 3, { label: 'two' }],
    ['two.2', 4, { label: 'two' }],
  ]);
  await skydeck.close();
});

test('two hundred go at once with one note of each that is sent', async () => {
  const kept = memoryState();
  const demo = await startQuietDemo({ servers: 200 });
  onTestFinished(() => demo.close());
  const skydeck = await openSkydeck({
    demo,
    columns: 120,
    rows: 40,
    state: kept.session(),
    place: { area: 'servers' },
  });
  await skydeck.waitFor('api-1');
  await skydeck.press('G');
  await skydeck.waitFor(/15\d–\d+ of 200/);
  await skydeck.press('*');
  await skydeck.waitFor('marked 200');
  await skydeck.press('a', '+');
  await skydeck.waitFor('── Add tags to 200 servers');
  await skydeck.type('fresh');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/── Add tags to 200 of 200 servers/);
  await skydeck.press('end');
  await skydeck.waitFor(/↑ \d+ above/);
  const before = kept.writes;
  await skydeck.press('enter');
  await skydeck.waitFor('Add tags: all 200 done');
  expect(skydeck.changes).toHaveLength(200);
  expect(kept.writes - before).toBeLessThan(220);
  await skydeck.close();
});
