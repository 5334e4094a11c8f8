import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Capabilities } from './capabilities.ts';
import type { CaretArea } from './caret.ts';
import { focusOff, focusOn } from './focus.ts';
import { keyByKey } from './keys.ts';
import type { LateCells } from './late.ts';
import { createModes, type ModeOptions, type Modes } from './modes.ts';
import { type MouseReport, reportOf } from './reports.ts';
import { screenWriter } from './screenWriter.ts';
import type { Tint } from './tint.ts';
import { createWindow, type Window } from './window.ts';

/** Takes the drawing off the terminal; `resume` draws it again: Ink's `suspendTerminal`. */
export type Suspend = () => Promise<{ resume(): Promise<void> }>;

/** Told of changes of the terminal. */
export interface TerminalListener {
  /** It got or lost the focus; many terminals never tell. */
  onFocus(hasFocus: boolean): void;
  /** The drawing was taken off it, or is back. */
  onHidden(isHidden: boolean): void;
  /** Its background is light or dark, or the desktop prefers that now. */
  onBackground(isLight: boolean): void;
  onMouse(report: MouseReport): void;
  /** The cells of the input that has the focus; undefined where nothing is typed. */
  caretArea(): CaretArea | undefined;
  /** The cells that are drawn once the screen rests; by default none. */
  lateCells?(): LateCells | undefined;
  suspend: Suspend;
}

/** The user's terminal. Every mode that the program switches on is switched off again on every way out. */
export interface Terminal extends Pick<Window, 'setTitle' | 'setProgress'>, Pick<Modes, 'answered'> {
  /** Gives one key in each turn of the event loop. */
  readonly stdin: ReadStream;
  /** For drawing. Writes after the terminal was restored are dropped. */
  readonly stdout: WriteStream;
  /** Whether it shows progress. */
  readonly takesProgress: boolean;
  /** From now on there is something to restore, and the focus is reported. Does nothing once the terminal was restored. */
  begin(): void;
  /** Rows with these colours are tinted only when the screen rests. */
  tintAtRest(tint: Tint | undefined): void;
  /** Asks it what it has; drawing does not wait for the answers. */
  ask(): void;
  /** Sets the listener, in place of the one before. */
  listen(listener: TerminalListener): void;
  /** Brings the terminal back to the state that a shell expects. Further calls do nothing; never throws. */
  restore(): void;
  /**
   * Runs a program that uses the terminal itself, like an editor, with all our modes switched off.
   * @param run must end soon after the signal is aborted
   */
  runChild<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Writes on the terminal while it is left to another program; nothing of it is taken for a frame. */
  print(text: string): void;
  /** Whether such a program runs: an interrupt from the keyboard is then meant for it. */
  readonly hasChild: boolean;
  /** Aborts that program and resolves when it has ended. The drawing does not come back. */
  endChild(): Promise<void>;
  /** Leaves the terminal to the shell, before the process is stopped. */
  suspend(): void;
  /** Takes it back after the process was stopped, and draws everything again. */
  resume(): void;
  /** Has the next frame wait for the input that comes with it. */
  caretComes(): void;
  /** Has the cursor follow an input that has come. */
  caretChanged(): void;
  /** The window has changed. Its size may be the same, but its content may be lost. */
  windowChanged(): void;
}

/** Clears the screen: a console has no alternate screen, and no secret may stay on any screen. */
const blank = '\x1b[m\x1b[H\x1b[J';
const fullScreen = /\x1b\[\?1049([hl])/;

const hideCursor = '\x1b[?25l';

/** Ends on the main screen with a visible cursor and no colours. */
const leaving = (isFull: boolean) =>
  [
    '\x1b[?2026l', // synchronized output
    focusOff,
    '\x1b[?2004l', // bracketed paste
    '\x1b[?1l\x1b>', // application keys
    '\x1b7\x1b[r\x1b8', // scroll region, which moves the cursor
    '\x1b[?7h', // wrapping
    '\x1b[0m',
    isFull ? blank : '',
    '\x1b[?1049l', // alternate screen
    '\x1b[?25h', // cursor
  ].join('');

/** Ends what a program may have left switched on that had the terminal. */
const childLeft = [
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l', // mouse
  '\x0f\x1b(B', // character set
  '\x1b[?1l\x1b>\x1b[?2004l\x1b7\x1b[r\x1b8\x1b[?7h\x1b[0m\x1b[?25h', // as above
].join('');

/** The abilities of the terminal, and those that are wanted. */
interface TerminalOptions extends Partial<Capabilities>, ModeOptions {
  /** The cursor is to be seen at the current row. */
  screenReader?: boolean;
}

/** Opens a terminal. Nothing is written before `begin`. */
export function openTerminal(
  stdin: ReadStream,
  stdout: WriteStream,
  { console = false, progress = false, multiplexer, screenReader = false, ...modeOptions }: TerminalOptions = {},
): Terminal {
  let begun = false;
  let restored = false;
  let isFull = false;
  let child: { abort: AbortController; ended: Promise<void> } | undefined;
  let suspended: ReturnType<Suspend> | undefined;
  let listener: TerminalListener = {
    onFocus() {},
    onHidden() {},
    onBackground() {},
    onMouse() {},
    caretArea: () => undefined,
    suspend: async () => ({ resume: async () => {} }),
  };
  const screen = screenWriter(
    stdout,
    { isConsole: console, isFollowed: screenReader },
    () => listener.caretArea(),
    () => listener.lateCells?.(),
  );
  // Nobody can be told that the terminal is gone.
  stdout.on('error', () => {});
  const write = (sequence: string) => {
    try {
      stdout.write(sequence);
    } catch {
      // As above.
    }
  };
  const window = createWindow({ console, progress, multiplexer }, write);
  const modes = createModes(modeOptions, console || !stdin.isTTY);
  /** Ends what the full screen has beside the picture. */
  const undone = () => window.leave() + modes.leave();
  const ask = () => {
    // The answers would be echoed.
    if (!stdin.isRaw) return;
    const questions = modes.questions();
    if (questions !== '') write(questions);
  };
  const isReport = (input: string): boolean => {
    // Keys are for the shell from then on.
    if (restored) return true;
    const report = reportOf(input);
    if (!report) return false;
    if (report.kind === 'focus') listener.onFocus(report.hasFocus);
    if (report.kind === 'background' && modeOptions.followsBackground) listener.onBackground(report.isLight);
    if (report.kind === 'mouse' && modeOptions.mouse) listener.onMouse(report.mouse);
    const offered = modes.take(report);
    if (offered !== '') write(offered);
    return true;
  };
  // Where no keys are read, focus reports would be echoed.
  const focusRequest = stdin.isTTY ? focusOn : '';
  /** Takes the drawing off. Does not wait for Ink: keys typed from now on are for others. */
  const hide = async (): ReturnType<Suspend> => {
    const hidden = listener.suspend();
    write(undone() + leaving(isFull));
    listener.onHidden(true);
    return hidden;
  };
  const show = async (hidden: ReturnType<Suspend>) => {
    await (await hidden).resume();
    write(focusRequest);
    ask();
    listener.onHidden(false);
  };
  return {
    stdin: keyByKey(stdin, isReport, () => modes.isExact),
    stdout: filteredWrites(screen.stdout, (text, pass) => {
      if (restored) return false;
      const [, full] = fullScreen.exec(text) ?? [];
      if (full === 'l' && isFull) write(undone() + blank);
      if (full === 'h') write(window.enter());
      pass();
      if (full !== undefined) isFull = full === 'h';
      // Ink hides the cursor only once.
      if (full === 'h') write(modes.enter() + hideCursor);
      return true;
    }),
    takesProgress: progress && !console,
    setTitle: window.setTitle,
    setProgress: window.setProgress,
    answered: modes.answered,
    ask,
    get hasChild() {
      return child !== undefined;
    },
    begin() {
      if (begun || restored) return;
      begun = true;
      // Keys that are pressed before the first frame would be echoed onto it, and enter would come as another key.
      enterRawMode(stdin);
      write(focusRequest);
    },
    tintAtRest: screen.tintAtRest,
    listen(newListener) {
      listener = newListener;
    },
    restore() {
      if (restored) return;
      restored = true;
      if (!begun) return;
      screen.stop();
      leaveRawMode(stdin);
      write(undone() + leaving(isFull));
    },
    async runChild(run) {
      const abort = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      child = { abort, ended };
      const hidden = hide();
      try {
        await hidden;
        // A stream pauses only a turn after its last reader has left; before, the first line typed would be read here.
        await nextTurn();
        stdin.pause();
        return await run(abort.signal);
      } finally {
        if (!restored) write(childLeft + modes.afterChild());
        if (!restored && !abort.signal.aborted) {
          child = undefined;
          await show(hidden);
        }
        resolve();
      }
    },
    print: write,
    async endChild() {
      child?.abort.abort();
      await child?.ended;
    },
    suspend() {
      if (begun && !restored && !child) suspended ??= hide();
    },
    resume() {
      if (!suspended || restored) return;
      void show(suspended);
      suspended = undefined;
    },
    caretComes() {
      if (isFull) screen.caretComes();
    },
    caretChanged() {
      if (isFull) screen.caretChanged();
    },
    windowChanged() {
      if (isFull) screen.windowChanged();
    },
  };
}

function enterRawMode(stdin: ReadStream): void {
  try {
    if (stdin.isTTY) stdin.setRawMode(true);
  } catch {
    // A terminal that is gone has no mode.
  }
}

function leaveRawMode(stdin: ReadStream): void {
  try {
    if (stdin.isTTY && stdin.isRaw) stdin.setRawMode(false);
  } catch {
    // A terminal that is gone has no mode.
  }
}

/**
 * The stream itself, but for writes.
 * @param through writes the text by `pass`, and what belongs before and after it; answers false where the text is
 * dropped, as a last frame would land on the user's main screen
 */
function filteredWrites(stdout: WriteStream, through: (text: string, pass: () => void) => boolean): WriteStream {
  const write = (...args: unknown[]): boolean => {
    let isReady = true;
    const isWritten = through(String(args[0]), () => {
      isReady = Reflect.apply(stdout.write, stdout, args);
    });
    const done = args.at(-1);
    if (!isWritten && typeof done === 'function') queueMicrotask(() => done());
    return isReady;
  };
  return new Proxy(stdout, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name, target)),
  });
}
