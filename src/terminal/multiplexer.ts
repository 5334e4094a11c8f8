import { type Capabilities, capabilitiesOf, type Environment } from './capabilities.ts';

/** screen cuts off longer strings that it passes through. */
const maxScreenChunk = 240;

/** Wraps a sequence so that tmux (with `allow-passthrough`) or screen passes it through; unchanged without them. */
export const passThrough = (sequence: string, env: Environment): string =>
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
