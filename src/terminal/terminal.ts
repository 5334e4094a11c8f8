import type { ReadStream, WriteStream } from 'node:tty';
import { clean } from '../text/cells.ts';
import { attempt } from '../text/errno.ts';
import { type Capabilities, progressSequence, type TerminalProgress, wrapped } from './capabilities.ts';
import type { CaretArea } from './frameLine.ts';
import { keyByKey } from './keys.ts';
import { createLending, type Suspend } from './lending.ts';
import type { LateCells } from './paint.ts';
import { createModes, focusOff, focusOn, type ModeOptions, type MouseReport, reportOf } from './reports.ts';
import { screenWriter, withMember } from './screenWriter.ts';

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
export type Terminal = ReturnType<typeof openTerminal>;

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
) {
  let begun = false;
  let restored = false;
  let isEnding = false;
  let isFull = false;
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
  const write = (sequence: string) => void attempt(() => sequence !== '' && stdout.write(sequence));
  const window = createWindow({ console, progress, multiplexer }, write);
  const modes = createModes(modeOptions, console || !stdin.isTTY);
  const onFullScreen = (act: () => void) => () => {
    if (isFull) act();
  };
  /** Ends what the full screen has beside the picture. */
  const undone = () => window.leave() + modes.leave();
  const ask = () => {
    // Elsewhere the answers would be echoed, and at the end the shell would read them.
    if (stdin.isRaw && !isEnding) write(modes.questions());
  };
  const isReport = (input: string): boolean => {
    // Keys are for the shell from then on.
    if (restored) return true;
    const report = reportOf(input);
    // Nor are they ours while another program is given the terminal, or we only wait for its answer.
    if (!report) return lending.hasChild() || isEnding;
    if (report.kind === 'focus') listener.onFocus(report.hasFocus);
    if (report.kind === 'background' && modeOptions.followsBackground) listener.onBackground(report.isLight);
    if (report.kind === 'mouse' && modeOptions.mouse && !isEnding) listener.onMouse(report.mouse);
    write(modes.take(report));
    return true;
  };
  // Where no keys are read, focus reports would be echoed.
  const focusRequest = stdin.isTTY ? focusOn : '';
  /** Takes the drawing off. Does not wait for Ink: keys typed from now on are for others. */
  const hide: Suspend = async () => {
    const hiding = listener.suspend();
    write(undone() + leaving(isFull));
    listener.onHidden(true);
    const hidden = await hiding;
    return {
      async resume() {
        await hidden.resume();
        if (restored) return;
        write(focusRequest);
        ask();
        listener.onHidden(false);
      },
    };
  };
  const lending = createLending(stdin, { ...modes, hide, write, isOver: () => restored });
  return {
    ...lending,
    /** Gives one key in each turn of the event loop. */
    stdin: keyByKey(stdin, isReport, () => modes.isExact),
    /** For drawing. Writes after the terminal was restored are dropped. */
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
    /** Its background, as the environment tells it. */
    isLight: modeOptions.isLight ?? false,
    setTitle: window.setTitle,
    setProgress: window.setProgress,
    /** Asks nothing more; resolves when all is answered, or is not going to be; undefined where nothing is open. */
    answered() {
      isEnding = true;
      return modes.answered();
    },
    /** Asks it what it has; drawing does not wait for the answers. */
    ask,
    /** From now on there is something to restore, and the focus is reported. Does nothing once the terminal was restored. */
    begin() {
      if (begun || restored) return;
      begun = true;
      // Keys that are pressed before the first frame would be echoed onto it, and enter would come as another key.
      setRawMode(stdin, true);
      write(focusRequest);
    },
    tintAtRest: screen.tintAtRest,
    /** Sets the listener, in place of the one before; what is left out is told as before. */
    listen(newListener: Partial<TerminalListener>) {
      listener = { ...listener, ...newListener };
    },
    /** Brings the terminal back to the state that a shell expects. Further calls do nothing; never throws. */
    restore() {
      if (restored) return;
      restored = true;
      if (!begun) return;
      screen.stop();
      setRawMode(stdin, false);
      write(undone() + leaving(isFull));
    },
    /** Writes on the terminal while it is left to another program; nothing of it is taken for a frame. */
    print: write,
    suspend() {
      if (begun) lending.suspend();
    },
    caretComes: onFullScreen(screen.caretComes),
    caretChanged: onFullScreen(screen.caretChanged),
    windowChanged: onFullScreen(screen.windowChanged),
  };
}

/** A terminal that is gone has no mode. */
const setRawMode = (stdin: ReadStream, isRaw: boolean): void =>
  void attempt(() => stdin.isTTY && (isRaw || stdin.isRaw) && stdin.setRawMode(isRaw));

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
  return withMember(stdout, 'write', write);
}

/** More than any tab or title bar shows, in UTF-16 units. */
const maxUnits = 120;

/**
 * The window around the screen: its title, and the progress on its tab. tmux has a title and a stack of them for each pane; screen has neither, so both are those
 * of the terminal around it.
 * @param write writes at once; not called between `leave` and `enter`
 */
export function createWindow(
  { console, progress: takesProgress, multiplexer }: Pick<Capabilities, 'console' | 'progress' | 'multiplexer'>,
  write: (bytes: string) => void,
) {
  let isEntered = false;
  let title = '';
  let progress: TerminalProgress;
  const pass = (bytes: string) => (multiplexer === 'screen' ? wrapped(bytes, multiplexer) : bytes);
  // With BEL at its end, as ST would end the string around it in screen.
  const titled = () => (title === '' ? '' : `\x1b]2;${title}\x07`);
  return {
    /** The bytes that keep the old title for later and set ours. */
    enter() {
      if (console || isEntered) return '';
      isEntered = true;
      return pass(`\x1b[22;2t${titled()}`) + (progress === undefined ? '' : progressSequence(progress));
    },
    /** The bytes that bring the old title back and show no progress. */
    leave() {
      if (!isEntered) return '';
      isEntered = false;
      return (progress === undefined ? '' : progressSequence(undefined)) + pass('\x1b[23;2t');
    },
    setTitle(text: string) {
      const next = clean(text, maxUnits);
      if (next === title) return;
      title = next;
      if (isEntered) write(pass(titled()));
    },
    setProgress(next: TerminalProgress) {
      if (!takesProgress || console || next === progress) return;
      progress = next;
      if (isEntered) write(progressSequence(progress));
    },
  };
}
