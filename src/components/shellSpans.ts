import { clean, withTabStops } from '../text/cells.ts';
import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

/** A line begins in code, in a string that an earlier line opened, or in a here-document. */
type State = { in: 'code' } | { in: 'string'; mark: string } | { in: 'document'; end: string };

interface Coloured {
  spans: readonly Span[];
  state: State;
}

const inCode: State = { in: 'code' };
const tabWidth = 4;

/**
 * The lines of a shell script, safe for a terminal and in colours: comments, strings, variables, keywords, and the
 * `<UDF …>` tags that ask for what a deployment needs. Good enough to read by, no parser.
 */
export function shellSpans(script: string): readonly (readonly Span[])[] {
  let state: State = inCode;
  return script.split(/\r\n|\r|\n/).map((line) => {
    const text = withTabStops(line, tabWidth);
    const coloured: Coloured = colourLine(clean(text, text.length), state);
    state = coloured.state;
    return coloured.spans;
  });
}

function colourLine(line: string, state: State): Coloured {
  if (state.in === 'document') {
    const isEnd = line.trim() === state.end;
    return { spans: isEnd ? [{ text: line, role: 'accent' }] : expandingSpans(line), state: isEnd ? inCode : state };
  }
  if (state.in === 'string') {
    const end = closingQuote(line, state.mark, 0);
    if (end < 0) return { spans: stringSpans(line, state.mark), state };
    return codeFrom(line, end + 1, stringSpans(line.slice(0, end + 1), state.mark));
  }
  return codeFrom(line, 0, []);
}

const keywords = new Set(
  (
    'if then else elif fi for while until do done case esac in function select return exit local export readonly ' +
    'declare unset source trap eval exec set shift break continue'
  ).split(' '),
);

const tokens =
  /(?<comment>(?<![^\s;(&|])#.*)|(?<quote>['"])|(?<escaped>\\.)|(?<variable>\$(?:\{[^}]*\}|\w+|[@*#?!$-]))|(?<document>(?<!<)<<-?\s*(?<mark>['"]?)(?<end>\w+)\k<mark>)|(?<word>[A-Za-z_][\w-]*)/g;

function codeFrom(line: string, from: number, before: readonly Span[]): Coloured {
  const spans: Span[] = [...before];
  let state: State = inCode;
  let position = from;
  const add = (until: number, role?: Role) => {
    if (until > position) spans.push({ text: line.slice(position, until), ...(role && { role }) });
    position = until;
  };
  const pattern = new RegExp(tokens);
  for (pattern.lastIndex = from; ; ) {
    const match = pattern.exec(line);
    if (!match) break;
    const { comment, quote, variable, document, end, word } = match.groups ?? {};
    const after = match.index + match[0].length;
    if (comment !== undefined) {
      add(match.index);
      spans.push(...commentSpans(comment));
      return { spans, state };
    }
    if (quote !== undefined) {
      const close = closingQuote(line, quote, after);
      add(match.index);
      const text = line.slice(match.index, close < 0 ? line.length : close + 1);
      spans.push(...stringSpans(text, quote));
      if (close < 0) return { spans, state: { in: 'string', mark: quote } };
      position = close + 1;
      pattern.lastIndex = position;
    } else if (document !== undefined && end !== undefined) {
      add(match.index);
      add(after, 'accent');
      state = { in: 'document', end };
    } else if (variable !== undefined || (word !== undefined && keywords.has(word))) {
      add(match.index);
      add(after, variable === undefined ? 'accent' : 'series2');
    }
  }
  add(line.length);
  return { spans, state };
}

/** Where a quotation ends that is open at `from`; -1 when not on this line. In double quotes a backslash protects. */
function closingQuote(line: string, mark: string, from: number): number {
  for (let index = from; index < line.length; index++) {
    if (mark === '"' && line[index] === '\\') index++;
    else if (line[index] === mark) return index;
  }
  return -1;
}

const stringSpans = (text: string, mark: string): readonly Span[] =>
  mark === '"' ? expandingSpans(text) : [{ text, role: 'good' }];

/** A text in which variables are replaced. */
const expandingSpans = (text: string): readonly Span[] =>
  text
    .split(/(\$(?:\{[^}]*\}|\w+))/)
    .map((part, index): Span => ({ text: part, role: index % 2 === 1 ? 'series2' : 'good' }))
    .filter(({ text }) => text !== '');

/** A comment, with the tags in it that ask for something: their names and the quoted words stand out. */
const commentSpans = (comment: string): readonly Span[] =>
  comment
    .split(/(<UDF\b[^>]*>)/i)
    .flatMap((part, index): readonly Span[] => (index % 2 === 1 ? tagSpans(part) : [{ text: part, role: 'dim' }]))
    .filter(({ text }) => text !== '');

const tagSpans = (tag: string): readonly Span[] =>
  tag.split(/("[^"]*")/).map((part, index): Span => ({ text: part, role: index % 2 === 1 ? 'good' : 'mark' }));
