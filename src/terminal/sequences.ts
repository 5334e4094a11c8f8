import { clean } from '../text/cells.ts';
import { type Capabilities, capabilitiesOf, type Environment } from './capabilities.ts';

/** screen cuts off longer strings that it passes through. */
const maxScreenChunk = 240;

/** Wraps a sequence so that tmux (with `allow-passthrough`) or screen passes it through; unchanged without them. */
const passThrough = (sequence: string, env: Environment): string =>
  wrapped(sequence, capabilitiesOf(env, {}).multiplexer);

/** The same for a multiplexer that is known. */
export function wrapped(sequence: string, multiplexer: Capabilities['multiplexer']): string {
  if (multiplexer === 'tmux') return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
  if (multiplexer === 'screen')
    return chunks(sequence, maxScreenChunk)
      .map((chunk) => `\x1bP${chunk}\x1b\\`)
      .join('');
  return sequence;
}

const chunks = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

/** The longest text that a terminal copies; some cut off or refuse longer ones. */
export const maxCopyBytes = 74_994;

/**
 * The sequence that copies a text to the terminal's clipboard (OSC 52), also over SSH and inside tmux and screen.
 * Throws a RangeError with a sentence for the user when the text is too long, or when the terminal has no clipboard.
 */
export function copySequence(text: string, env: Environment): string {
  const { multiplexer, console } = capabilitiesOf(env, {});
  if (console) throw new RangeError(`A ${env.TERM} terminal has no clipboard, so nothing was copied.`);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxCopyBytes) {
    throw new RangeError(
      `This text has ${bytes.length} bytes, and a terminal copies at most ${maxCopyBytes}; save it to a file instead.`,
    );
  }
  const copy = `\x1b]52;c;${bytes.toString('base64')}\x07`;
  // tmux obeys one or the other, by its options set-clipboard and allow-passthrough.
  return `${multiplexer === 'tmux' ? copy : ''}${passThrough(copy, env)}`;
}

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
