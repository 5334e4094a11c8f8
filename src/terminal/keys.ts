import type { ReadStream } from 'node:tty';
import { focusOf } from './focus.ts';

/** Printable characters in a row that nobody has typed: a paste, where the terminal does not mark it as one. */
const shortestPaste = 32;

const key =
  /\x1b\[200~[\s\S]*?(?:\x1b\[201~|$)|\x1b(?:\[[0-?]*[ -/]*[@-~]?|O[@-~]?|[^\x1b])?|[^\x00-\x1f\x7f]+|[\s\S]/gu;

/** The keys in what a terminal sent at once: sequences, characters, and pastes, which stay whole. */
const keysIn = (chunk: string): readonly string[] =>
  [...chunk.matchAll(key)].flatMap(([part]) =>
    part.startsWith('\x1b') || part.length >= shortestPaste ? [part] : [...part],
  );

/**
 * The input itself, but for `read`, which hands over one key a turn. Over a slow line several keys come at once;
 * each must find the screen as the one before it has left it.
 * @param onFocus told when the terminal gets and loses the focus, which is no key
 */
export function keyByKey(stdin: ReadStream, onFocus: (hasFocus: boolean) => void): ReadStream {
  const waiting: string[] = [];
  let given = false;
  const collect = () => {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) waiting.push(...keysIn(String(chunk)));
  };
  const nextKey = (): string | undefined => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const focus = focusOf(next);
      if (focus === undefined) return next;
      onFocus(focus);
    }
    return undefined;
  };
  const read = (): string | null => {
    if (given) return null;
    collect();
    const next = nextKey();
    if (next === undefined) return null;
    given = true;
    setImmediate(() => {
      given = false;
      // Who holds an escape back, in case more belongs to it, would hold it longer for being told of nothing.
      if (waiting.length === 0 && stdin.listenerCount('readable') > 0) collect();
      if (waiting.length > 0) stdin.emit('readable');
    });
    return next;
  };
  return new Proxy(stdin, {
    get: (target, name) => {
      if (name === 'read') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
