import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkCommands } from '../../src/program/config/checkCommands.ts';
import type { Row } from '../../src/resources/row.ts';
import { rowsOf } from '../../src/resources/row.ts';
import type { PlanStep } from '../../src/store/plans/plan.ts';
import { progressValue, stepValue } from '../../src/store/plans/storedPlan.ts';
import { memoryState } from '../store/keptState.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

const ready = await readFile(join(import.meta.dirname, '../../docs/commands.toml'), 'utf8');
const { config } = parseConfig(ready, [checkCommands]);
const commands = { configuration: { commands: config.commands } };

/** Six servers behind web-lb, whose health is checked every second. */
const labels = ['web-1', 'web-3', 'web-4', 'web-5', 'web-6', 'web-8'];

async function openServers(options: SkydeckOptions): Promise<Skydeck> {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' }, ...commands, ...options });
  await skydeck.waitFor(/api-1|web-8/);
  return skydeck;
}

/** The rows of a list. */
const listed = async (skydeck: Skydeck, path: string): Promise<readonly Row[]> =>
  rowsOf((await skydeck.elsewhere('GET', path)).data);

async function checkEverySecond(skydeck: Skydeck): Promise<void> {
  for (const { id } of await listed(skydeck, '/nodebalancers'))
    for (const config of await listed(skydeck, `/nodebalancers/${id}/configs`))
      await skydeck.elsewhere('PUT', `/nodebalancers/${id}/configs/${config.id}`, { check_interval: 1 });
}

async function markWebServers(skydeck: Skydeck): Promise<void> {
  await skydeck.press('/');
  await skydeck.type('label:/^web-[134568]$/');
  await skydeck.press('enter');
  await skydeck.waitFor('6 of 40');
  await skydeck.press('*');
  await skydeck.waitFor('marked 6');
}

test('another way is another question, whose end is to be seen again', async () => {
  const skydeck = await openServers({ columns: 60, rows: 16 });
  await markWebServers(skydeck);
  await skydeck.press('a');
  await skydeck.waitFor('Actions on 6 servers');
  await skydeck.press('X');
  await skydeck.waitFor('How ❯one by one');
  await skydeck.press('end');
  await skydeck.waitFor('enter do it');
  await skydeck.press('ctrl-o');
  await skydeck.waitFor(/more below[\s\S]*How {2}one by one ❯2 at a time/);
  await skydeck.press('enter');
  await skydeck.waitFor(/The lines below have not been shown yet/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('esc');
});

test('the question of one server tells what it serves where that is loaded, and reads nothing for it', async () => {
  const skydeck = await openServers({});
  const ask = async (label: string) => {
    await skydeck.pointAt(`${label} `);
    await skydeck.press('a', 'X');
    await skydeck.waitFor(/── Reboot\?[\s\S]*esc cancel/);
  };
  await ask('web-1');
  expect(skydeck.text()).not.toContain('serves');
  expect(skydeck.requests.filter(({ path }) => path.endsWith('/nodes'))).toEqual([]);
  await skydeck.press('esc');
  await markWebServers(skydeck);
  await skydeck.press('a', 'X');
  await skydeck.waitFor('They serve port 80 and 443 of web-lb by 12 nodes.');
  await skydeck.press('esc', 'esc');
  await skydeck.waitFor((text) => !text.includes('marked 6'));
  const before = skydeck.requests.length;
  await ask('web-1');
  await skydeck.waitFor('It serves port 80 and 443 of web-lb by 2 nodes.');
  expect(skydeck.requests.slice(before).filter(({ path }) => path.includes('nodebalancers'))).toEqual([]);
});

const rebooted = ({ changes }: Skydeck) => changes.filter(({ path }) => path.endsWith('/reboot'));

test('nodes of servers that stay down are drained, and take no traffic afterwards', async () => {
  const demo = await startSlowDemo();
  onTestFinished(() => demo.close());
  const skydeck = await openServers({ demo });
  await markWebServers(skydeck);
  await skydeck.press('a');
  await skydeck.waitFor(/S +Shut down/);
  await skydeck.press('S');
  await skydeck.waitFor('They serve port 80 and 443 of web-lb by 12 nodes.');
  await skydeck.press('ctrl-r');
  await skydeck.waitFor(/✓ drain before(?!,)/);
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/0\/6 {2}web-1 \d+%/);
  demo.pass(1);
  await skydeck.waitFor(/1\/6 {2}web-3 \d+%/);
  const modes = skydeck.changes.map(({ body }) => (body as { mode?: string } | undefined)?.mode);
  expect(modes).toEqual(['drain', 'drain', undefined, 'drain', 'drain', undefined]);
  await skydeck.goTo('running');
  await skydeck.waitFor((text) => [80, 443].every((port) => text.includes(`Drain (web-1) at port ${port}`)));
  await skydeck.press('home', 'u');
  await skydeck.waitFor('It is under way: what is done of it is taken back once it has ended.');
  await skydeck.press('enter');
  await skydeck.waitFor(/It has begun, \d+%\.\s+Its end is waited for, and it is not sent again\./);
  expect(skydeck.text().match(/It has begun/g)).toHaveLength(1);
});

test('servers behind a NodeBalancer are rebooted one by one, over a lost line and a failure', async () => {
  const demo = await startSlowDemo();
  onTestFinished(() => demo.close());
  const kept = memoryState();
  const first = await openServers({ demo, state: kept.session() });
  await checkEverySecond(first);
  const servers = new Map((await listed(first, '/server/instances')).map(({ label, id }) => [label, id]));
  await markWebServers(first);
  await first.press('a');
  await first.waitFor(/X +Reboot +asks/);
  await first.press('X');
  await first.waitFor('── Reboot 6 of 6 servers');
  await first.waitFor(/How ❯one by one {2}2 {2}3 {2}5 {2}all at once/);
  await first.waitFor('They serve port 80 and 443 of web-lb by 12 nodes.');
  await first.press('ctrl-t');
  await first.waitFor('takes longer than 30 min');
  await first.press('ctrl-r');
  await first.waitFor('✓ drain before, accept after');
  await first.press('enter');
  await first.waitFor(/◐ Reboot 6 servers .*0\/6 {2}web-1 \d+%; then web-3 *\n.*X stop sending {2}J 1 running/);
  expect(first.changes.map(({ body, path }) => body ?? path)).toEqual([
    { mode: 'drain' },
    { mode: 'drain' },
    `/server/instances/${servers.get('web-1')}/reboot`,
  ]);
  demo.pass(1);
  await first.waitFor(/1\/6 {2}web-3 \d+%/);
  await first.waitFor('marked 5');
  // Nothing more is begun while it is paused, though the one under way comes to its end.
  await first.press('Z');
  await first.waitFor('paused; Z goes on');
  demo.pass(1);
  await first.waitFor(/2\/6 .*paused/);
  expect(rebooted(first)).toHaveLength(2);
  await first.press('Z');
  await first.waitFor(/2\/6 {2}web-4 \d+%/);
  // The plan shows as under way what is, not what waits for it.
  await first.press(':');
  await first.type('plan');
  await first.waitFor('❯ Plan');
  await first.press('enter');
  await first.waitFor(/ ◐ Reboot web-4/);
  expect(
    first
      .text()
      .match(/^[ ❯]+\d+ +◐ .*/gm)
      ?.map((line) => line.replace(/^.*◐ /, '')),
  ).toEqual(['Reboot web-4']);
  await first.press('esc');
  // Somebody shuts the fourth down; then the line is lost.
  await first.elsewhere('POST', `/server/instances/${servers.get('web-5')}/shutdown`);
  await first.close();

  const skydeck = await openServers({ demo, state: kept.session() });
  demo.pass(1);
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor(/ctrl-s waits for the end of step \d+, and then goes on/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Its end is waited for, and it is not sent again.');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(
    /Reboot 6 servers: 3 of 6 done\.[\s\S]*not running[\s\S]*2 nodes still drain[\s\S]*2 not begun/,
  );
  expect(rebooted(skydeck).map(({ path, status }) => [path, status])).toEqual([
    [`/server/instances/${servers.get('web-5')}/reboot`, 400],
  ]);
  // It is booted by somebody, and the rest goes on.
  await skydeck.elsewhere('POST', `/server/instances/${servers.get('web-5')}/boot`);
  demo.pass(1);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out');
  await skydeck.press('end', 'enter');
  for (const nth of [3, 4, 5]) {
    await skydeck.waitFor(new RegExp(`${nth}/6 {2}${labels[nth]} \\d+%`));
    demo.pass(1);
  }
  await skydeck.waitFor('Reboot 6 servers: all done');
  expect(rebooted(skydeck)).toHaveLength(4);
  const modes = skydeck.changes.flatMap(({ body }) => ((body as Row | undefined)?.mode as string) ?? []);
  expect(modes.filter((mode) => mode === 'accept')).toHaveLength(8);
});

test('an edit of several rows asks how as well, and goes one by one', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('archive-2023');
  await skydeck.press('space', 'space', 'space', 'a');
  await skydeck.waitFor('── Actions on 3 volumes');
  await skydeck.press('+');
  await skydeck.waitFor('── Add tags to 3 volumes');
  await skydeck.type('fresh');
  await skydeck.press('enter', 'ctrl-s');
  await skydeck.waitFor(/── Add tags to 3 of 3 volumes[\s\S]*❯all at once/);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('ctrl-o');
  await skydeck.waitFor(/fresh[\s\S]*Each goes once the volume before is done\.[\s\S]*How ❯one by one/);
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Add tags to 3 volumes: all done; u takes them back');
  expect(skydeck.changes.map(({ method, status }) => [method, status])).toEqual(Array(3).fill(['PUT', 200]));
});

test('what is sent at once of one row asks first of several', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('shop.example');
  await skydeck.press('/');
  await skydeck.type('status:disabled');
  await skydeck.press('enter');
  await skydeck.waitFor('filter: status:disabled');
  const disabled = skydeck.text().match(/\bdisabled\b/g)?.length ?? 0;
  expect(disabled).toBeGreaterThan(0);
  await skydeck.press('esc', '*', 'a');
  await skydeck.waitFor(/Enable +asks/);
});

/** Steps as an earlier session has left them: one of none, and those of a rolling action. */
const leftSteps = (ids: readonly string[], result?: PlanStep['result']): readonly PlanStep[] => [
  {
    id: 1,
    uid: 'made',
    record: { resource: 'domains', action: 'create', params: {}, label: 'planned.example', body: plannedZone },
  },
  ...ids.map((serverId, index) => ({
    id: index + 2,
    uid: `off-${index}`,
    record: { resource: 'servers', action: 'shutdown', params: { serverId }, label: `server ${index}` },
    wait: { for: ['offline'], within: '10m' },
    rolling: { id: 'off', title: 'Shut down 2 servers', of: 'servers', count: 2 },
    ...(index === 0 && result && { result }),
  })),
];
const plannedZone = { domain: 'planned.example', type: 'master', soa_email: 'me@planned.example' };

test('the plan says of the part under the cursor what is next', async () => {
  const kept = memoryState();
  const state = kept.session();
  const steps = leftSteps(['1', '2'], { state: 'refused', at: 1, says: 'It was busy.' });
  state.of('plan').put(steps.map((step, place) => [step.uid, stepValue(step, place)]));
  state.of('progress').put(steps.flatMap((step) => (step.result ? [[step.uid, progressValue(step)]] : [])));
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state });
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor('Step 1 is next; ctrl-s goes on with it.');
  await skydeck.press('j');
  await skydeck.waitFor('Step 2 is next; ctrl-s goes on with it.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Carry out 2 steps of: Shut down 2 servers?');
});

test('a key goes on with what an earlier session has left halfway, past what was only planned', async () => {
  const kept = memoryState();
  const state = kept.session();
  const steps = leftSteps(['1', '2'], { state: 'done', at: 1 });
  state.of('plan').put(steps.map((step, place) => [step.uid, stepValue(step, place)]));
  state.of('progress').put(steps.flatMap((step) => (step.result ? [[step.uid, progressValue(step)]] : [])));
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state });
  await skydeck.waitFor('plan 2 stopped');
  await skydeck.press('Z');
  await skydeck.waitFor(/── Plan [\s\S]*❯ +3 +· Shut down server 1/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Carry out 1 step of: Shut down 2 servers?');
});

test('for what all steps wait alike is said once, in the plan and in its question', async () => {
  const kept = memoryState();
  const state = kept.session();
  const [, ...steps] = leftSteps(['1', '2']);
  state.of('plan').put(steps.map((step, place) => [step.uid, stepValue(step, place)]));
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state });
  const waits = () =>
    skydeck.text().match(/\w+ (?:then )?waits until its job has ended and it is offline, at most 10 min/g);
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor('Shut down server 1');
  expect(waits()).toEqual(['step then waits until its job has ended and it is offline, at most 10 min']);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Carry out 2 steps of: Shut down 2 servers?');
  expect(waits()).toEqual(['step then waits until its job has ended and it is offline, at most 10 min']);
});

test('the palette opens over the plan, and the plan only once', async () => {
  const kept = memoryState();
  const state = kept.session();
  state.of('plan').put(leftSteps([]).map((step, place) => [step.uid, stepValue(step, place)]));
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state });
  for (const what of ['plan', 'plan']) {
    await skydeck.press(':');
    await skydeck.waitFor('── Go to');
    await skydeck.type(what);
    await skydeck.waitFor('❯ Plan');
    await skydeck.press('enter');
    await skydeck.waitFor('New domain planned.example');
  }
  await skydeck.press(':');
  await skydeck.waitFor('── Go to');
  await skydeck.press('esc');
  await skydeck.waitFor('── Plan  1 step ');
  await skydeck.press('esc');
  await skydeck.waitFor((text) => !text.includes('── Plan'));
  await skydeck.press(':');
  await skydeck.type('volumes');
  await skydeck.waitFor('❯ Volumes');
  await skydeck.press('enter');
  await skydeck.waitFor('› Volumes');
  expect(skydeck.text()).toContain('plan 1');
});

test('the plan tells of a row as it is now, whoever changes it meanwhile', async () => {
  const kept = memoryState();
  const state = kept.session();
  const skydeck = await openSkydeck({ columns: 120, rows: 40, state });
  const [balancer] = await listed(skydeck, '/nodebalancers');
  const [config] = await listed(skydeck, `/nodebalancers/${balancer?.id}/configs`);
  const nodes = `/nodebalancers/${balancer?.id}/configs/${config?.id}/nodes`;
  const node = (await listed(skydeck, nodes)).find(({ label }) => label === 'web-1');
  const params = { nodeBalancerId: `${balancer?.id}`, configId: `${config?.id}`, nodeId: `${node?.id}` };
  const record = { resource: 'nodebalancer-nodes', action: 'accept', params, label: 'web-1', body: { mode: 'accept' } };
  state.of('plan').put([['on', stepValue({ id: 1, uid: 'on', record }, 0)]]);
  await skydeck.press(':');
  await skydeck.type('plan');
  await skydeck.waitFor('❯ Plan');
  await skydeck.press('enter');
  await skydeck.waitFor('web-1 is already in mode accept.');
  await skydeck.elsewhere('PUT', `${nodes}/${node?.id}`, { mode: 'drain' });
  await skydeck.hear();
  await skydeck.waitFor((text) => /Accept traffic on web-1/.test(text) && !text.includes('already in mode accept'));
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('── Carry out 1 step?');
  expect(skydeck.text()).not.toContain('already in mode accept');
  await skydeck.elsewhere('PUT', `${nodes}/${node?.id}`, { mode: 'accept' });
  await skydeck.hear();
  await skydeck.waitFor('web-1 is already in mode accept.');
});

test('of several what stops a server is taken back one by one', async () => {
  const demo = await startSlowDemo();
  onTestFinished(() => demo.close());
  const skydeck = await openServers({ demo });
  await markWebServers(skydeck);
  await skydeck.press('a');
  await skydeck.waitFor(/Z +Resize/);
  await skydeck.press('Z');
  await skydeck.waitFor('── Resize 6 servers');
  await skydeck.pick('Type', 'g6-standard-4');
  await skydeck.choose('Resize the disk too', 'no');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('How ❯one by one');
  for (const _ of ['2', '3', '5', 'all']) await skydeck.press('ctrl-o');
  await skydeck.waitFor('❯all at once');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Resize: all 6 begun');
  demo.pass(60);
  await skydeck.calm();
  await skydeck.press('u');
  await skydeck.waitFor(/── Take back: Resize 6 servers[\s\S]*its nodes are up again\.[\s\S]*How ❯one by one/);
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/◐ Take back: Resize 6 servers .*0\/6 {2}web-8 \d+%; then web-6/);
  const resized = () => skydeck.changes.filter(({ path }) => path.endsWith('/resize')).length;
  expect(resized()).toBe(7);
  await checkEverySecond(skydeck);
  for (const done of [1, 2, 3, 4, 5]) {
    demo.pass(60);
    await skydeck.waitFor(`${done}/6`);
    await skydeck.waitFor(/then|web-1 \d+%/);
    expect(resized()).toBeLessThanOrEqual(7 + done);
  }
  demo.pass(60);
  await skydeck.waitFor('Take back: Resize 6 servers: all done; U does them again');
  expect(resized()).toBe(12);
  await skydeck.calm();
  await skydeck.press('U');
  await skydeck.waitFor(/── Do again: Resize 6 servers[\s\S]*How ❯one by one/);
});

test('nodes are drained before several servers are taken back, and accept traffic after, as when that is done again', async () => {
  const demo = await startSlowDemo();
  onTestFinished(() => demo.close());
  const skydeck = await openServers({ demo });
  await checkEverySecond(skydeck);
  await skydeck.press('/');
  await skydeck.type('label:/^web-[13]$/');
  await skydeck.press('enter');
  await skydeck.waitFor('2 of 40');
  await skydeck.press('*', 'a');
  await skydeck.waitFor(/Z +Resize/);
  await skydeck.press('Z');
  await skydeck.waitFor('── Resize 2 servers');
  await skydeck.pick('Type', 'g6-standard-4');
  await skydeck.choose('Resize the disk too', 'no');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('How ❯one by one');
  await skydeck.press('ctrl-o');
  await skydeck.waitFor('❯all at once');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('Resize: all 2 begun');
  demo.pass(60);
  await skydeck.calm();
  const sent = () => skydeck.changes.map(({ body, path }) => (body as Row).mode ?? path.replace(/.*\//, ''));
  for (const [key, title, end] of [
    ['u', 'Take back', 'U does them again'],
    ['U', 'Do again', 'u takes them back'],
  ] as const) {
    const before = skydeck.changes.length;
    await skydeck.press(key);
    await skydeck.waitFor(new RegExp(`── ${title}: Resize 2 servers`));
    await skydeck.waitFor(/They serve port 80 and 443 of web-lb by 4 nodes\.[\s\S]*○ drain before, accept after/);
    await skydeck.press('ctrl-r');
    await skydeck.waitFor('✓ drain before, accept after');
    await skydeck.press('end', 'enter');
    await skydeck.waitFor(/0\/2 {2}web-\d \d+%; then web-\d/);
    demo.pass(60);
    await skydeck.waitFor(/1\/2 {2}web-\d \d+%/);
    demo.pass(60);
    await skydeck.waitFor(`${title}: Resize 2 servers: all done; ${end}`);
    const one = ['drain', 'drain', 'resize', 'accept', 'accept'];
    expect(sent().slice(before)).toEqual([...one, ...one]);
    await skydeck.calm();
  }
});

test('what takes traffic away for good, or an edit may, goes one by one as well, and drains before', async () => {
  const skydeck = await openServers({});
  await markWebServers(skydeck);
  await skydeck.press('d');
  await skydeck.waitFor(/── Delete 6 of 6 servers[\s\S]*Each goes once the server before is done\./);
  await skydeck.waitFor(/They serve port 80 and 443 of web-lb by 12 nodes\.[\s\S]*○ drain before(?!,)/);
  await skydeck.waitFor('How ❯one by one');
  await skydeck.press('esc', 'esc');
  await skydeck.goTo('nodebalancers');
  await skydeck.waitFor('web-lb');
  await skydeck.press('*', 'd');
  await skydeck.waitFor(/── Delete 4 of 4 NodeBalancers[\s\S]*How ❯one by one/);
  await skydeck.press('esc', 'esc');
  await skydeck.pointAt('web-lb');
  await skydeck.press('enter', '3');
  await skydeck.waitFor(/443[\s\S]*https/);
  await skydeck.press('*', 'd');
  await skydeck.waitFor(/── Delete 2 of 2 NodeBalancer configs[\s\S]*How ❯one by one/);
  await skydeck.press('esc', 'esc', '2');
  await skydeck.waitFor('port 443 https');
  await skydeck.press('*', 'd');
  await skydeck.waitFor(/── Delete 15 of 15 nodes[\s\S]*How ❯one by one/);
  await skydeck.press('esc', 'e');
  await skydeck.waitFor('── Edit 15 nodes');
  await skydeck.choose('Mode', 'drain');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/── Edit 15 of 15 nodes[\s\S]*How ❯one by one/);
  await skydeck.press('esc', 'esc');
  expect(skydeck.changes).toEqual([]);
});
