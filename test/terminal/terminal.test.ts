import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type GuardedProcess, guard } from '../../src/terminal/guard.ts';
import { createModes, focusOff, focusOn, reportOf } from '../../src/terminal/reports.ts';
import { openTerminal } from '../../src/terminal/terminal.ts';
import { Emulator } from '../emulator.ts';

class Input extends EventEmitter {
  isTTY = true;
  isRaw = true;
  setRawMode(raw: boolean) {
    this.isRaw = raw;
    return this;
  }
  pause() {
    return this;
  }
  chunks: string[] = [];
  read() {
    return this.chunks.shift() ?? null;
  }
  give(chunk: string) {
    this.chunks.push(chunk);
    this.emit('readable');
  }
}

class Output extends EventEmitter {
  isTTY = true;
  columns = 80;
  rows = 24;
  written = '';
  gone = false;
  write(chunk: string, done?: () => void) {
    if (this.gone) throw new Error('write EIO');
    this.written += chunk;
    done?.();
    return true;
  }
}

function open(given?: { console: boolean; keyboard?: boolean }) {
  const stdin = new Input();
  const stdout = new Output();
  const terminal = openTerminal(stdin as unknown as ReadStream, stdout as unknown as WriteStream, given);
  return { stdin, stdout, terminal };
}

describe('a terminal', () => {
  it('is left alone before it begins', () => {
    const { stdout, stdin, terminal } = open();
    terminal.restore();
    expect(stdout.written).toBe('');
    expect(stdin.isRaw).toBe(true);
  });

  it('that is restored before it begins is never begun: the sentence of a refusal stays on the screen', () => {
    const { stdout, stdin, terminal } = open();
    stdin.isRaw = false;
    terminal.restore();
    terminal.begin();
    terminal.stdout.write('\x1b[?1049h\x1b[?25la late first frame');
    expect(stdout.written).toBe('');
    expect(stdin.isRaw).toBe(false);
  });

  it('is asked nothing as long as it would echo the answer', () => {
    const { stdout, stdin, terminal } = open({ console: false, keyboard: true });
    terminal.begin();
    stdin.isRaw = false;
    stdout.written = '';
    terminal.ask();
    expect(stdout.written).toBe('');
    stdin.isRaw = true;
    terminal.ask();
    expect(stdout.written).toContain('\x1b[c');
  });

  it('is lent once it has answered, as another program would echo that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { stdout, terminal } = open({ console: false, keyboard: true });
    terminal.begin();
    terminal.ask();
    const ran: string[] = [];
    const running = terminal.runChild(async () => void ran.push('the editor'));
    expect(terminal.hasChild()).toBe(true);
    await nextTurn();
    await nextTurn();
    expect(stdout.written).not.toContain('\x1b[?1049l');
    expect(ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    await running;
    expect(ran).toEqual(['the editor']);
    // One that is to end meanwhile does not wait.
    terminal.ask();
    const ended = terminal.runChild(async ({ aborted }) => void ran.push(`ended ${aborted}`));
    await terminal.endChild();
    await ended;
    expect(ran.at(-1)).toBe('ended true');
  });

  it('is asked nothing more at the end, when the answers would come to the shell', async () => {
    const { stdout, terminal } = open({ console: false, keyboard: true });
    terminal.begin();
    stdout.written = '';
    await terminal.answered();
    terminal.ask();
    expect(stdout.written).toBe('');
  });

  it('echoes no key from its beginning on', () => {
    const { stdin, stdout, terminal } = open();
    stdin.isRaw = false;
    let wasRaw: boolean | undefined;
    stdout.write = () => {
      wasRaw ??= stdin.isRaw;
      return true;
    };
    terminal.begin();
    expect(wasRaw).toBe(true);
  });

  it('is restored once, with every mode off', () => {
    const { stdout, stdin, terminal } = open();
    terminal.begin();
    expect(stdout.written).toBe(focusOn);
    stdout.written = '';
    terminal.restore();
    for (const sequence of ['\x1b[?1049l', '\x1b[?25h', '\x1b[?2004l', '\x1b[?1004l', '\x1b[?2026l', '\x1b[0m']) {
      expect(stdout.written).toContain(sequence);
    }
    expect(stdin.isRaw).toBe(false);
    stdout.written = '';
    terminal.restore();
    terminal.begin();
    expect(stdout.written).toBe('');
  });

  it('shows what was there before, with the cursor where it was, after a full screen', async () => {
    const { stdout, terminal } = open();
    stdout.write('before\r\n$ ');
    terminal.begin();
    terminal.stdout.write('\x1b[?1049h\x1b[?25l\x1b[31m\x1b[5;10r\x1b[Hfull screen');
    terminal.restore();
    terminal.stdout.write('a last frame');
    stdout.write('after');
    const glass = new Emulator(80, 24);
    glass.write(stdout.written);
    await glass.waitFor('after');
    expect(glass.text().trimEnd()).toBe('before\n$ after');
    expect(glass.terminal.buffer.active.type).toBe('normal');
  });

  it.each<[string, (terminal: ReturnType<typeof open>['terminal']) => unknown]>([
    ['is restored', (terminal) => terminal.restore()],
    ['is left by what draws', (terminal) => terminal.stdout.write('\x1b[?1049l')],
    ['runs a child', (terminal) => terminal.runChild(async () => {})],
    ['is suspended', (terminal) => terminal.suspend()],
  ])('shows nothing of a full screen once it %s, also where there is no other screen', async (_, end) => {
    const { stdout, terminal } = open();
    terminal.begin();
    terminal.stdout.write('\x1b[?1049h');
    const frame = Array.from({ length: 24 }, (_, row) => `\x1b[44msecret ${row}\x1b[49m`).join('\n');
    terminal.stdout.write(`\x1b[H\x1b[J${frame}`);
    const drawn = stdout.written;
    end(terminal);
    const ended = stdout.written.slice(drawn.length);
    const glass = new Emulator(80, 24, true);
    const onOneScreen = (bytes: string) => bytes.replace(/\x1b\[\?1049[hl]/g, '');
    glass.write(onOneScreen(drawn));
    await glass.waitFor('secret 23');
    glass.write(`${onOneScreen(ended)}after`);
    await glass.waitFor('after');
    expect(glass.text().trim()).toBe('after');
    expect(glass.styleAt(5, 5).bg).toBe('default');
  });

  it('swallows what is written after it was restored, and still answers the writer', async () => {
    const { stdout, terminal } = open();
    terminal.begin();
    terminal.stdout.write('seen');
    terminal.restore();
    stdout.written = '';
    await new Promise<void>((done) => {
      terminal.stdout.write('unseen', () => done());
    });
    expect(stdout.written).toBe('');
  });

  it('passes through everything else of the stream', () => {
    const { stdout, terminal } = open();
    let resized = 0;
    terminal.stdout.on('resize', () => resized++);
    stdout.columns = 132;
    stdout.emit('resize');
    expect(resized).toBe(1);
    expect(terminal.stdout.columns).toBe(132);
  });

  it('that is gone is restored without a sound', () => {
    const { stdout, stdin, terminal } = open();
    terminal.begin();
    stdout.gone = true;
    stdin.setRawMode = () => {
      throw new Error('setRawMode EIO');
    };
    expect(() => terminal.restore()).not.toThrow();
    expect(() => stdout.emit('error', new Error('write EIO'))).not.toThrow();
  });

  it('leaves the keyboard protocol of the shell alone, and ends its own where the terminal has one', () => {
    const { stdout, terminal } = open();
    terminal.begin();
    terminal.stdout.write('\x1b[?1049h');
    terminal.restore();
    expect(stdout.written).not.toContain('\x1b[<u');
    const modes = createModes({ keyboard: true }, false);
    expect([modes.enter(), modes.leave()]).toEqual(['', '']);
    modes.take({ kind: 'keyboard' });
    expect([modes.enter(), modes.leave(), modes.leave()]).toEqual(['\x1b[>1u', '\x1b[<u', '']);
  });

  it('that is a console gets nothing that it would show, and nothing is left on its only screen', () => {
    const { stdout, terminal } = open({ console: true });
    terminal.begin();
    terminal.stdout.write('\x1b[?1049h');
    terminal.stdout.write('secret');
    terminal.stdout.write('\x1b[?1049l');
    expect(stdout.written).toMatch(/secret.*\x1b\[H\x1b\[J\x1b\[\?1049l$/s);
    terminal.restore();
    expect(stdout.written).not.toContain('\x1b[<u');
  });

  /** A drawing that writes down when it goes and comes. */
  function drawnOn({ terminal }: ReturnType<typeof open>) {
    const said: string[] = [];
    terminal.listen({
      onFocus: (hasFocus) => said.push(hasFocus ? 'focus' : 'no focus'),
      onHidden: (isHidden) => said.push(isHidden ? 'away' : 'back'),
      onBackground: (isLight) => said.push(isLight ? 'light' : 'dark'),
      onMouse: ({ action, row, column }) => said.push(`${action} ${row} ${column}`),
      caretArea: () => undefined,
      suspend: async () => {
        said.push('suspended');
        return { resume: async () => void said.push('resumed') };
      },
    });
    return said;
  }

  it('has nothing of ours switched on while a child runs, and all of it again afterwards, even after a failure', async () => {
    const opened = open();
    const { stdout, terminal } = opened;
    terminal.begin();
    const said = drawnOn(opened);
    stdout.written = '';
    const running = terminal.runChild(async () => {
      expect(terminal.hasChild()).toBe(true);
      expect(said).toEqual(['suspended', 'away']);
      for (const sequence of [focusOff, '\x1b[?7h', '\x1b[?2004l']) expect(stdout.written).toContain(sequence);
      expect(stdout.written).not.toContain('\x1b[J');
      throw new Error('no editor');
    });
    await expect(running).rejects.toThrow('no editor');
    expect(terminal.hasChild()).toBe(false);
    expect(stdout.written.endsWith(focusOn)).toBe(true);
    expect(said).toEqual(['suspended', 'away', 'resumed', 'back']);
  });

  it('is not drawn on again once its child was ended', async () => {
    const opened = open();
    const { terminal } = opened;
    terminal.begin();
    const said = drawnOn(opened);
    const running = terminal.runChild(async (signal) => {
      await once(signal, 'abort');
      return 'ended';
    });
    await expect.poll(() => said).toEqual(['suspended', 'away']);
    await nextTurn();
    await terminal.endChild();
    expect(await running).toBe('ended');
    expect(said).toEqual(['suspended', 'away']);
  });

  it('switches nothing on again where the end comes while the drawing comes back', async () => {
    const { stdout, terminal } = open({ console: false, keyboard: true });
    terminal.begin();
    const coming = Promise.withResolvers<void>();
    let isComing = false;
    terminal.listen({
      onFocus() {},
      onHidden() {},
      onBackground() {},
      onMouse() {},
      caretArea: () => undefined,
      suspend: async () => ({
        resume: () => {
          isComing = true;
          return coming.promise;
        },
      }),
    });
    const running = terminal.runChild(async () => 'done');
    await expect.poll(() => isComing).toBe(true);
    terminal.restore();
    stdout.written = '';
    coming.resolve();
    expect(await running).toBe('done');
    expect(stdout.written).toBe('');
  });

  it('is suspended once and resumed once, and not while a child runs', async () => {
    const opened = open();
    const { terminal } = opened;
    terminal.suspend();
    terminal.begin();
    const said = drawnOn(opened);
    terminal.resume();
    terminal.suspend();
    terminal.suspend();
    expect(said).toEqual(['suspended', 'away']);
    terminal.resume();
    terminal.resume();
    await expect.poll(() => said).toEqual(['suspended', 'away', 'resumed', 'back']);
    await terminal.runChild(async () => {
      terminal.suspend();
      terminal.resume();
      expect(said).toHaveLength(6);
    });
  });

  it('is drawn on anew when its window was changed and has the same size again', () => {
    const { stdout, terminal } = open();
    terminal.begin();
    terminal.stdout.write('\x1b[?1049h');
    terminal.stdout.write('one\ntwo');
    stdout.written = '';
    terminal.windowChanged();
    expect(stdout.written).toContain('\x1b[2J');
    expect(stdout.written).toContain('two');
    stdout.written = '';
    stdout.columns = 81;
    stdout.emit('resize');
    terminal.stdout.write('\x1b[H\x1b[Jone, wider\ntwo');
    const once = stdout.written;
    terminal.windowChanged();
    expect(stdout.written).toBe(once);
  });
});

describe('the guard', () => {
  class Process extends EventEmitter {
    pid = 4711;
    codes: number[] = [];
    killed: unknown[] = [];
    exit(code: number) {
      this.codes.push(code);
    }
    kill(...given: unknown[]) {
      this.killed.push(given);
    }
  }

  function guarded(finish?: () => Promise<void>, given?: Parameters<typeof open>[0]) {
    const opened = open(given);
    const host = new Process();
    const crashes: unknown[] = [];
    const said: string[] = [];
    guard(host as GuardedProcess, opened.terminal, {
      onEnd: (sentence) => said.push(sentence),
      onCrash: (error) => {
        expect(opened.stdout.written).toContain('\x1b[?1049l');
        crashes.push(error);
        return 70;
      },
      ...(finish && { finish }),
    });
    opened.terminal.begin();
    return { ...opened, host, crashes, said };
  }

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ])('restores on %s, says so once and exits with %d', (signal, code) => {
    const { host, stdout, said } = guarded();
    host.emit(signal);
    host.emit('SIGTERM');
    expect(said).toEqual([`Skydeck was ended by ${signal}.`]);
    expect(host.codes).toEqual([code]);
    expect(stdout.written).toContain('\x1b[?1049l');
  });

  it('leaves what keys cause to the program that has the terminal, and ends only after that has', async () => {
    const { host, terminal } = guarded();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const running = terminal.runChild(() => ended);
    host.emit('SIGINT');
    host.emit('SIGQUIT');
    host.emit('SIGTERM');
    expect(host.codes).toEqual([]);
    end();
    await running;
    await expect.poll(() => host.codes).toEqual([143]);
  });

  it('ends at once when it is told so twice', async () => {
    const { host, terminal } = guarded();
    void terminal.runChild(() => new Promise(() => {}));
    host.emit('SIGTERM');
    host.emit('SIGTERM');
    expect(host.codes).toEqual([143]);
  });

  it('exits once what is left to do is done, however often it is told and although that fails', async () => {
    const { promise: done, reject: fail } = Promise.withResolvers<void>();
    const { host, stdin, stdout } = guarded(() => done);
    host.emit('SIGHUP');
    host.emit('SIGHUP');
    stdin.emit('end');
    expect(stdout.written).toContain('\x1b[?1049l');
    await nextTurn();
    expect(host.codes).toEqual([]);
    fail(new Error('no space left'));
    await expect.poll(() => host.codes).toEqual([129]);
  });

  it('exits after two seconds whatever is left to do', () => {
    vi.useFakeTimers();
    const { host } = guarded(() => new Promise(() => {}));
    host.emit('SIGTERM');
    vi.advanceTimersByTime(1999);
    expect(host.codes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(host.codes).toEqual([143]);
    vi.useRealTimers();
  });

  it('does not wait after a crash', () => {
    const { host } = guarded(() => new Promise(() => {}));
    host.emit('uncaughtException', new Error('a fault'));
    expect(host.codes).toEqual([70]);
  });

  it('waits after a crash for what the terminal answers, gives no key to the program, and tells of the first fault', async () => {
    const { host, stdin, stdout, terminal, crashes } = guarded(undefined, { console: false, keyboard: true });
    const keys: string[] = [];
    terminal.stdin.on('readable', () => keys.push(...[terminal.stdin.read() ?? []].flat()));
    terminal.ask();
    host.emit('uncaughtException', new Error('the first'));
    stdin.give('d');
    await nextTurn();
    expect(host.codes).toEqual([]);
    expect(stdout.written).not.toContain('\x1b[?1049l');
    stdin.give('\x1b[?1;2c');
    await expect.poll(() => host.codes).toEqual([70]);
    expect(keys).toEqual([]);
    host.emit('uncaughtException', new Error('the second'));
    expect(crashes).toEqual([new Error('the first')]);
  });

  it('ends at once at the second fault, and tells of the first', () => {
    const { host, terminal, crashes } = guarded(undefined, { console: false, keyboard: true });
    terminal.ask();
    host.emit('uncaughtException', new Error('the first'));
    host.emit('SIGTERM');
    expect(crashes).toEqual([new Error('the first')]);
    expect(host.codes).toEqual([70]);
  });

  it('stops itself with the terminal left to the shell, and comes back', async () => {
    const { host, terminal } = guarded();
    const said: string[] = [];
    terminal.listen({
      onFocus: () => {},
      onHidden: (isHidden) => said.push(isHidden ? 'away' : 'back'),
      onBackground: () => {},
      onMouse: () => {},
      caretArea: () => undefined,
      suspend: async () => ({ resume: async () => {} }),
    });
    host.emit('SIGTSTP');
    expect(said).toEqual(['away']);
    expect(host.killed).toEqual([[4711, 'SIGSTOP']]);
    host.emit('SIGCONT');
    await expect.poll(() => said).toEqual(['away', 'back']);
    // Stopped without a warning.
    host.emit('SIGCONT');
    await expect.poll(() => said).toEqual(['away', 'back', 'away', 'back']);
  });

  it.each(['uncaughtException', 'unhandledRejection'])('restores before it reports an %s', (event) => {
    const { host, crashes } = guarded();
    const error = new Error('a fault');
    host.emit(event, error);
    expect(crashes).toEqual([error]);
    expect(host.codes).toEqual([70]);
  });

  it('restores on an exit from anywhere', () => {
    const { host, stdout } = guarded();
    host.emit('exit');
    expect(stdout.written).toContain('\x1b[?1049l');
  });

  it.each(['end', 'close', 'error'])('leaves when the input says %s, because the terminal is gone', (event) => {
    const { host, stdin } = guarded();
    stdin.emit(event, new Error('read EIO'));
    expect(host.codes).toEqual([129]);
  });

  it('leaves when nothing can be written any more', () => {
    const { host, stdout } = guarded();
    stdout.emit('error', new Error('write EIO'));
    expect(host.codes).toEqual([129]);
  });
});

describe('focus', () => {
  it('is told in two sequences', () => {
    expect(['\x1b[I', '\x1b[O', '[I', 'I', '', '\x1b[A'].map(reportOf)).toEqual([
      { kind: 'focus', hasFocus: true },
      { kind: 'focus', hasFocus: false },
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
