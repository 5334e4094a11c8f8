import { typedSeconds } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { isRecordType, recordTypes } from './recordRules.ts';
import { fittingTimer } from './timers.ts';
import { asciiName, plainName } from './zoneLine.ts';

/** A place in a text, from line and column 1 on. */
export interface TextPlace {
  line: number;
  column: number;
}

/** A remark on a place of a text. */
export interface TextRemark extends TextPlace {
  says: string;
}

/** A word of a zone file as it was typed, its quotes left out. */
interface ZoneWord extends TextPlace {
  raw: string;
  isQuoted: boolean;
}

/** A record as a zone file has it; names are absolute, without the period at their end. */
export interface ZoneEntry {
  type: string;
  owner: string;
  /** The fields that records of its type have besides their names. */
  data: Readonly<Record<string, string>>;
  /** Seconds, as the API takes them; undefined for the default of the zone. */
  ttl: number | undefined;
  /** The same as the file has them. */
  told: number | undefined;
  /** The words that it was read from, by field; that of `name` is the first one of an entry that omits it. */
  at: Readonly<Record<string, TextPlace> & { name: TextPlace }>;
}

/** A zone file as it was read. */
export type ZoneText = ReturnType<typeof readZone>;

type Say = (at: TextPlace, says: string) => undefined;

/** The values of each type in their order (RFC 1035, 3.3; RFC 2782; RFC 8659, 4.1). */
const values: Readonly<Record<string, readonly string[]>> = {
  MX: ['priority', 'target'],
  SRV: ['priority', 'weight', 'port', 'target'],
  CAA: ['flags', 'tag', 'target'],
};

const soaValues = ['name server', 'mailbox', 'serial', 'refresh_sec', 'retry_sec', 'expire_sec', 'minimum'];

/** The words of each entry, which parentheses may spread over several lines. */
function entriesOf(text: string, say: Say): readonly (readonly ZoneWord[])[] {
  const pattern = /(\n)|;[^\n]*|([()])|("(?:[^"\\\n]|\\[^\n])*"?)|((?:[^\s;()"\\]|\\[^\n])+|\\)|[^\S\n]+/g;
  const entries: ZoneWord[][] = [[]];
  let [line, start] = [1, 0];
  let open: TextPlace | undefined;
  for (const found of text.replace(/^\ufeff/, '').matchAll(pattern)) {
    const [, newline, parenthesis, quoted, plain] = found;
    const at = { line, column: found.index - start + 1 };
    if (newline) {
      [line, start] = [line + 1, found.index + 1];
      if (!open) entries.push([]);
    } else if (parenthesis === '(') {
      if (open) say(at, 'there is a ( before it that is not closed yet.');
      open ??= at;
    } else if (parenthesis === ')') {
      if (!open) say(at, 'there is no ( before it.');
      open = undefined;
    } else if (quoted !== undefined) {
      const closed = /^"((?:[^"\\]|\\.)*)"$/s.exec(quoted);
      if (!closed) say(at, 'the quote is not closed; a text ends with " in the line in which it begins.');
      entries.at(-1)?.push({ raw: closed?.[1] ?? quoted.slice(1), isQuoted: true, ...at });
    } else if (plain !== undefined) entries.at(-1)?.push({ raw: plain, isQuoted: false, ...at });
  }
  if (open) say(open, 'the ( is not closed.');
  return entries.filter((words) => words.length > 0);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text that words stand for, joined; undefined after a complaint. */
function textIn(words: readonly ZoneWord[], say: Say): string | undefined {
  const bytes: number[] = [];
  for (const word of words) {
    for (const [, code, character, plain] of word.raw.matchAll(/\\(\d{3})|\\(\D)|([^\\]+)|\\/gs)) {
      if (code === undefined && character === undefined && plain === undefined)
        return say(word, 'a \\ stands before three digits or another character.');
      if (Number(code) > 255) return say(word, `\\${code} is no byte; \\000 to \\255 are.`);
      bytes.push(...(code === undefined ? encoder.encode(character ?? plain) : [Number(code)]));
    }
  }
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return words[0] && say(words[0], 'its bytes are no UTF-8 text, and the API holds no other.');
  }
}

/** An absolute name without the period at its end; undefined after a complaint. */
function nameIn(word: ZoneWord, origin: string | undefined, say: Say): string | undefined {
  const isWithin = word.isQuoted || word.raw !== '@';
  if (/\\(?:\.|046)/.test(word.raw)) return say(word, 'the API holds no name with a period within a label.');
  const text = isWithin ? textIn([word], say) : '';
  if (text === undefined) return undefined;
  const name = asciiName(text);
  if (isWithin && name.endsWith('.')) return name.slice(0, -1);
  if (origin === undefined)
    return say(word, `${word.raw} is relative, and no $ORIGIN says to what; a name in full ends with a period.`);
  return [name, origin].filter(Boolean).join('.');
}

/** The seconds of a TTL: `3600`, `1h`, `1d12h`; undefined for any other text. */
export function secondsIn(text: string): number | undefined {
  if (!/^(?:\d{1,10}[smhdw]?)+$/i.test(text)) return undefined;
  return (text.match(/\d+[a-z]?/gi) ?? []).reduce((sum, part) => sum + (typedSeconds(part) ?? 0), 0);
}

interface Reading {
  say: Say;
  note: Say;
  entries: ZoneEntry[];
  domain: Record<string, { value: string; at: ZoneWord }>;
  /** The name of the zone, where that is known before. */
  named: string | undefined;
  origin: string | undefined;
  firstOrigin?: string | undefined;
  /** That of the entry before; undefined where it was wrong. */
  owner?: string | undefined;
  hasOwner?: true;
  /** The name of the SOA record. */
  soa?: string;
  /** The TTL of entries that have none, unless it is that of the zone. */
  ttl?: number | undefined;
}

/** A timer as the API takes it. */
function timerIn({ say, note }: Reading, word: ZoneWord, way: 'up' | 'nearest'): number | undefined {
  const seconds = secondsIn(word.raw);
  if (seconds === undefined) return say(word, `${word.raw} is no time; seconds are, or 30m, 1h, 1d12h, 1w.`);
  const fitting = fittingTimer(seconds, way);
  if (fitting !== seconds) note(word, `the API holds no time of ${seconds} s; it becomes ${fitting} s.`);
  return fitting;
}

function readDirective(reading: Reading, [directive, value, surplus]: readonly ZoneWord[]): undefined {
  const { say, domain } = reading;
  if (!directive) return;
  const name = directive.raw.toUpperCase();
  if (name !== '$ORIGIN' && name !== '$TTL')
    return say(directive, `${name} is not read, only $ORIGIN and $TTL; write what it stands for in its place.`);
  if (!value || surplus) return say(surplus ?? directive, `${name} takes one value.`);
  if (name === '$ORIGIN') {
    reading.origin = nameIn(value, reading.origin, say) ?? reading.origin;
    reading.firstOrigin ??= reading.origin;
    return;
  }
  const seconds = timerIn(reading, value, 'up');
  if (seconds === undefined) return;
  domain.ttl_sec ??= { value: String(seconds), at: value };
  reading.ttl = String(seconds) === domain.ttl_sec.value ? undefined : seconds;
}

function readEntry(reading: Reading, words: readonly ZoneWord[]): undefined {
  const { say, domain, entries } = reading;
  const [first] = words;
  if (!first) return;
  const rest = [...words];
  if (first.column === 1) {
    reading.owner = nameIn(first, reading.origin, say);
    reading.hasOwner = true;
    rest.shift();
  } else if (!reading.hasOwner) return say(first, 'it omits its name, and there is no entry before it.');
  let ttlWord: ZoneWord | undefined;
  for (let [word] = rest; word && !word.isQuoted; [word] = rest) {
    if (/^(?:CH|HS|CS|ANY)$/i.test(word.raw)) return say(word, `the API holds no class ${word.raw}, only IN.`);
    const isTtl = ttlWord === undefined && secondsIn(word.raw) !== undefined;
    if (!isTtl && !/^IN$/i.test(word.raw)) break;
    if (isTtl) ttlWord = word;
    rest.shift();
  }
  const typeWord = rest.shift();
  if (!typeWord) return say(words.at(-1) ?? first, `a type is missing behind it: ${recordTypes.join(', ')}.`);
  const type = typeWord.raw.toUpperCase();
  if (type === 'SOA') return readSoa(reading, first, typeWord, rest);
  if (!isRecordType(type))
    return say(typeWord, `the API has no records of type ${typeWord.raw}, only ${recordTypes.join(', ')}.`);
  const own = ttlWord && timerIn(reading, ttlWord, 'nearest');
  // Without a `$TTL` the last one that was told goes on (RFC 1035, 5.1).
  if (ttlWord && !domain.ttl_sec) reading.ttl = own;
  const names = values[type] ?? ['target'];
  if (!hasValues(type, names, typeWord, rest, say) || reading.owner === undefined) return;
  const at: Record<string, ZoneWord> & { name: ZoneWord } = {
    name: first,
    type: typeWord,
    ...(ttlWord && { ttl_sec: ttlWord }),
  };
  const data: Record<string, string> = {};
  for (const [place, name] of names.entries()) {
    const word = rest[place] ?? first;
    const isName = name === 'target' && !isText(type);
    const value = isName ? nameIn(word, reading.origin, say) : textIn(type === 'TXT' ? rest : [word], say);
    if (value === undefined) return;
    at[name] = word;
    data[name] = name === 'tag' ? value.toLowerCase() : value;
  }
  const { flags = '0', ...fields } = data;
  if (flags !== '0') return say(at.flags ?? first, `the API keeps the flags of CAA records as 0, and not as ${flags}.`);
  entries.push({
    type,
    owner: reading.owner,
    data: fields,
    ttl: own ?? reading.ttl,
    told: ttlWord && secondsIn(ttlWord.raw),
    at,
  });
}

/** Whether the targets of a type are no names. */
export const isText = (type: string): boolean => ['A', 'AAAA', 'TXT', 'CAA'].includes(type);

/** Whether an entry has as many values as its type takes; complains where not. */
function hasValues(type: string, names: readonly string[], at: ZoneWord, rest: readonly ZoneWord[], say: Say): boolean {
  if (type === 'TXT' ? rest.length > 0 : rest.length === names.length) return true;
  const wanted = names.map((name) => (name === 'target' && type === 'TXT' ? 'text' : name.replace('_sec', '')));
  say(
    rest[names.length] ?? at,
    `${type} takes ${wanted.join(', ')} behind it; it has ${counted(rest.length, 'value')}.`,
  );
  return false;
}

/** Takes the parts of a SOA record that are those of the domain. */
function readSoa(reading: Reading, first: ZoneWord, typeWord: ZoneWord, words: readonly ZoneWord[]): undefined {
  const { say, note, named, origin, owner, domain } = reading;
  if (!hasValues('SOA', soaValues, typeWord, words, say) || owner === undefined) return;
  const name = owner.toLowerCase();
  if (named !== undefined && name !== named)
    return say(first, `it is the SOA record of ${name}, and the zone is ${named}.`);
  if (reading.soa !== undefined && reading.soa !== name)
    return say(first, `a file holds one zone, and this is the SOA record of ${name} after that of ${reading.soa}.`);
  // A transfer has it at its end once more (RFC 5936, 2.2).
  if (reading.soa !== undefined) return;
  reading.soa = name;
  const [server, mailbox] = words;
  if (!server || !mailbox) return;
  const [, local = '', host] = /^((?:\\.|[^.\\])+)(?:\.(.*))?$/s.exec(mailbox.raw) ?? [];
  const at = host ? nameIn({ ...mailbox, raw: host }, origin, say) : origin;
  const user = textIn([{ ...mailbox, raw: local }], say);
  if (at !== undefined && user !== undefined) domain.soa_email = { value: `${user}@${at}`, at: mailbox };
  for (const [place, field] of soaValues.entries()) {
    const word = words[place];
    const seconds = word && field.endsWith('_sec') ? timerIn(reading, word, 'up') : undefined;
    if (word && seconds !== undefined) domain[field] = { value: String(seconds), at: word };
  }
  if (server.raw !== '.')
    note(server, 'the name server, serial and minimum of the SOA record are those that the API keeps.');
}

/**
 * Reads a zone file (RFC 1035, 5). What the API cannot hold is a mistake, and what it keeps in its own way a note.
 * @param given the name of the zone, where that is known
 */
export function readZone(text: string, given?: string) {
  /** With one of them nothing is planned. */
  const mistakes: TextRemark[] = [];
  /** Parts that the API keeps in its own way. */
  const notes: TextRemark[] = [];
  const sayIn =
    (list: TextRemark[]): Say =>
    ({ line, column }, says) =>
      void list.push({ line, column, says });
  const named = given === undefined ? undefined : plainName(given);
  const reading: Reading = { say: sayIn(mistakes), note: sayIn(notes), entries: [], domain: {}, named, origin: named };
  for (const words of entriesOf(text, reading.say))
    (words[0]?.column === 1 && words[0].raw.startsWith('$') ? readDirective : readEntry)(reading, words);
  const { entries, domain, soa, firstOrigin } = reading;
  /** The name of the zone in lower case; undefined where nothing tells it. */
  const zone = named ?? soa ?? firstOrigin?.toLowerCase();
  if (zone === undefined && mistakes.length === 0)
    reading.say({ line: 1, column: 1 }, 'nothing names the zone: neither $ORIGIN nor a SOA record.');
  return {
    zone,
    entries,
    /** The fields of the domain that its SOA record and first `$TTL` tell, with the words that do. */
    domain,
    mistakes,
    notes,
  };
}
