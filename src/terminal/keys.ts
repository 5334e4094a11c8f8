import type { ReadStream } from 'node:tty';
import { focusOf } from './focus.ts';

/** So many printable characters at once are a paste, where the terminal does not mark it as one. */
const minPasteLength = 32;

const key =
  /\x1b\[200~[\s\S]*?(?:\x1b\[201~|$)|\x1b(?:\[[0-?]*[ -/]*[@-~]?|O[@-~]?|[^\x1b])?|[^\x00-\x1f\x7f]+|[\s\S]/gu;

const pasteBegins = '\x1b[200~';
const pasteEnds = '\x1b[201~';
const ctrlC = '\x03';

/** A paste that pauses for longer has lost its end. */
const pasteTimeoutMs = 10_000;

/** The keys in a chunk of input: sequences, characters, and whole pastes. */
const keysIn = (chunk: string): readonly string[] =>
  [...chunk.matchAll(key)].flatMap(([part]) =>
    part.startsWith('\x1b') || part.length >= minPasteLength ? [part] : [...part],
  );

/**
 * The input itself, but for `read`, which gives one key in each turn of the event loop: several keys may come at once,
 * and each must find the screen that the one before it has left.
 * @param onFocus told when the terminal gets and loses the focus
 */
export function keyByKey(stdin: ReadStream, onFocus: (hasFocus: boolean) => void): ReadStream {
  const queue: string[] = [];
  let isTurnUsed = false;
  const pastes = pasteTracker(() => {
    queue.push(pasteEnds);
    stdin.emit('readable');
  });
  const collect = () => {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) {
      const text = String(chunk);
      // ctrl-c at the end of a chunk also ends a paste that has lost its own end.
      const isInterrupt = pastes.isOpenAfter(text) && text.endsWith(ctrlC);
      queue.push(...keysIn(isInterrupt ? text.slice(0, -1) : text));
      if (!isInterrupt) continue;
      pastes.isOpenAfter(pasteEnds);
      queue.push(pasteEnds, ctrlC);
    }
  };
  const nextKey = (): string | undefined => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const focus = focusOf(next);
      if (focus === undefined) return next;
      onFocus(focus);
    }
    return undefined;
  };
  const read = (): string | null => {
    if (isTurnUsed) return null;
    collect();
    const next = nextKey();
    if (next === undefined) return null;
    isTurnUsed = true;
    setImmediate(() => {
      isTurnUsed = false;
      // Ink waits after an escape for the rest of a sequence, and waits again at each event without input.
      if (queue.length === 0 && stdin.listenerCount('readable') > 0) collect();
      if (queue.length > 0) stdin.emit('readable');
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
 * Tracks whether a paste is open. Where a bad connection loses its end, all keys that follow would belong to it.
 * @param onCutOff called when an open paste has paused for too long
 */
function pasteTracker(onCutOff: () => void) {
  let isOpen = false;
  /** The last characters, which may be the first part of a mark. */
  let tail = '';
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Whether a paste is open after this input. */
    isOpenAfter(text: string): boolean {
      const seen = tail + text;
      const [begun, ended] = [seen.lastIndexOf(pasteBegins), seen.lastIndexOf(pasteEnds)];
      if (begun !== ended) isOpen = begun > ended;
      tail = seen.slice(1 - pasteEnds.length);
      clearTimeout(timer);
      if (!isOpen) return false;
      timer = setTimeout(() => {
        isOpen = false;
        onCutOff();
      }, pasteTimeoutMs);
      timer.unref();
      return true;
    },
  };
}
