import { clean } from '../text/cells.ts';
import { capabilitiesOf, type Environment } from './capabilities.ts';
import { passThrough } from './multiplexer.ts';

/** Rings the bell. */
export const bell = '\x07';

/** More than any notification shows, in UTF-16 units. */
const maxUnits = 240;

/**
 * The sequences that show a desktop notification: OSC 9 and OSC 777, of which each terminal knows one or none, also over
 * SSH and inside tmux and screen. Empty on a console, which would print them.
 */
export function notificationSequence(title: string, text: string, env: Environment): string {
  if (capabilitiesOf(env, {}).console) return '';
  // A semicolon separates parameters.
  const [head, body] = [title, text].map((part) => clean(part, maxUnits).replaceAll(';', ','));
  return [`\x1b]9;${head}: ${body}\x07`, `\x1b]777;notify;${head};${body}\x07`]
    .map((sequence) => passThrough(sequence, env))
    .join('');
}
