import xterm from '@xterm/headless';

/** A frame satisfies it when it contains a text, matches a pattern, or fulfils a predicate over its text. */
export type Wanted = string | RegExp | ((text: string) => boolean);

/** The style of one cell: colours are `default`, a palette index 0–255 or `#rrggbb`. */
export interface Style {
  char: string;
  fg: 'default' | number | string;
  bg: 'default' | number | string;
  bold: boolean;
  dim: boolean;
  inverse: boolean;
  underline: boolean;
}

/** A test sees this of a terminal, and does this to it. */
export interface Glass {
  /** The visible frame: one line per row, right-trimmed. */
  text(): string;
  /** One row of the visible frame, right-trimmed; the first is 0. */
  line(row: number): string;
  /** The style of one cell of the visible frame, both counted from 0. */
  styleAt(row: number, column: number): Style;
  /** Presses keys one after another (see `bytesOf`), each in a chunk of its own. */
  press(...keys: string[]): Promise<void>;
  /** Presses keys that arrive in one chunk, as over a slow line. */
  pressAtOnce(...keys: string[]): Promise<void>;
  /** Types a text, each character in a chunk of its own. */
  type(text: string): Promise<void>;
  /** Pastes a text in bracketed paste mode. */
  paste(text: string): Promise<void>;
  /** Waits for a complete frame that satisfies `wanted`; throws with the last frame in the message. */
  waitFor(wanted: Wanted, options?: { timeoutMs?: number }): Promise<void>;
  /** Gives the terminal another size. */
  resize(columns: number, rows: number): void;
  /** Everything written to the terminal so far, raw. */
  readonly bytes: string;
  /** The terminal itself, for what the above does not show: modes, cursor, scrollback, title. */
  readonly terminal: xterm.Terminal;
}

const rgb = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`;

/** A terminal without a window, fed with what a program writes. */
export class Emulator {
  readonly terminal: xterm.Terminal;
  #bytes = '';
  #watchers = new Set<() => void>();
  #ended: string | undefined;

  /**
   * `columns` and `rows` in cells. `convertEol` where no kernel stands between: it begins a line
   * at its first column after a line feed, as the tty driver does for Node's raw mode.
   */
  constructor(columns: number, rows: number, convertEol = false) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 200, convertEol });
  }

  get bytes(): string {
    return this.#bytes;
  }

  /** Feeds what a program wrote. */
  write(chunk: string): void {
    this.#bytes += chunk;
    this.terminal.write(chunk, () => this.#tell());
  }

  /** Resolves when all that was written is on the screen. */
  shown(): Promise<void> {
    return new Promise((resolve) => this.terminal.write('', resolve));
  }

  /** No more frames will come, for this reason: whoever still waits fails at once. Resolves when all is drawn that came. */
  async end(reason: string): Promise<void> {
    await this.shown();
    this.#ended = reason;
    this.#tell();
  }

  line(row: number): string {
    const { active } = this.terminal.buffer;
    return (
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd() ?? ''
    );
  }

  text(): string {
    return Array.from({ length: this.terminal.rows }, (_, row) => this.line(row)).join('\n');
  }

  styleAt(row: number, column: number): Style {
    const { active } = this.terminal.buffer;
    const cell = active.getLine(active.baseY + row)?.getCell(column);
    if (!cell)
      throw new Error(`no cell at row ${row}, column ${column} of ${this.terminal.cols}×${this.terminal.rows}`);
    return {
      char: cell.getChars(),
      fg: cell.isFgDefault() ? 'default' : cell.isFgRGB() ? rgb(cell.getFgColor()) : cell.getFgColor(),
      bg: cell.isBgDefault() ? 'default' : cell.isBgRGB() ? rgb(cell.getBgColor()) : cell.getBgColor(),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      inverse: cell.isInverse() !== 0,
      underline: cell.isUnderline() !== 0,
    };
  }

  /** Resolves at the first frame that satisfies `wanted`, looking again after each write; never in mid-frame. */
  waitFor(wanted: Wanted, { timeoutMs = 30_000 }: { timeoutMs?: number } = {}): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string) =>
      reject(new Error(`${why}; wanted ${spoken(wanted)}. The last frame:\n${this.text()}`));
    const timer = setTimeout(() => fail(`no such frame within ${timeoutMs} ms`), timeoutMs);
    const look = () => {
      if (!this.terminal.modes.synchronizedOutputMode && satisfies(this.text(), wanted)) resolve();
      else if (this.#ended) fail(this.#ended);
    };
    this.#watchers.add(look);
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(look);
    });
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

const spoken = (wanted: Wanted) => (typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted));

function satisfies(text: string, wanted: Wanted): boolean {
  if (typeof wanted === 'string') return text.includes(wanted);
  if (typeof wanted === 'function') return wanted(text);
  return new RegExp(wanted.source, wanted.flags.replace('g', '')).test(text);
}
