import type { RenderOptions } from 'ink';
import type { Terminal } from '../../terminal/terminal.ts';

/** The options with which Ink draws over the whole terminal. */
export const inkOptions = (terminal: Terminal): RenderOptions => ({
  stdin: terminal.stdin,
  stdout: terminal.stdout,
  exitOnCtrlC: false,
  patchConsole: false,
  alternateScreen: true,
  interactive: true,
  // Ink writes each frame whole, which is what the screen writer compares.
  debug: true,
  // Ink's own way writes the whole screen again at each key.
  isScreenReaderEnabled: false,
});
