import { EventEmitter } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { focusOf, focusOff, focusOn } from '../../src/terminal/focus.ts';
import { guard, type Host } from '../../src/terminal/guard.ts';
import { openTerminal } from '../../src/terminal/terminal.ts';
import { Emulator } from '../emulator.ts';

class Input extends EventEmitter {
  isTTY = true;
  isRaw = true;
  setRawMode(raw: boolean) {
    this.isRaw = raw;
    return this;
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

function open() {
  const stdin = new Input();
  const stdout = new Output();
  const terminal = openTerminal(stdin as unknown as ReadStream, stdout as unknown as WriteStream);
  return { stdin, stdout, terminal };
}

describe('a terminal', () => {
  it('is left alone before it begins', () => {
    const { stdout, stdin, terminal } = open();
    terminal.restore();
    expect(stdout.written).toBe('');
    expect(stdin.isRaw).toBe(true);
  });

  it('is restored once, with every mode off', () => {
    const { stdout, stdin, terminal } = open();
    terminal.begin();
    expect(stdout.written).toBe(focusOn);
    stdout.written = '';
    terminal.restore();
    for (const sequence of [
      '\x1b[?1049l',
      '\x1b[?25h',
      '\x1b[?2004l',
      '\x1b[?1004l',
      '\x1b[<u',
      '\x1b[?2026l',
      '\x1b[0m',
    ]) {
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

  it('tells of no focus while it is lent, and of it again afterwards, even after a failure', async () => {
    const { stdout, terminal } = open();
    terminal.begin();
    stdout.written = '';
    const lending = terminal.lend(async () => {
      expect(terminal.lent).toBe(true);
      expect(stdout.written).toBe(focusOff);
      throw new Error('no editor');
    });
    await expect(lending).rejects.toThrow('no editor');
    expect(terminal.lent).toBe(false);
    expect(stdout.written).toBe(focusOff + focusOn);
  });
});

describe('the guard', () => {
  class Process extends EventEmitter {
    codes: number[] = [];
    exit(code: number) {
      this.codes.push(code);
    }
  }

  function guarded() {
    const opened = open();
    const host = new Process();
    const crashes: unknown[] = [];
    guard(host as Host, opened.terminal, (error) => {
      expect(opened.stdout.written).toContain('\x1b[?1049l');
      crashes.push(error);
      return 70;
    });
    opened.terminal.begin();
    return { ...opened, host, crashes };
  }

  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('restores on %s and exits with %d', (signal, code) => {
    const { host, stdout } = guarded();
    host.emit(signal);
    expect(host.codes).toEqual([code]);
    expect(stdout.written).toContain('\x1b[?1049l');
  });

  it('leaves an interrupt to the program that has the terminal', async () => {
    const { host, terminal } = guarded();
    await terminal.lend(async () => {
      host.emit('SIGINT');
      expect(host.codes).toEqual([]);
      host.emit('SIGTERM');
      expect(host.codes).toEqual([143]);
    });
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
    expect(['\x1b[I', '\x1b[O', '[I', 'I', '', '\x1b[A'].map(focusOf)).toEqual([
      true,
      false,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
