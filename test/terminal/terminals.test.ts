import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDemo } from '../../src/demo/server.ts';
import { bundle } from '../build.ts';
import { seed, someOf } from '../draw.ts';
import { environment } from '../main/program.ts';
import { openPty, type Pty } from './pty.ts';
import { openShell, type Shell } from './shell.ts';

let home: string;
const opened: Pty[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-terminals-'));
});
afterEach(() => {
  for (const pty of opened.splice(0)) pty.kill('SIGKILL');
});
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

/** A clock that stands still, so that nothing on the screen changes by itself. */
const still = ['--import', 'data:text/javascript,const now=Date.now();Date.now=()=>now'];

async function open(
  env: Record<string, string>,
  columns = 100,
  rows = 30,
  { node, args = ['--demo'] }: { node?: string[]; args?: string[] } = {},
): Promise<Shell> {
  const shell = openShell([...args, 'servers'], { columns, rows, node, env: environment(home, env) });
  opened.push(shell);
  await shell.waitFor(/api-1 .*\d/);
  await shell.waitFor((frame) => frame.split('\n').at(-1)?.includes('? keys') === true);
  return shell;
}

/** Moves so that lines scroll, looks at a graph, and leaves. */
async function lookAround(shell: Shell): Promise<void> {
  await shell.press(...Array.from({ length: shell.terminal.rows }, () => 'down'));
  await shell.waitFor((frame) => !/ api-1 /.test(frame));
  await shell.press('G');
  await shell.waitFor(/[❯>] .*worker-\d/);
  await shell.press('enter');
  await shell.waitFor(/Servers . worker-\d|Servers > worker-\d/);
  await shell.press('2');
  await shell.waitFor('CPU');
  await shell.press('q');
  await shell.ended(0);
}

const sequences = {
  manyColours: /\x1b\[[\d;]*[34]8[;:]/,
  /** By their red, green and blue. */
  directColours: /\x1b\[[\d;]*[34]8[;:]2[;:]/,
  colour: /\x1b\[(?:\d+;)*(?:3\d|4\d|9\d|10\d)(?:;\d+)*m/,
  scrolling: /\x1b\[\d*[ST]/,
  keyboard: /\x1b\[[<>=]/,
  titles: /\x1b\[[\d;]*t/,
  commands: /\x1b[\]PX^_]/,
  beyondAscii: /[^\x00-\x7f]/,
};

const many = ['xterm-256color', 'screen-256color', 'tmux-256color'];
test.each(someOf('terminals of many colours', many, 3))(`%s (seed ${seed})`, async (TERM) => {
  const shell = await open({ TERM });
  await lookAround(shell);
  // The row under the cursor is tinted by one of its 256 colours as soon as the cursor rests.
  expect(shell.bytes).not.toMatch(sequences.directColours);
  expect(shell.bytes).toContain('\x1b]2;skydeck demo');
  const others = shell.bytes
    .replaceAll(/\x1b\]2;skydeck demo(?:: \d+ critical)?\x07/g, '')
    // The question for its background.
    .replace('\x1b]11;?\x1b\\', '');
  expect(others).not.toMatch(sequences.commands);
});

const few = ['linux', 'vt100'];
test.each(someOf('terminals that lack', few, 2))(
  `%s, which shows or lacks what it does not know (seed ${seed})`,
  async (TERM) => {
    const shell = await open({ TERM });
    await lookAround(shell);
    for (const name of ['manyColours', 'scrolling', 'keyboard', 'commands', 'titles', 'beyondAscii'] as const) {
      expect(shell.bytes).not.toMatch(sequences[name]);
    }
    expect(shell.bytes).toMatch(/\x1b\[H\x1b\[J\x1b\[\?1049l/);
  },
);

test('the C locale gets letters that every font has', async () => {
  const shell = await open({ LANG: 'C' });
  await lookAround(shell);
  expect(shell.bytes).not.toMatch(sequences.beyondAscii);
});

test('NO_COLOR gets none', async () => {
  const shell = await open({ NO_COLOR: '1' });
  await lookAround(shell);
  expect(shell.bytes).not.toMatch(sequences.colour);
});

test("a key costs what it always costs, whatever Ink's own variable for screen readers says", async () => {
  const shell = await open({ INK_SCREEN_READER: 'true' }, 100, 30, { node: still });
  // The prices are read after the list.
  await shell.waitFor(/cost: \$[\d. ]+ a month/);
  const before = shell.bytes.length;
  await shell.press('down');
  await shell.waitFor(/❯ +● \w+ +api-2/);
  expect(shell.bytes.length - before).toBeLessThan(300);
  await shell.press('q');
  await shell.ended(0);
});

const sizes = [
  [60, 16],
  [300, 100],
] as const;
test.each(someOf('sizes', sizes, 2))(`%d columns and %d rows (seed ${seed})`, async (columns, rows) => {
  const shell = await open({}, columns, rows);
  expect(shell.text().split('\n').at(-1)).toContain('? keys');
  await shell.press('q');
  await shell.ended(0);
});

/** All but the first line, which tells how long calls take. */
const body = (frame: string) => frame.split('\n').slice(1).join('\n');

test('after two hundred changes of the size the screen is as if it had always had the last one', async () => {
  const [columns, rows] = [97, 33];
  // One cloud in which nothing happens and no time passes, as both must show the same.
  const at = Date.now();
  const demo = await startDemo({ colleagues: false, now: () => at });
  onTestFinished(() => demo.close());
  const env = { SKYDECK_BASE_URL: demo.url, SKYDECK_TOKEN: demo.tokens.full };
  const options = { node: still, args: ['--no-cache'] };
  const fresh = await open(env, columns, rows, options);
  const shell = await open(env, columns, rows, options);
  const wanted = () => body(fresh.text());
  await shell.waitFor((frame) => body(frame) === wanted());
  for (let turn = 0; turn < 200; turn++) {
    shell.resize(40 + ((turn * 37) % 160), 10 + ((turn * 23) % 50));
    await new Promise((done) => setImmediate(done));
  }
  shell.resize(columns, rows);
  await shell.waitFor((frame) => body(frame) === wanted());
  // There and back before the program has looked: for it the size has not changed at all.
  for (let turn = 0; turn < 20; turn++) {
    shell.resize(60, 16);
    shell.resize(columns, rows);
  }
  await shell.waitFor((frame) => body(frame) === wanted());
  await shell.press('down');
  await shell.waitFor(/❯ +● \w+ +api-2/);
});

const hasTmux = (() => {
  try {
    return execFileSync('tmux', ['-V']).length > 0;
  } catch {
    return false;
  }
})();

test.skipIf(!hasTmux)('tmux (skipped where it is not installed)', async () => {
  const socket = join(home, 'tmux');
  const args = [
    '-S',
    socket,
    '-f',
    '/dev/null',
    'new-session',
    `${process.execPath} ${bundle} --demo servers; sleep 600`,
  ];
  const pty = openPty('tmux', args, { columns: 100, rows: 30, env: environment(home) });
  opened.push(pty);
  try {
    await pty.waitFor(/❯ +● \w+ +api-1 /);
    await pty.press(...Array.from({ length: 30 }, () => 'down'));
    await pty.waitFor((frame) => !/ api-1 /.test(frame));
    pty.resize(80, 24);
    await pty.waitFor((frame) => frame.split('\n').at(-2)?.includes('? keys') === true);
    await pty.press('q');
    await pty.waitFor((frame) => !frame.includes('Servers'));
    const options = ['-S', socket, 'display-message', '-p', '#{alternate_on} #{cursor_flag} #{wrap_flag}'];
    await expect.poll(() => execFileSync('tmux', options, { encoding: 'utf8' }).trim()).toBe('0 1 1');
  } finally {
    execFileSync('tmux', ['-S', socket, 'kill-server']);
  }
});
