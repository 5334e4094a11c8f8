import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { version } from '../api/server.ts';
import { seed, someOf } from '../draw.ts';
import { configureWork, environment } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openShell, type Shell } from './shell.ts';

const own = demoAndHome();
/** Those of one test: the demo is one for all. */
let labels: readonly string[] = [];
let nth = 0;

let shell: Shell;
const file = () => join(own.home, 'plan.json');

/** Carries a plan of these steps out in a terminal. */
async function openPlan(steps: readonly object[]): Promise<void> {
  const { host } = new URL(own.demo.url);
  const plan = { version: 1, madeAt: '2026-11-23T18:04:00.000Z', program: '0.1.0', host, steps };
  await writeFile(file(), JSON.stringify(plan), { mode: 0o600 });
  const env = environment(own.home, { WORK: own.demo.tokens.full, TERM: 'xterm-256color' });
  shell = openShell(['plan', 'apply', file()], { env, columns: 100, rows: 40 });
}

beforeEach(async () => {
  nth++;
  labels = [1, 2, 3].map((step) => `typed-${nth}-${step}`);
  await configureWork(own.home, own.demo.url);
});
afterEach(() => shell.kill('SIGKILL'));

/** Carries out a plan of three volumes, as far as its question. */
async function openVolumes(): Promise<void> {
  const steps = labels.map((label, index) => ({
    id: index + 1,
    record: { resource: 'volumes', action: 'create', params: {}, label, body: { label, size: 20, region: 'us-east' } },
  }));
  await openPlan(steps);
  await shell.waitFor('Type 3 to carry out 3 steps:');
}

/** The volumes of the plan that the API has. */
async function made(): Promise<readonly string[]> {
  return (await labelsOf('volumes')).filter((label) => labels.includes(label));
}

async function labelsOf(list: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${own.demo.tokens.full}` };
  const answer = await fetch(`${own.demo.url}${version}/${list}?page_size=100`, { headers });
  const { data } = (await answer.json()) as { data: { label: string }[] };
  return data.map(({ label }) => label);
}

/** Waits until the program has ended in this way, the modes of the terminal as they were. */
async function ended(code: number): Promise<void> {
  await shell.waitFor(new RegExp(`modes as before\\s+code ${code}\\b`));
  if (code !== 0) expect(shell.text()).toContain('Nothing was sent.');
}

const answers = ['2', '', 'y', 'yes', '33'];
test.each(someOf('answers that are no number of steps', answers, 3))(
  `the answer "%s" carries nothing out (seed ${seed})`,
  async (answer) => {
    await openVolumes();
    if (answer !== '') await shell.type(answer);
    await shell.press('enter');
    await ended(1);
    expect(await made()).toEqual([]);
  },
);

test.each([
  ['ctrl-c', 130],
  ['ctrl-d', 1],
] as const)('%s carries nothing out', async (key, code) => {
  await openVolumes();
  await shell.press(key);
  await ended(code);
  expect(await made()).toEqual([]);
});

test('the whole plan is printed before its number of steps is asked for, and that carries it out', async () => {
  await openVolumes();
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

describe('a secret that no file keeps', () => {
  const body = { label: 'vault', region: 'us-east', type: 'g6-nanode-1', image: 'server/debian12' };
  const steps = [
    {
      id: 1,
      record: {
        resource: 'servers',
        action: 'create',
        params: {},
        label: 'vault',
        body: { ...body, root_pass: '[redacted]' },
      },
    },
  ];
  const prompt = 'Root password of step 1, New server vault:';
  beforeEach(async () => {
    await openPlan(steps);
    await shell.waitFor(prompt);
  });

  test('may be typed ahead of its questions, and is not shown then either', async () => {
    await shell.type('short\rcorrect horse\rcorrect house\rcorrect horse\rcorrect horse\r');
    await shell.waitFor('Type 1 to carry out 1 step:');
    await shell.press('ctrl-c');
    await ended(130);
    expect(shell.text()).toMatch(/it has 5\.[\s\S]*The two differ\./);
    expect(shell.text()).not.toMatch(/short|horse|house/);
  });

  test('is typed twice before the number of steps, by its rule, and never shown', async () => {
    const asked = shell.text();
    expect(asked.indexOf('vault')).toBeLessThan(asked.indexOf(prompt));
    await shell.type('short');
    await shell.press('enter');
    await shell.waitFor(/Root password must [^\n]*\n+ *Root password of step 1/);
    await shell.type('correct horse');
    await shell.press('enter');
    await shell.waitFor('The same again:');
    await shell.type('correct house');
    await shell.press('enter');
    await shell.waitFor('The two differ.');
    await shell.type('correct horse');
    await shell.press('enter');
    await shell.waitFor((text) => text.split('The same again:').length === 3);
    await shell.type('correct horse');
    await shell.press('enter');
    await shell.waitFor('Type 1 to carry out 1 step:');
    await shell.type('1');
    await shell.press('enter');
    await shell.waitFor('The step is done.');
    await ended(0);
    expect(shell.text()).not.toMatch(/short|horse|house/);
    expect(await labelsOf('server/instances')).toContain('vault');
  });

  test.each([
    ['ctrl-c', 130],
    ['ctrl-d', 1],
    ['enter', 1],
  ] as const)('%s in its place carries nothing out', async (key, code) => {
    await shell.press(key);
    await ended(code);
  });
});
