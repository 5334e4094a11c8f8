import type { ReadStream } from 'node:tty';
import { timerDelay } from '../text/times.ts';
import { withMember } from './screenWriter.ts';

/** Keys that lead out of a paste that has lost its end, at the end of a chunk: ctrl-c and escape. */
const interrupt = /(?:\x03|\x1b\[99;5u|\x1b\[27u)$/;

/** One key, which no terminal sends by itself while it pastes. */
const singleKey = /^(?:[^\x1b]|\x1b\[[0-9;]*[A-Za-z~])$/u;

/** A paste that pauses for longer has lost its end. */
const pasteTimeoutMs = 10_000;

/** The begin of a sequence is held for so long: less where it may be a key of its own. */
const holdMs = { key: 20, sequence: 1000 };

/**
 * The input itself, but for `read`, which gives one key in each turn of the event loop: several keys may come at once,
 * and each must find the screen that the one before it has left.
 * @param isReport told of each key and sequence; answers whether it is something that the terminal says, and no key
 * @param isExact whether every key is sent whole now, so that an escape alone is the begin of something
 */
export function keyByKey(
  stdin: ReadStream,
  isReport: (input: string) => boolean,
  isExact: () => boolean = () => false,
): ReadStream {
  const queue: string[] = [];
  const splitter = createInputSplitter();
  let isTurnUsed = false;
  let hold: NodeJS.Timeout | undefined;
  const cutOff = (...keys: readonly string[]) => {
    splitter.endPaste();
    queue.push(pasteEnds, ...keys);
  };
  const pastes = pasteTracker((...keys) => {
    cutOff(...keys);
    stdin.emit('readable');
  });
  const collect = () => {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) {
      const text = String(chunk);
      const [key] = (pastes.isOpenAfter(text) && interrupt.exec(text)) || [];
      queue.push(...splitter.push(key === undefined ? text : text.slice(0, -key.length)));
      clearTimeout(hold);
      const kind = isExact() ? 'sequence' : splitter.held;
      if (splitter.held && kind) hold = setTimeout(release, holdMs[kind]).unref();
      if (key === undefined) continue;
      pastes.isOpenAfter(pasteEnds);
      cutOff(key);
    }
  };
  const release = () => {
    queue.push(...splitter.release());
    if (queue.length > 0) stdin.emit('readable');
  };
  const nextKey = (): string | undefined => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (!isReport(next)) return functionKeyOf(next) ?? next;
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
  return withMember(stdin, 'read', read);
}

/**
 * Tracks whether a paste is open. Where a bad connection loses its end, all keys that follow would belong to it.
 * @param onCutOff called with the keys that follow when an open paste has paused for too long
 */
function pasteTracker(onCutOff: (...keys: readonly string[]) => void) {
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
      if (isOpen && singleKey.test(text) && timer) return true;
      clearTimeout(timer);
      timer = undefined;
      if (!isOpen) return false;
      // It may be the begin of the last mark, and otherwise is somebody who wants to get out.
      const isEscape = text === '\x1b';
      timer = setTimeout(
        () => {
          isOpen = false;
          timer = undefined;
          onCutOff(...(isEscape ? [escapeKey] : []));
        },
        timerDelay(isEscape ? holdMs.sequence : pasteTimeoutMs),
      );
      timer.unref();
      return true;
    },
  };
}

/** Function keys without modifiers: of xterm and the kitty protocol, of vt220, and of the Linux console. */
const functionKey = /^\x1b(?:(?:O|\[1;1(?::[12])?|\[)([PQRS])|\[(\d\d)(?:;1(?::[12])?)?~|\[\[([A-E]))$/;
const vt220 = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];

/** Ink drops function keys; as a character behind U+F700, which nobody types, F1 to F12 are handed through. */
function functionKeyOf(sequence: string): string | undefined {
  if (!sequence.startsWith('\x1b')) return undefined;
  const [, letter, code, linux] = functionKey.exec(sequence) ?? [];
  const number = letter
    ? 'PQRS'.indexOf(letter) + 1
    : linux
      ? 'ABCDE'.indexOf(linux) + 1
      : vt220.indexOf(Number(code)) + 1;
  return number > 0 ? String.fromCharCode(0xf700 + number) : undefined;
}

/** So many printable characters at once are a paste, where the terminal does not mark it as one. */
const minPasteLength = 32;
/** No report is longer; a string without an end is no report. */
const maxReportLength = 4096;

const pasteBegins = '\x1b[200~';
/** The last mark of a paste. */
const pasteEnds = '\x1b[201~';
/** The escape key as the kitty protocol spells it, after which nobody waits for more. */
const escapeKey = '\x1b[27u';

/** A whole control sequence; also `ESC [[A` of the Linux console and `ESC [3$` of rxvt. */
const sequence = /\x1b(?:\[(?:\[[0-9;]*[A-Za-z~]|[235678]\$|[0-?]*[ -/]*[@-Z\\-~])|O[0-9;]*[@-~])/y;
/** The begin of one, with the rest still to come. */
const begun = /\x1b(?:\[\[?[0-?]*[ -/]*|O[0-9;]*|\])?$/y;
/** A string that a terminal sends: OSC and a number, up to BEL or ST. */
const string = /\x1b\]\d[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)/y;
const begunString = /\x1b\]\d[^\x07\x1b\x9c]*\x1b?$/y;
/** A string or sequence that something else cuts off. */
const broken = /\x1b(?:\]\d[^\x07\x1b\x9c]*|\[[0-?]+[ -/]*)/y;
const text = /[^\x00-\x1f\x7f]+/y;

/** Splits input into keys, sequences and pastes, wherever its chunks end. */
export function createInputSplitter() {
  let rest = '';
  let isPasting = false;

  /** The paste from an offset on; holds what may be the first part of its last mark. */
  function pasteAt(input: string, from: number): { part: string; next: number } {
    const end = input.indexOf(pasteEnds, from);
    isPasting = end < 0;
    if (!isPasting) return { part: input.slice(from, end + pasteEnds.length), next: end + pasteEnds.length };
    let cut = input.length;
    for (let length = pasteEnds.length - 1; length > 0; length--) {
      if (!input.endsWith(pasteEnds.slice(0, length))) continue;
      cut = input.length - length;
      break;
    }
    rest = input.slice(cut);
    return { part: input.slice(from, cut), next: input.length };
  }

  function push(chunk: string): readonly string[] {
    const input = rest + chunk;
    const parts: string[] = [];
    rest = '';
    let at = 0;
    const take = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      const [found] = pattern.exec(input) ?? [];
      if (found !== undefined) at += found.length;
      return found;
    };
    while (at < input.length) {
      if (isPasting || input.startsWith(pasteBegins, at)) {
        const { part, next } = pasteAt(input, at);
        if (part !== '') parts.push(part);
        at = next;
        continue;
      }
      const characters = take(text);
      if (characters !== undefined) {
        parts.push(...(characters.length >= minPasteLength ? [characters] : characters));
        continue;
      }
      const isHeld = input.length - at < maxReportLength && (take(begun) ?? take(begunString));
      if (isHeld) {
        rest = isHeld;
        continue;
      }
      const whole = take(string) ?? take(sequence);
      if (whole !== undefined) parts.push(whole);
      else if (take(broken) === undefined) parts.push(shortKey(input, at, (length) => (at += length)));
    }
    return parts;
  }

  return {
    /** The whole keys, sequences and pastes of a chunk and of what is held before it. */
    push,
    /** Whether the begin of a sequence is held, and may be a key of its own. */
    get held() {
      if (rest === '' || isPasting) return undefined;
      return isKey.test(rest) ? 'key' : 'sequence';
    },
    /** Waits no longer for the rest of what is held: keys are handed over, the begin of a sequence is dropped. */
    release() {
      const held = rest;
      rest = '';
      if (held === '\x1b') return [escapeKey];
      return isKey.test(held) ? [held] : [];
    },
    /** A paste has ended without its last mark. */
    endPaste() {
      isPasting = false;
      rest = '';
    },
  };
}

/** Matches what a key sends that also begins a sequence: escape, and alt with a bracket or O. */
const isKey = /^\x1b(?:\[{1,2}|\]|O)?$/;

/** One control character, or escape with the character after it: alt and a key. */
function shortKey(input: string, at: number, advance: (length: number) => void): string {
  const next = input[at] === '\x1b' ? input.codePointAt(at + 1) : undefined;
  const isEscape = input[at] === '\x1b' && (next === undefined || next === 0x1b);
  const key = input.slice(at, at + 1) + (next === undefined || isEscape ? '' : String.fromCodePoint(next));
  advance(key.length);
  return isEscape ? escapeKey : key;
}
