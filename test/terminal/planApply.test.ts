import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { version } from '../api/server.ts';
import { environment } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openShell, type Shell } from './shell.ts';

const own = demoAndHome();
/** Those of one test: the demo is one for all. */
let labels: readonly string[] = [];
let nth = 0;

let shell: Shell;
beforeEach(async () => {
  nth++;
  labels = [1, 2, 3].map((step) => `typed-${nth}-${step}`);
  const folder = join(own.home, '.config', 'skydeck');
  await mkdir(folder, { recursive: true });
  const profile = `[profiles.work]\nbase_url = "${own.demo.url}"\ntoken_env = "WORK"\n`;
  await writeFile(join(folder, 'config.toml'), profile, { mode: 0o600 });
  const steps = labels.map((label, index) => ({
    id: index + 1,
    record: { resource: 'volumes', action: 'create', params: {}, label, body: { label, size: 20, region: 'us-east' } },
  }));
  const { host } = new URL(own.demo.url);
  const plan = { version: 1, madeAt: '2026-11-23T18:04:00.000Z', program: '0.1.0', host, steps };
  await writeFile(join(own.home, 'plan.json'), JSON.stringify(plan), { mode: 0o600 });
  const env = environment(own.home, { WORK: own.demo.tokens.full, TERM: 'xterm-256color' });
  shell = openShell(['plan', 'apply', join(own.home, 'plan.json')], { env, columns: 100, rows: 40 });
  await shell.waitFor('Type 3 to carry out 3 steps:');
});
afterEach(() => shell.kill('SIGKILL'));

/** The volumes of the plan that the API has. */
async function made(): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${own.demo.tokens.full}` };
  const answer = await fetch(`${own.demo.url}${version}/volumes?page_size=100`, { headers });
  const { data } = (await answer.json()) as { data: { label: string }[] };
  return data.map(({ label }) => label).filter((label) => labels.includes(label));
}

/** Waits until the program has ended in this way, the modes of the terminal as they were. */
async function ended(code: number): Promise<void> {
  await shell.waitFor(new RegExp(`modes as before\\s+code ${code}\\b`));
  if (code !== 0) expect(shell.text()).toContain('Nothing was sent.');
}

test.each(['2', '', 'y', 'yes', '33'])('the answer "%s" carries nothing out', async (answer) => {
  if (answer !== '') await shell.type(answer);
  await shell.press('enter');
  await ended(1);
  expect(await made()).toEqual([]);
});

test.each([
  ['ctrl-c', 130],
  ['ctrl-d', 1],
] as const)('%s carries nothing out', async (key, code) => {
  await shell.press(key);
  await ended(code);
  expect(await made()).toEqual([]);
});

test('the whole plan is printed before its number of steps is asked for, and that carries it out', async () => {
  const asked = shell.text();
  for (const label of labels) expect(asked.indexOf(label)).toBeLessThan(asked.indexOf('Type 3 to carry out'));
  expect(labels.every((label) => asked.includes(label))).toBe(true);
  expect(await made()).toEqual([]);
  await shell.type('3');
  await shell.press('enter');
  await shell.waitFor('All 3 steps are done.');
  await ended(0);
  expect(await made()).toEqual(labels);
});
