import { clean } from '../text/cells.ts';
import { capabilitiesOf } from './capabilities.ts';
import { passThrough } from './multiplexer.ts';

/** Rings the bell. */
export const bell = '\x07';

/** More than any notification shows, in UTF-16 units. */
const maxUnits = 240;

/**
 * The sequences that have the terminal show a notification: OSC 9 and OSC 777, of which each terminal knows one or
 * none. They work over SSH and inside tmux and screen. Empty on a console, which would print them.
 */
export function notificationSequence(
  title: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (capabilitiesOf(env, {}).console) return '';
  // A semicolon would begin another part.
  const [head, body] = [title, text].map((part) => clean(part, maxUnits).replaceAll(';', ','));
  return [`\x1b]9;${head}: ${body}\x07`, `\x1b]777;notify;${head};${body}\x07`]
    .map((sequence) => passThrough(sequence, env))
    .join('');
}
