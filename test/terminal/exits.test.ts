import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundle } from '../build.ts';
import { seed, someOf } from '../draw.ts';
import { environment, sharedCache } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty, type Pty } from './pty.ts';
import { expectModesOff, openShell, processesNaming, processesOf, type Shell } from './shell.ts';

let home: string;
let shell: Pty | undefined;
beforeEach(async () => {
  home = temporaryFolder('exits');
  // A cache of its own puts the home into the command line of the demo API; while others write theirs it stays empty.
  const filter = (path: string) => /\.cache(\/skydeck(\/|$)|$)/.test(path);
  await cp(sharedCache, join(home, '.cache'), { recursive: true, filter }).catch(() => {});
});
afterEach(async () => {
  shell?.kill('SIGKILL');
  // The demo API, which is told the home, is in a session of its own.
  await expect.poll(() => processesNaming(home), { timeout: 10_000 }).toEqual([]);
});

/** Breaks something in the program from outside on SIGURG. */
const onSigurg = (code: string) => ['--import', `data:text/javascript,process.on("SIGURG",()=>{${code}})`];

/** The program at the servers of its demo. */
async function open({ node, env = {} }: { node?: string[]; env?: Record<string, string> } = {}): Promise<Shell> {
  const own = environment(home, { XDG_CACHE_HOME: join(home, '.cache'), ...env });
  const opened = openShell(['--demo', 'servers'], { node, columns: 80, rows: 24, env: own });
  shell = opened;
  await opened.waitFor('api-1');
  expect(opened.terminal.buffer.active.type).toBe('alternate');
  return opened;
}

describe('leaving', () => {
  test.each(['q', 'ctrl-c'])('by %s says nothing', async (key) => {
    const shell = await open();
    await shell.press(key);
    await shell.ended(0);
  });

  const signals = [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGABRT', 134],
    ['SIGUSR1', 138],
    ['SIGUSR2', 140],
    ['SIGALRM', 142],
    ['SIGXCPU', 152],
    ['SIGVTALRM', 154],
  ] as const;
  test.each(someOf('signals that end', signals, 4))(`by %s says so (seed ${seed})`, async (signal, code) => {
    const shell = await open();
    await shell.press('n');
    await shell.waitFor('── New server');
    await shell.signal(signal);
    await shell.ended(code, `Skydeck was ended by ${signal}.`);
  });
});

test.each([
  ['q', /^$/],
  ['SIGTERM', /^Skydeck was ended by SIGTERM\.$/],
  ['SIGURG', /^Skydeck crashed \(put in\)\. A report without secrets is in .*\.txt$/],
] as const)(
  'what a terminal at the end of a slow line answers after the start is not typed into the shell after %s',
  async (end, says) => {
    const command = `"$0" "$@" ${bundle} --demo servers; echo over; sleep 1; echo later`;
    const env = environment(home, { XDG_CACHE_HOME: join(home, '.cache') });
    const args = ['-c', command, process.execPath, ...onSigurg('throw new Error("put in")')];
    const pty = openPty('/bin/sh', args, { columns: 80, rows: 24, env, answerMs: 1000 });
    shell = pty;
    await pty.waitFor('api-1');
    if (end === 'q') await pty.press('q');
    else for (const { name, pid } of await processesOf(pty.pid)) if (name !== 'sh') process.kill(pid, end);
    await pty.waitFor('later');
    const lines = pty.text().trim().split('\n');
    expect(lines.slice(-2)).toEqual(['over', 'later']);
    expect(lines.slice(0, -2).join('')).toMatch(says);
  },
);

test('what a slow terminal answers is not typed into an editor that is opened again at once', async () => {
  const ran = join(home, 'ran');
  const count = async () => (await readFile(ran, 'utf8').catch(() => '')).length;
  const env = environment(home, {
    XDG_CACHE_HOME: join(home, '.cache'),
    EDITOR: `printf x >> ${ran}; sleep 0.5; true`,
  });
  const args = [bundle, '--demo', 'stackscripts'];
  const pty = openPty(process.execPath, args, { columns: 100, rows: 30, env, answerMs: 300 });
  shell = pty;
  await pty.waitFor('web-node');
  await pty.press('n');
  await pty.waitFor('── New StackScript');
  await pty.press('tab', 'tab', 'tab');
  await pty.waitFor(/❯ Description/);
  await pty.press('ctrl-e');
  await expect.poll(count, { timeout: 10_000 }).toBe(1);
  await pty.waitFor(/❯ Description/);
  // The second one comes while it is waited for the answers.
  await pty.press('ctrl-e', 'ctrl-e');
  await expect.poll(count, { timeout: 10_000 }).toBe(2);
  await pty.waitFor(/❯ Description/);
  expect(pty.text()).not.toMatch(/\^\[|suspended/);
});

test('ctrl-z says that there is no shell to go to, where none could bring the program back', async () => {
  const shell = await open();
  await shell.press('ctrl-z');
  await shell.waitFor('There is no shell to return to');
  await shell.press('q');
  await shell.ended(0);
});

describe('a fault', () => {
  test.each([
    ['an exception', 'throw new Error("put in")', []],
    ['a promise', 'Promise.reject(new Error("put in"))', []],
    ['a frame', 'String.prototype.repeat=()=>{throw new Error("put in")}', ['a']],
    ['a store', 'Object.is=()=>{throw new Error("put in")}', ['down']],
  ])('in %s restores the terminal, says so and leaves a report', async (_, code, keys) => {
    const shell = await open({ node: onSigurg(code) });
    await shell.signal('SIGURG');
    await shell.press(...keys);
    // A change that comes by itself may end it before the key does, which the terminal echoes then.
    await shell.ended(70, /^(?:\^\[\[B)?Skydeck crashed \(put in\)\. A report without secrets is in /);
    const directory = join(home, '.local/state/skydeck');
    const [report = '', ...others] = await readdir(directory);
    expect(others).toEqual([]);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, report))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(directory, report), 'utf8')).toContain('Error: put in');
  });
});

test('a program that is killed leaves no process', async () => {
  const shell = await open();
  expect(await processesNaming(home)).toHaveLength(1);
  await shell.signal('SIGKILL');
  await shell.waitFor('code 137');
  await expect.poll(() => processesNaming(home), { timeout: 10_000 }).toEqual([]);
});

test('a demo API that stands still does not hold up the way out', async () => {
  const shell = await open();
  for (const pid of await processesNaming(home)) process.kill(Number(pid), 'SIGSTOP');
  await shell.press('ctrl-r', 'q');
  await shell.ended(0);
});

test('a demo API that ends is a fault that is told of', async () => {
  const shell = await open();
  for (const pid of await processesNaming(home)) process.kill(Number(pid));
  await shell.ended(70, /^Skydeck crashed \(the demo API has ended/);
});

test('memory that is nearly used up ends the program in order, before Node aborts it', async () => {
  const limits = ['--max-semi-space-size=1', '--max-old-space-size=160'];
  const shell = await open({ node: [...limits, ...onSigurg('globalThis.kept=new Array(14e6).fill(1.5)')] });
  await shell.signal('SIGURG');
  await shell.press('ctrl-r');
  await shell.ended(
    70,
    /crashed \(\d+ of \d+ MiB of memory are in use; NODE_OPTIONS=--max-old-space-size=\d+ allows more\)/,
  );
});

describe('a terminal that is gone', () => {
  let other: Pty | undefined;
  afterEach(() => other?.kill('SIGKILL'));

  /**
   * The program with its input or its output in another terminal. That one is opened last: who is started
   * after it would have a hand on it, too.
   */
  async function openBetween(redirection: '<' | '>'): Promise<{ pty: Pty; other: Pty }> {
    const command = `read -r path; "$0" ${bundle} --demo servers ${redirection}"$path"; echo "code $?"`;
    const pty = openPty('/bin/sh', ['-c', command, process.execPath], {
      columns: 80,
      rows: 24,
      env: environment(home),
    });
    shell = pty;
    const opened = openPty('/bin/sh', ['-c', 'tty; exec sleep 600'], { columns: 80, rows: 24 });
    other = opened;
    await opened.waitFor(/^\/dev\/\S+$/m);
    await pty.type(`${opened.line(0)}\r`);
    await (redirection === '<' ? pty : opened).waitFor('api-1');
    return { pty, other: opened };
  }

  test('with everything in it leaves no process', async () => {
    const shell = await open();
    const { pid } = await shell.program();
    shell.hangUp();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => processesOf(shell.pid), { timeout: 10_000 }).toEqual([]);
  });

  test('as the input ends the program, and the output is restored', async () => {
    const { pty, other } = await openBetween('<');
    other.hangUp();
    await pty.waitFor('code 129');
    expectModesOff(pty);
    expect(pty.text()).toContain('Skydeck ended because its terminal is gone.');
    await pty.exit;
    expect(await processesOf(pty.pid)).toEqual([]);
  });

  test('as the output ends the program', async () => {
    const { pty, other } = await openBetween('>');
    other.hangUp();
    await pty.waitFor('Skydeck ended because its terminal is gone.');
    await pty.waitFor('code 129');
    await pty.exit;
    expect(await processesOf(pty.pid)).toEqual([]);
    expect(await readdir(home)).not.toContain('.local');
  });
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
