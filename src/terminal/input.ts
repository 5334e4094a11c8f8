/** So many printable characters at once are a paste, where the terminal does not mark it as one. */
const minPasteLength = 32;
/** No report is longer; a string without an end is no report. */
const maxReportLength = 4096;

/** The first mark of a paste. */
export const pasteBegins = '\x1b[200~';
/** The last mark of a paste. */
export const pasteEnds = '\x1b[201~';
/** The escape key as the kitty protocol spells it, after which nobody waits for more. */
export const escapeKey = '\x1b[27u';

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
