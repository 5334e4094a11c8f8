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

/** Everything between two spaces; `!` before it negates it. */
export interface Term {
  negations: number;
  at: number;
  /** At least one; those without a field of their own are of the field before. */
  alternatives: readonly Alternative[];
}

/** Splits a filter at spaces outside quotes and regular expressions. */
export function termsOf(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (let at = nextFilled(text, 0); at < text.length; ) {
    const negations = /^!*/.exec(text.slice(at))?.[0].length ?? 0;
    const begin = at + negations;
    const { alternatives, end } = alternativesAt(text, begin);
    terms.push({ negations, at: begin, alternatives });
    at = nextFilled(text, end);
  }
  return terms;
}

/** A field and its operator. `::`, `://` and `==` are parts of words. */
const fieldPattern = /^([\p{L}_][\w.-]*)(<=|>=|[:<>=])(?![:=]|\/\/)/u;

function nextFilled(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

function alternativesAt(text: string, begin: number): { alternatives: readonly Alternative[]; end: number } {
  const alternatives: Alternative[] = [];
  let last: Pick<Alternative, 'field' | 'operator'> = {};
  for (let at = begin; ; ) {
    const [lead = '', field, operator] = fieldPattern.exec(text.slice(at)) ?? [];
    if (field !== undefined) last = { field, operator: operator as Operator };
    const { value, end } = valueAt(text, at + lead.length);
    alternatives.push({ ...last, value, at });
    if (text.charAt(end) !== '|') return { alternatives, end };
    at = end + 1;
  }
}

/** The value that begins here, and where it ends. */
function valueAt(text: string, at: number): { value: Value; end: number } {
  const mark = text.charAt(at);
  if (mark === '"') {
    const end = text.indexOf('"', at + 1);
    const closed = end >= 0;
    const inside = text.slice(at + 1, closed ? end : undefined);
    return { value: { kind: 'quoted', text: inside, at, closed }, end: closed ? end + 1 : text.length };
  }
  if (mark === '/') {
    const end = slashAfter(text, at + 1);
    const closed = end < text.length;
    return { value: { kind: 'expression', text: text.slice(at + 1, end), at, closed }, end: closed ? end + 1 : end };
  }
  const word = /^[^\s|]*/.exec(text.slice(at))?.[0] ?? '';
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

/** The value that stands for an absent one. */
export const isNone = ({ field, value }: Alternative): boolean =>
  field !== undefined && value.kind === 'word' && value.text.toLowerCase() === 'none';
