import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { bundle } from '../build.ts';
import { handsOn } from '../journeys/hands.ts';
import { environment } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty, type Pty } from './pty.ts';

/** The largest file that the program may write, in bytes: a disk that fills. */
const limit = 16_384;
/** Room for the line before a change, and for a part of the one about what became of it. */
const roomForOne = 350;
/** Room for the two lines of one change, and for a part of the next. */
const roomForTwo = 620;

let home: string;
let demo: Demo;
let pty: Pty;
beforeEach(async () => {
  home = temporaryFolder('audit');
  demo = await startDemo({ colleagues: false });
});
afterEach(async () => {
  pty.kill('SIGKILL');
  await demo.close();
});

const path = resourceNamed('tags').list?.path ?? '';

const tags = async () => {
  const answer = await fetch(new URL(`${path}?page_size=100`, demo.url), {
    headers: { authorization: `Bearer ${demo.tokens.full}` },
  });
  const { data } = (await answer.json()) as { data: readonly { label: string }[] };
  return data.map(({ label }) => label);
};

const logFile = () => join(home, '.local/state/skydeck/audit.jsonl');

/** Opens the tags with an audit log that has so many bytes left. */
async function openTags(room: number) {
  const log = logFile();
  const directory = dirname(log);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const old = JSON.stringify({ padding: 'x'.repeat(limit - room - 15) });
  await writeFile(log, `${old}\n`, { mode: 0o600 });
  const env = environment(home, { SKYDECK_BASE_URL: demo.url, SKYDECK_TOKEN: demo.tokens.full });
  // The signal that comes with the refusal ends a process that takes no notice of it; a full disk sends none.
  const unnoticed = join(home, 'unnoticed.mjs');
  await writeFile(unnoticed, `process.on('SIGXFSZ', () => {});`);
  const command = `ulimit -f ${limit / 1024}; exec "$0" "$@"`;
  pty = openPty('/bin/bash', ['-c', command, process.execPath, '--import', unnoticed, bundle, 'tags'], {
    columns: 100,
    rows: 30,
    env,
  });
  const hands = handsOn(pty);
  await pty.waitFor(/Tags +\d/);
  const make = async (label: string) => {
    await pty.press('n');
    await pty.waitFor('── New tag');
    await hands.fill('Label', label);
    await pty.press('ctrl-s');
  };
  return { hands, make };
}

test('a change of which the audit log has only the beginning is told of at once', async () => {
  const { make } = await openTags(roomForOne);
  await make('first');
  await pty.waitFor(/lacks lines since[\s\S]*it may not grow any further/);
  expect(await tags()).toContain('first');
  const [, pending = ''] = (await readFile(logFile(), 'utf8')).split('\n');
  expect(JSON.parse(pending)).toMatchObject({ body: { label: 'first' }, outcome: 'pending' });
  await pty.press('q');
  expect((await pty.exit).code).toBe(0);
});

test('a change that the audit log cannot take any more is refused and named, and what was typed stays', async () => {
  const { hands, make } = await openTags(roomForTwo);
  await make('first');
  await pty.waitFor('New tag: first');
  await make('second');
  await pty.waitFor(/Nothing was sent, because the audit log[\s\S]*start again/);
  const says = pty.text().replace(/[^\w.;:/,-]+/g, ' ');
  expect(says).toContain('.local/state/skydeck/audit.jsonl cannot be written: it may not grow any further; fix');
  expect(pty.text()).toContain('── New tag');
  expect(hands.cursorLine()).toContain('second');
  expect(await tags()).toContain('first');
  expect(await tags()).not.toContain('second');

  const lines = (await readFile(logFile(), 'utf8')).split('\n');
  expect(lines.slice(1, 3).map((line) => JSON.parse(line))).toMatchObject([
    { method: 'POST', path, body: { label: 'first' }, outcome: 'pending' },
    { method: 'POST', path, outcome: 'done', status: 200 },
  ]);
});
