import type { ReadStream } from 'node:tty';
import { focusOf } from './focus.ts';

/** Printable characters in a row that nobody has typed: a paste, where the terminal does not mark it as one. */
const shortestPaste = 32;

const key =
  /\x1b\[200~[\s\S]*?(?:\x1b\[201~|$)|\x1b(?:\[[0-?]*[ -/]*[@-~]?|O[@-~]?|[^\x1b])?|[^\x00-\x1f\x7f]+|[\s\S]/gu;

const pasteBegins = '\x1b[200~';
const pasteEnds = '\x1b[201~';
const ctrlC = '\x03';

/** A paste of which nothing more has come for so many ms counts as cut off. A slow line pauses for less. */
const pastePatience = 10_000;

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
  const pastes = pasteWatch(() => {
    waiting.push(pasteEnds);
    stdin.emit('readable');
  });
  const collect = () => {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) {
      const text = String(chunk);
      const isLeaving = pastes.noted(text) && text.endsWith(ctrlC);
      waiting.push(...keysIn(isLeaving ? text.slice(0, -1) : text));
      if (!isLeaving) continue;
      pastes.noted(pasteEnds);
      waiting.push(pasteEnds, ctrlC);
    }
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

/**
 * Follows whether a paste has begun and not ended. A line that was cut off swallows the end, and all that is typed
 * afterwards would belong to the paste.
 * @param onCutOff told when nothing more of it has come for long
 */
function pasteWatch(onCutOff: () => void) {
  let isOpen = false;
  /** May be the first part of a mark. */
  let tail = '';
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Whether one is under way after this text. */
    noted(text: string): boolean {
      const seen = tail + text;
      const [begun, ended] = [seen.lastIndexOf(pasteBegins), seen.lastIndexOf(pasteEnds)];
      if (begun !== ended) isOpen = begun > ended;
      tail = seen.slice(1 - pasteEnds.length);
      clearTimeout(timer);
      if (!isOpen) return false;
      timer = setTimeout(() => {
        isOpen = false;
        onCutOff();
      }, pastePatience);
      timer.unref();
      return true;
    },
  };
}
