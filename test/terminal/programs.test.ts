import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endingText, runOnTerminal, runProgram } from '../../src/terminal/childProgram.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty } from './pty.ts';

const env = { PATH: process.env.PATH, LANG: 'C' };
const sh = (script: string, options: Partial<Parameters<typeof runProgram>[1]> = {}) =>
  runProgram(['sh', '-c', script, 'sh'], { env, ...options });

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('programs');
});

/** The processes whose command line has this word. */
const running = (word: string) =>
  execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word) && !line.includes('ps -A'));
const noneLeft = (word: string) => vi.waitFor(() => expect(running(word)).toEqual([]), { timeout: 10_000 });

describe('a program', () => {
  test('gets its arguments as they are, its input and only its environment', async () => {
    const args = ['a b', '$HOME', '; rm -rf x', '*', "'"];
    const ending = await runProgram(['sh', '-c', 'printf "%s\\n" "$@"; cat; echo; env', 'sh', ...args], {
      env: { ...env, OWN: 'mine' },
      input: '{"id":1}',
    });
    expect(ending).toMatchObject({ code: 0, timedOut: false, stopped: false, droppedBytes: 0 });
    expect(ending.lines.slice(0, 6)).toEqual([...args, '{"id":1}']);
    expect(ending.lines).toContain('OWN=mine');
    expect(ending.lines.join('\n')).not.toContain('HOME=');
  });

  test('may end without reading its input', async () => {
    expect(await sh('exit 0', { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0, lines: [] });
  });

  test('that is not there, or cannot be run, is one sentence', async () => {
    const missing = await runProgram(['no-such-program'], { env });
    expect(missing).toMatchObject({ lines: [], timedOut: false });
    expect(endingText('no-such-program', missing)).toBe(
      'The program no-such-program was not found; install it, or write its whole path.',
    );
    const file = join(directory, 'plain');
    await writeFile(file, 'echo');
    const { error } = await runProgram([file], { env });
    expect(error).toBe(`The program ${file} cannot be run: permission denied.`);
    const long = await runProgram(['true', 'x'.repeat(3_000_000)], { env });
    expect(long.error).toBe('The program true cannot be run: its arguments are too long.');
    expect((await runProgram(['true', 'a\0b'], { env })).error).toMatch(/^The program true cannot be run: /);
  });

  test('tells its exit code and what it printed on both streams', async () => {
    const ending = await sh('echo one; echo two >&2; printf three; exit 3');
    expect(ending).toMatchObject({ code: 3, signal: undefined });
    expect([...ending.lines].sort()).toEqual(['one', 'three', 'two']);
    expect(endingText('check', ending)).toBe('check ended with code 3.');
  });

  test('tells the signal that ended it', async () => {
    const ending = await sh('kill -SEGV $$');
    expect(ending).toMatchObject({ code: undefined, signal: 'SIGSEGV' });
    expect(endingText('check', ending)).toBe('check was ended by SIGSEGV.');
  });

  test('that hangs is ended after its time, with all that it has started', async () => {
    const ending = await sh('echo begun; sleep 86001 & sleep 86001', { timeoutMs: 300 });
    expect(ending).toMatchObject({ timedOut: true, stopped: false, lines: ['begun'] });
    expect(endingText('check', { ...ending, timeoutMs: 60_000, ms: 61_200 })).toBe(
      'check was ended because it took longer than 60 s.',
    );
    await noneLeft('sleep 86001');
  });

  test('that ignores SIGTERM is killed', async () => {
    const ending = await sh("trap '' TERM; while :; do sleep 86002; done", { timeoutMs: 100 });
    expect(ending).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
    await noneLeft('sleep 86002');
  });

  test('that leaves another behind with its output open ends, and that one too', async () => {
    const ending = await sh('sleep 86003 & echo done');
    expect(ending).toMatchObject({ code: 0, timedOut: false, lines: ['done'] });
    expect(ending.ms).toBeLessThan(5000);
    await noneLeft('sleep 86003');
  });

  test('is stopped on demand, also before it has begun', async () => {
    const abort = new AbortController();
    const onLines = vi.fn(() => abort.abort());
    const ending = await sh('echo one; sleep 86004', { signal: abort.signal, onLines });
    expect(ending).toMatchObject({ stopped: true, timedOut: false, lines: ['one'] });
    expect(endingText('check', ending)).toBe('check was stopped.');
    expect(onLines).toHaveBeenCalledExactlyOnceWith(['one']);
    await noneLeft('sleep 86004');
    const late = await sh(`echo >'${join(directory, 'run')}'`, { signal: abort.signal });
    expect(late).toMatchObject({ stopped: true, lines: [] });
    await expect(readFile(join(directory, 'run'))).rejects.toThrow('ENOENT');
  });
});

describe('its output', () => {
  test('is kept up to a limit, and the rest is counted and does not hold it up', async () => {
    const ending = await sh('yes 0123456789 | head -c 200000000; echo last >&2', { maxBytes: 1000 });
    expect(ending.code).toBe(0);
    expect(ending.lines.join('\n').length).toBeLessThanOrEqual(1000);
    expect(ending.lines[0]).toBe('0123456789');
    expect(ending.droppedBytes).toBe(200_000_000 + 5 - 1000);
  });

  test('without end is ended by the time limit', async () => {
    const ending = await sh('yes', { timeoutMs: 300, maxBytes: 100 });
    expect(ending).toMatchObject({ timedOut: true, lines: expect.arrayContaining(['y']) });
    expect(ending.droppedBytes).toBeGreaterThan(0);
  });

  test.each([
    ['colours and titles', '\\033[31mred\\033[0m \\033]0;title\\007after', ['red after']],
    ['a cleared screen', 'a\\033[2J\\033[Hb', ['ab']],
    ['a switch of the character set', 'a\\033(0b\\016c', ['abc']],
    ['a line written over', '10 %%\\r20 %%\\r100 %%\\nnext', ['100 %', 'next']],
    ['line ends of another system', 'a\\r\\nb\\r\\n', ['a', 'b']],
    ['tabs', 'a\\tbc\\td', ['a       bc      d']],
    ['a bell and a backspace', 'a\\007b\\010c', ['abc']],
    ['hidden order', 'a\\342\\200\\256b', ['a⟨RLO⟩b']],
    ['bytes that are no text', 'a\\377b', ['a�b']],
    ['empty lines', '\\n\\nx', ['', '', 'x']],
  ])('has no %s', async (_, printed, lines) => {
    expect((await sh(`printf '${printed}'`)).lines).toEqual(lines);
  });

  test('that is one endless line is broken', async () => {
    const { lines } = await sh('head -c 9000 /dev/zero | tr "\\0" x');
    expect(lines.map((line) => line.length)).toEqual([2000, 2000, 2000, 2000, 1000]);
  });

  test('keeps letters whose bytes come in parts', async () => {
    expect((await sh("printf 'a\\303'; sleep 0.1; printf '\\244b'")).lines).toEqual(['aäb']);
  });
});

describe('a program that has the terminal', () => {
  const onTerminal = (argv: readonly string[], stopAfter = '') => `
    const { endingText, ${runOnTerminal.name} } = await import('${join(import.meta.dirname, '../../src/terminal/childProgram.ts')}');
    const abort = new AbortController();
    ${stopAfter}
    console.log(endingText('it', await ${runOnTerminal.name}(${JSON.stringify(argv)}, { env: process.env, signal: abort.signal })));`;
  const open = (program: string) => {
    const script = 'was=$(stty -g); "$@"; [ "$was" = "$(stty -g)" ] && echo modes as before; echo over';
    return openPty('/bin/sh', ['-c', script, 'sh', process.execPath, '--input-type=module', '-e', program]);
  };

  test('reads its keys, and leaves the modes as they were', async () => {
    const pty = open(onTerminal(['sh', '-c', 'stty -echo raw; echo ready; head -c 1; exit 4']));
    await pty.waitFor('ready');
    await pty.type('k');
    await pty.waitFor('over');
    expect(pty.text()).toMatch(/k\s*it ended with code 4\.\s+modes as before/);
    expect((await pty.exit).code).toBe(0);
  });

  test('is ended on demand, also where it ignores the first signal', async () => {
    const argv = ['sh', '-c', "trap '' HUP; stty -echo; echo ready; while read -r line; do :; done"];
    const pty = open(
      onTerminal(argv, "process.once('SIGUSR2', () => abort.abort()); console.log('pid ' + process.pid);"),
    );
    await pty.waitFor('ready');
    process.kill(Number(/pid (\d+)/.exec(pty.text())?.[1]), 'SIGUSR2');
    await pty.waitFor('over');
    expect(pty.text()).toMatch(/it was stopped\.\s+modes as before/);
  });

  test('is one sentence where it is not there', async () => {
    const pty = open(onTerminal(['no-such-program']));
    await pty.waitFor('over');
    expect(pty.text()).toContain('The program no-such-program was not found');
  });
});
