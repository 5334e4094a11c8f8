import { clean } from '../text/cells.ts';
import type { Capabilities } from './capabilities.ts';
import { wrapped } from './multiplexer.ts';
import { progressSequence, type TerminalProgress } from './progress.ts';

/** More than any tab or title bar shows, in UTF-16 units. */
const maxUnits = 120;

/** The title of the terminal's window and the progress on its tab. */
export interface Window {
  /** The bytes that keep the old title for later and set ours. */
  enter(): string;
  /** The bytes that bring the old title back and show no progress. */
  leave(): string;
  setTitle(title: string): void;
  setProgress(progress: TerminalProgress): void;
}

/**
 * The window around the screen. tmux has a title and a stack of them for each pane; screen has neither, so both are those
 * of the terminal around it.
 * @param write writes at once; not called between `leave` and `enter`
 */
export function createWindow(
  { console, progress: takesProgress, multiplexer }: Pick<Capabilities, 'console' | 'progress' | 'multiplexer'>,
  write: (bytes: string) => void,
): Window {
  let isEntered = false;
  let title = '';
  let progress: TerminalProgress;
  const pass = (bytes: string) => (multiplexer === 'screen' ? wrapped(bytes, multiplexer) : bytes);
  // With BEL at its end, as ST would end the string around it in screen.
  const titled = () => (title === '' ? '' : `\x1b]2;${title}\x07`);
  return {
    enter() {
      if (console || isEntered) return '';
      isEntered = true;
      return pass(`\x1b[22;2t${titled()}`) + (progress === undefined ? '' : progressSequence(progress));
    },
    leave() {
      if (!isEntered) return '';
      isEntered = false;
      return (progress === undefined ? '' : progressSequence(undefined)) + pass('\x1b[23;2t');
    },
    setTitle(text) {
      const next = clean(text, maxUnits);
      if (next === title) return;
      title = next;
      if (isEntered) write(pass(titled()));
    },
    setProgress(next) {
      if (!takesProgress || console || next === progress) return;
      progress = next;
      if (isEntered) write(progressSequence(progress));
    },
  };
}
