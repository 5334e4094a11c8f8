import { capabilitiesOf, type Environment } from './capabilities.ts';
import { passThrough } from './multiplexer.ts';

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
