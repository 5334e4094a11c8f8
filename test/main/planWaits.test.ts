import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Exchanged, startOtherApi } from '../journeys/otherApi.ts';
import { startSlowDemo } from '../journeys/skydeck.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere as skydeck } from './here.ts';
import { configureWork, environment } from './program.ts';

const params = { serverId: '48200101' };

/** A plan that shuts a server down, waits until it is offline, and renames it then. */
async function prepare(within: string, waitsOften = false) {
  const demo = await startSlowDemo();
  const home = temporaryFolder('waits');
  onTestFinished(() => demo.close());
  const { url, seen } = await startOtherApi(() => undefined, undefined, demo);
  await configureWork(home, url);
  const record = { resource: 'servers', params, label: 'web-1' };
  const steps = [
    { id: 1, uid: 'uid-1', record: { ...record, action: 'shutdown' }, wait: { for: ['offline'], within } },
    {
      id: 2,
      uid: 'uid-2',
      record: { ...record, action: 'edit', changes: { set: { label: 'web-one' } } },
      ...(waitsOften && { wait: { for: ['offline'], within } }),
    },
  ];
  const head = { version: 2, madeAt: '2026-11-23T18:04:00.000Z', program: '0.1.0', host: new URL(url).host };
  const file = join(home, 'plan.json');
  await writeFile(file, JSON.stringify({ ...head, steps }));
  const run = (...words: string[]) => skydeck(['plan', ...words], environment(home, { WORK: demo.tokens.full }));
  return { demo, seen, file, run };
}

const changesIn = (seen: readonly Exchanged[]) =>
  seen.filter(({ method }) => method !== 'GET').map(({ method }) => method);

test('apply waits for the end of a step before it sends the next', async () => {
  const { demo, seen, file, run } = await prepare('10m');
  expect((await run('show', file)).stdout).toContain(
    'Then waits until its job has ended and it is offline, at most 10 min.',
  );
  const applied = run('apply', file, '--confirm', '2');
  const looks = () => seen.filter(({ path }) => path.includes('events')).length;
  await vi.waitUntil(() => changesIn(seen).length === 1, { timeout: 20_000 });
  const before = looks();
  await vi.waitUntil(() => looks() > before + 2, { timeout: 20_000 });
  expect(changesIn(seen)).toEqual(['POST']);
  demo.pass(1);
  const { code, stdout, stderr } = await applied;
  expect([code, stdout]).toEqual([
    0,
    '1  Shut down web-1: has begun\n1  Shut down web-1: done\n2  Edit web-1: done\nAll 2 steps are done.\n',
  ]);
  expect(stderr).toMatch(/\nStep 1: web-1 has begun, \d+%; it may take 10 min\.\n/);
  expect(changesIn(seen)).toEqual(['POST', 'PUT']);
});

test('for what all steps wait alike is said once', async () => {
  const { file, run } = await prepare('10m', true);
  const { stdout } = await run('show', file);
  expect(stdout).toContain('\nEach step then waits until its job has ended and it is offline, at most 10 min.\n\n1  ');
  expect(stdout.match(/waits/g)).toHaveLength(1);
});

test('a step that does not come to its end in time stops the rest; the same command waits for it once more', async () => {
  const { demo, seen, file, run } = await prepare('1s');
  const late = await run('apply', file, '--confirm', '2');
  expect(late.code).toBe(1);
  expect(late.stdout).toMatch(
    /1 {2}Shut down web-1: has begun\. web-1 has begun, \d+%, after 1 s\. Nothing further was sent\.\n/,
  );
  expect(late.stdout).toContain('The same command waits for step 1 once more, --from 2 goes on without it.');
  expect(changesIn(seen)).toEqual(['POST']);
  demo.pass(1);
  const { code, stdout } = await run('apply', file, '--confirm', '2');
  expect([code, stdout]).toEqual([0, '1  Shut down web-1: done\n2  Edit web-1: done\nAll 2 steps are done.\n']);
  expect(changesIn(seen)).toEqual(['POST', 'PUT']);
});
