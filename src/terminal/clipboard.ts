import { capabilitiesOf } from './capabilities.ts';
import { passThrough } from './multiplexer.ts';

/** The most that a terminal takes at once, in bytes of text; some cut off or refuse what is longer. */
export const maxCopyBytes = 74_994;

/**
 * The sequence that has the terminal copy a text (OSC 52); it works over SSH and inside tmux and screen.
 * Throws a RangeError with a sentence for the user when the text is too long for it, or when it has no clipboard.
 */
export function copySequence(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const { multiplexer, console } = capabilitiesOf(env, {});
  if (console) throw new RangeError(`A terminal of the kind ${env.TERM} has no clipboard, so nothing was copied.`);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxCopyBytes) {
    throw new RangeError(
      `This has ${bytes.length} bytes, and a terminal copies at most ${maxCopyBytes}; save it to a file instead.`,
    );
  }
  const copy = `\x1b]52;c;${bytes.toString('base64')}\x07`;
  // tmux obeys one or the other, depending on its set-clipboard and allow-passthrough.
  return `${multiplexer === 'tmux' ? copy : ''}${passThrough(copy, env)}`;
}
