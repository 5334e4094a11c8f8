import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { Emulator, type Glass } from './emulator.ts';
import { bytesOf, loneEscape, pasted } from './keys.ts';

/** A whole screen in this process: streams for Ink's `render`, a terminal that shows what it draws. */
export interface Screen extends Glass {
  stdin: NodeJS.ReadStream & { isRaw: boolean };
  stdout: NodeJS.WriteStream;
  /** Resolves when all that was written is on the screen. */
  shown(): Promise<void>;
}

/**
 * Ink holds a lone escape for 20 ms in case it begins a longer sequence. A timer of more than that, started
 * no earlier than Ink's, always fires after it: Node runs due timers in the order of their due times.
 */
const escapeHoldMs = 40;

/** A keyboard: hands each chunk over by itself, and keeps what comes before anyone listens, as a tty does. */
class Keyboard extends EventEmitter {
  readonly isTTY = true;
  readonly fd = 0;
  isRaw = false;
  #waiting: { chunk: string; taken: () => void }[] = [];

  send(chunk: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ chunk, taken: resolve });
    this.emit('readable');
    return promise;
  }

  read(): string | null {
    const first = this.#waiting.shift();
    first?.taken();
    return first?.chunk ?? null;
  }

  override on(event: string, listener: (...given: unknown[]) => void): this {
    super.on(event, listener);
    if (event === 'readable' && this.#waiting.length > 0) setImmediate(() => this.emit('readable'));
    return this;
  }

  override addListener(event: string, listener: (...given: unknown[]) => void): this {
    return this.on(event, listener);
  }

  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }

  setEncoding(): this {
    return this;
  }

  resume(): this {
    return this;
  }

  pause(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** A tty to write on: takes everything at once, as a terminal on this machine does. */
class Paper extends Writable {
  readonly isTTY = true;
  readonly fd = 1;
  columns: number;
  rows: number;
  #write: (chunk: string) => void;

  constructor(columns: number, rows: number, write: (chunk: string) => void) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    this.#write = write;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#write(chunk.toString());
    done();
  }

  getWindowSize(): [number, number] {
    return [this.columns, this.rows];
  }

  getColorDepth(): number {
    return 4;
  }

  hasColors(count = 16): boolean {
    return count <= 16;
  }
}

type Instances = WeakMap<object, { waitUntilRenderFlush(): Promise<void> }>;

/** Resolves when Ink has drawn on this stream all that it was given, also what it put off to draw fewer frames. */
export async function drawnOn(stdout: NodeJS.WriteStream): Promise<void> {
  const { default: instances } = (await import(new URL('instances.js', import.meta.resolve('ink')).href)) as {
    default: Instances;
  };
  // A crash is told where the program ends.
  await instances
    .get(stdout)
    ?.waitUntilRenderFlush()
    .catch(() => {});
}

/**
 * Has Ink draw colours although the tests have no terminal: 0 none, 1 the 16 ANSI colours, 2 256, 3 all.
 * Sets it on the chalk that Ink itself loads, which need not be the one this package depends on.
 */
export async function colourInk(level: 0 | 1 | 2 | 3): Promise<void> {
  const inksChalk = createRequire(import.meta.resolve('ink')).resolve('chalk');
  const { default: chalk } = (await import(inksChalk)) as { default: { level: number } };
  chalk.level = level;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Opens a screen of `columns` × `rows` cells. Hand its streams to Ink's `render` (with `interactive: true`,
 * which Ink otherwise turns off under CI). For colours call `colourInk` first. A key pressed before the program listens waits for it.
 */
export function openScreen({ columns, rows }: { columns: number; rows: number }): Screen {
  const emulator = new Emulator(columns, rows, true);
  const keyboard = new Keyboard();
  const paper = new Paper(columns, rows, (chunk) => emulator.write(chunk));

  const send = async (chunk: string) => {
    await keyboard.send(chunk);
    if (chunk === loneEscape) await new Promise((resolve) => setTimeout(resolve, escapeHoldMs));
    await nextTurn();
  };

  return {
    stdin: keyboard as unknown as Screen['stdin'],
    stdout: paper as unknown as Screen['stdout'],
    terminal: emulator.terminal,
    get bytes() {
      return emulator.bytes;
    },
    text: () => emulator.text(),
    line: (row) => emulator.line(row),
    styleAt: (row, column) => emulator.styleAt(row, column),
    waitFor: (wanted, options) => emulator.waitFor(wanted, options),
    press: async (...keys) => {
      for (const key of keys) await send(bytesOf(key));
    },
    pressAtOnce: (...keys) => send(keys.map(bytesOf).join('')),
    type: async (text) => {
      for (const character of text) await send(character);
    },
    paste: (text) => send(pasted(text)),
    shown: () => emulator.shown(),
    resize: (newColumns, newRows) => {
      emulator.terminal.resize(newColumns, newRows);
      paper.columns = newColumns;
      paper.rows = newRows;
      paper.emit('resize');
    },
  };
}
