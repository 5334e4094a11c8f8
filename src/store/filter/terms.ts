/** The grammar of filters: a text becomes terms, which must all hold; each is one of its alternatives. */

/** Relations between a field and a value: contains, equals, or compares. */
export type Operator = ':' | '=' | '<' | '>' | '<=' | '>=';

/** A word, a quoted text or a regular expression, with its position. */
export interface Value {
  kind: 'word' | 'quoted' | 'expression';
  text: string;
  at: number;
  /** Has its closing slash or quote; quotes may stay open while one types. */
  closed: boolean;
}

/** A value, alone or of a field. */
export interface Alternative {
  field?: string;
  operator?: Operator;
  value: Value;
  at: number;
}

/** Why a text is no filter, with the position in it. */
export interface FilterMistake {
  error: string;
  position: number;
}

/** Everything between two spaces. */
export interface Term {
  /** It finds the other rows: `!tag:web`, `-tag:web`, `tag!=web`, `tag:!web`, `!(web|db)`. */
  isNegated: boolean;
  /** Where it begins, with its signs. */
  from: number;
  /** Where it begins without them. */
  at: number;
  /** At least one; those without a field of their own are of the field before. */
  alternatives: readonly Alternative[];
  mistake?: FilterMistake;
}

/** Splits a filter at spaces outside quotes and regular expressions. */
export function termsOf(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (let from = nextFilled(text, 0); from < text.length; ) {
    const at = signsEnd(text, from);
    const { end, ...read } = isGroup(text, at, at > from) ? groupAt(text, at) : alternativesAt(text, at);
    terms.push({ ...termOf(read), isNegated: ((at - from) % 2 === 1) !== isLeftOut(read.parts), from, at });
    from = nextFilled(text, end);
  }
  return terms;
}

/** An alternative, and whether its own sign leaves out what it finds. */
interface Part extends Alternative {
  isNot: boolean;
  /** It has a field of its own. */
  isNamed: boolean;
}

interface Parts {
  parts: readonly Part[];
  end: number;
  mistake?: FilterMistake;
}

/** `!=` and `:!` are about all values behind them. */
const isLeftOut = ([first]: readonly Part[]): boolean => first?.isNot === true;

function termOf({ parts, mistake }: Pick<Parts, 'parts' | 'mistake'>): Pick<Term, 'alternatives' | 'mistake'> {
  const wrong = parts.find(({ isNot, isNamed }, at) => at > 0 && (isNot || (isNamed && isLeftOut(parts))));
  const error = 'what is left out stands for itself: !tag:web|status:offline, tag!=web|db';
  return {
    alternatives: parts.map(({ isNot, isNamed, ...alternative }) => alternative),
    mistake: mistake ?? (wrong && { error, position: wrong.at }),
  };
}

/** A field and its operator. `::`, `://` and `==` are parts of words. */
const fieldPattern = /^([\p{L}_][\w.-]*)(!=|<=|>=|[:<>=])(?![:=]|\/\/)/u;

function nextFilled(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

/** Where the signs before a term end: any number of `!`, and a `-` before a field. */
function signsEnd(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === '!') at++;
  return text.charAt(at) === '-' && fieldPattern.test(text.slice(at + 1)) ? at + 1 : at;
}

/** Whether parentheses stand around alternatives; elsewhere they are parts of words, such as `(copy)`. */
const isGroup = (text: string, at: number, isSigned: boolean): boolean =>
  text.charAt(at) === '(' &&
  (isSigned || fieldPattern.test(text.slice(at + 1)) || /^\([^\s"|]*\|/.test(text.slice(at)));

function groupAt(text: string, at: number): Parts {
  const { parts, end } = alternativesAt(text, at + 1, {}, groupWord);
  const isClosed = text.charAt(end) === ')';
  if (isClosed && /^(\s|$)/.test(text.slice(end + 1))) return { parts, end: end + 1 };
  const error = isClosed
    ? 'a blank must follow the )'
    : 'parentheses hold alternatives without blanks, and end with a ): !(web|db)';
  const position = isClosed ? end + 1 : Math.min(end, text.length);
  return { parts, end: text.length, mistake: { error, position } };
}

const plainWord = /^[^\s|]*/;
const groupWord = /^[^\s|)]*/;
/** Alternatives in parentheses behind a field: `tag:(web|db)`. */
const valueGroup = /^\([^\s()"]*\|[^\s()"]*\)/;

type Lead = Partial<Pick<Part, 'field' | 'operator' | 'isNot'>>;

function alternativesAt(text: string, begin: number, first: Lead = {}, word = plainWord): Parts {
  const parts: Part[] = [];
  let last = first;
  for (let at = begin; ; ) {
    const [lead = '', field, sign] = fieldPattern.exec(text.slice(at)) ?? [];
    const behind = at + lead.length;
    const isNot = sign === '!=' || ([':', '='].includes(sign ?? '') && text.charAt(behind) === '!');
    if (field !== undefined) last = { field, operator: (sign === '!=' ? '=' : sign) as Operator };
    const from = isNot && sign !== '!=' ? behind + 1 : behind;
    const own = { ...last, isNot, isNamed: field !== undefined };
    if (field !== undefined && valueGroup.test(text.slice(from))) {
      const inner = alternativesAt(text, from + 1, last, groupWord);
      parts.push(...inner.parts.map((part, index) => (index === 0 ? { ...part, ...own, at } : part)));
      return { parts, end: inner.end + 1 };
    }
    const { value, end } = valueAt(text, from, word);
    parts.push({ ...own, value, at });
    if (text.charAt(end) !== '|') return { parts, end };
    at = end + 1;
  }
}

/** The value that begins here, and where it ends. */
function valueAt(text: string, at: number, pattern: RegExp): { value: Value; end: number } {
  const mark = text.charAt(at);
  if (mark === '"') {
    // Two quotes are one of the text.
    const [whole, inside = '', close] = /^"((?:[^"]|"")*)("?)/.exec(text.slice(at)) ?? [mark];
    const value: Value = { kind: 'quoted', text: inside.replaceAll('""', '"'), at, closed: close === mark };
    return { value, end: at + whole.length };
  }
  if (mark === '/') {
    const end = slashAfter(text, at + 1);
    const closed = end < text.length;
    return { value: { kind: 'expression', text: text.slice(at + 1, end), at, closed }, end: closed ? end + 1 : end };
  }
  const word = pattern.exec(text.slice(at))?.[0] ?? '';
  return { value: { kind: 'word', text: word, at, closed: true }, end: at + word.length };
}

/** The next unescaped slash; the length of the text when there is none. */
function slashAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '/') at += text.charAt(at) === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

/** An alternative of which nothing is typed yet. */
export const isBlank = ({ value }: Alternative): boolean => value.kind === 'word' && value.text === '';

/** The values that stand for an absent one; a dash does so alone, while words may hold `none`. */
export const isNone = ({ field, value }: Alternative): boolean =>
  field !== undefined && value.kind === 'word' && (value.text.toLowerCase() === 'none' || isDash(value));

export const isDash = ({ kind, text }: Value): boolean => kind === 'word' && (text === '-' || text === '–');
