import { parseArgs } from 'node:util';
import { quoted } from '../../config/settingRules.ts';
import { orSuggestions } from '../../text/nearest.ts';
import { UsageError } from '../rules.ts';
import type { dnsTopics, planTopics } from './commands.ts';
import { type Given, type OptionName, type Options, optionNamed, optionNames } from './options.ts';

const dashed = optionNames.map((name) => `--${name}`);

/** Reads a command line into options and words. Throws a UsageError for an unknown option, or a missing or surplus value. */
export function readTokens(argv: readonly string[]): { given: Given; words: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      optionNames.map((name) => {
        const { short, value } = optionNamed(name);
        return [name, { type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) }];
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Given = {};
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const name = knownOption(token.name, token.rawName);
    const value = givenValue(name, token.value, token.inlineValue === true);
    const before = optionNamed(name).isList ? given[name] : undefined;
    given[name] = before === undefined ? value : `${before},${value}`;
  }
  return { given, words };
}

function knownOption(name: string, raw: string): OptionName {
  const known = optionNames.find((option) => option === name || optionNamed(option).alias === name);
  if (known) return known;
  if (name === 'token') {
    throw new UsageError(
      'A token is never an option, because every user of the machine could read it in the list of processes; set SKYDECK_TOKEN, or name its source in a profile.',
    );
  }
  const like = raw.startsWith('--') ? orSuggestions(raw.slice(2), optionNames, '--') : '.';
  const way = like === '.' ? `. The options are ${dashed.join(', ')}.` : like;
  throw new UsageError(`There is no option ${quoted(raw).slice(1, -1)}${way}`);
}

function givenValue(name: OptionName, value: string | undefined, inline: boolean): string | true {
  if (!optionNamed(name).value) {
    if (inline) throw new UsageError(`--${name} takes no value, so leave off ${quoted(value)}.`);
    return true;
  }
  if (value === undefined || value === '' || (!inline && value.startsWith('--')))
    throw new UsageError(`--${name} needs a value after it.`);
  return value;
}

/** The values of what was given. Throws a UsageError for one that is not allowed. */
export const valuesOf = (given: Given): Options =>
  Object.fromEntries(
    optionNames.flatMap((name) => {
      const text = given[name];
      if (text === undefined) return [];
      const key = name.replace(/-./g, ([, letter = '']) => letter.toUpperCase());
      return [[key, text === true ? true : optionNamed(name).value?.read(text, `--${name}`)]];
    }),
  );

/** The words behind `plan`. */
export interface PlanFlags {
  topic: (typeof planTopics)[number];
  /** Empty with `schema`. */
  file: string;
}

/** Reads the words behind a use of plans. Throws a UsageError. */
export function planWords(topic: PlanFlags['topic'], words: readonly string[]): PlanFlags {
  const [file, ...surplus] = topic === 'schema' ? ['', ...words] : words;
  if (file === undefined) throw new UsageError(`skydeck plan ${topic} needs the file of a plan after it.`);
  refuseSurplus(`plan ${topic}`, surplus[0]);
  return { topic, file };
}

/** Throws a UsageError for a word too many. */
export function refuseSurplus(command: string, word: string | undefined): void {
  if (word !== undefined) throw new UsageError(`skydeck ${command} needs no ${quoted(word)}; leave it out.`);
}

/** The options that make sense where no account is asked. */
const ofPrinting: readonly OptionName[] = ['format', 'ascii', 'no-color'];

/** Throws a UsageError for an option that does not fit a use of plans. */
export function checkPlan(topic: PlanFlags['topic'], given: Given): void {
  const used = optionNames.filter((name) => given[name] !== undefined);
  const surplus = used.find((name) => (topic === 'apply' ? name === 'format' : !ofPrinting.includes(name)));
  if (surplus) throw new UsageError(`skydeck plan ${topic} takes no --${surplus}, so leave it out.`);
  if (given['dry-run'] && given.confirm !== undefined)
    throw new UsageError('--dry-run carries nothing out, so leave out --confirm.');
}

/** The words behind `dns`. */
export interface DnsFlags {
  topic: (typeof dnsTopics)[number];
  /** Zones with `export`, else files. */
  words: readonly string[];
}

/** Reads the words behind a use of zones. Throws a UsageError. */
export function dnsWords(topic: DnsFlags['topic'], words: readonly string[]): DnsFlags {
  if (words.length > 0) return { topic, words };
  throw new UsageError(`skydeck dns ${topic} needs ${topic === 'export' ? 'a zone' : 'a zone file'} after it.`);
}
