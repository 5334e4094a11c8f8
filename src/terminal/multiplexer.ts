import { capabilitiesOf } from './capabilities.ts';

/** Screen cuts off longer strings that it passes on. */
const screenChunk = 240;

/** A sequence as it gets through tmux (with `allow-passthrough`) or screen to the terminal behind; unchanged without them. */
export function passThrough(sequence: string, env: Readonly<Record<string, string | undefined>>): string {
  const { multiplexer } = capabilitiesOf(env, {});
  if (multiplexer === 'tmux') return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`;
  if (multiplexer === 'screen')
    return chunks(sequence, screenChunk)
      .map((chunk) => `\x1bP${chunk}\x1b\\`)
      .join('');
  return sequence;
}

const chunks = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
