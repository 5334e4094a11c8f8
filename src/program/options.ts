import { parseArgs } from 'node:util';
import { quoted, settingRules } from '../config/settingRules.ts';
import { faultNames } from '../demo/engine/faultNames.ts';
import { nearest } from '../text/nearest.ts';
import { UsageError } from './rules.ts';

const optionTypes = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  demo: { type: 'boolean' },
  'base-url': { type: 'string' },
  profile: { type: 'string' },
  config: { type: 'string' },
  'read-only': { type: 'boolean' },
  refresh: { type: 'string' },
  theme: { type: 'string' },
  colors: { type: 'string' },
  ascii: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  mouse: { type: 'boolean' },
  'screen-reader': { type: 'boolean' },
  'log-file': { type: 'string' },
  format: { type: 'string' },
  'fail-on': { type: 'string' },
  all: { type: 'boolean' },
  every: { type: 'string' },
  bell: { type: 'boolean' },
  notify: { type: 'boolean' },
  port: { type: 'string' },
  servers: { type: 'string' },
  latency: { type: 'string' },
  faults: { type: 'string' },
  seed: { type: 'string' },
} as const;

export type OptionName = keyof typeof optionTypes;
/** The options that were given, with their values. */
export type Given = Partial<Record<OptionName, string | true>>;

/** Every option, without its dashes. */
export const optionNames = Object.keys(optionTypes) as OptionName[];
const dashed = optionNames.map((name) => `--${name}`);

/** Reads a command line into options and words. Throws a UsageError for an unknown option, or a missing or surplus value. */
export function readTokens(argv: readonly string[]): { given: Given; words: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: optionTypes,
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
    given[name] = optionValue(name, token.value, token.inlineValue === true);
  }
  return { given, words };
}

function knownOption(name: string, raw: string): OptionName {
  const known = optionNames.find((option) => option === name);
  if (known) return known;
  if (name === 'token') {
    throw new UsageError(
      'A token is never an option, because every user of the machine could read it in the list of processes; set SKYDECK_TOKEN, or name its source in a profile.',
    );
  }
  const meant = raw.startsWith('--') ? nearest(raw, dashed) : undefined;
  const way = meant ? `; did you mean ${meant}?` : `. The options are ${dashed.join(', ')}.`;
  throw new UsageError(`There is no option ${quoted(raw).slice(1, -1)}${way}`);
}

function optionValue(name: OptionName, value: string | undefined, inline: boolean): string | true {
  if (optionTypes[name].type === 'boolean') {
    if (inline) throw new UsageError(`--${name} takes no value, so leave off ${quoted(value)}.`);
    return true;
  }
  if (value === undefined || value === '' || (!inline && value.startsWith('--'))) {
    throw new UsageError(`--${name} needs a value after it.`);
  }
  return value;
}

/** The text given for an option; undefined where it was left out. */
export function textOf(given: Given, name: OptionName): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

/** The seconds given for `--refresh`. Throws a UsageError with the rule. */
export function refreshOf(seconds: string): number {
  const value = Number(seconds);
  checked('refresh', Number.isNaN(value) ? seconds : value, settingRules.refresh);
  return value;
}

/** Returns a value that obeys the rule; throws a UsageError for any other. */
export function checked<T>(
  name: OptionName,
  value: T | undefined,
  rule: (value: T) => string | undefined,
): T | undefined {
  const wrong = value === undefined ? undefined : rule(value);
  if (wrong) throw new UsageError(`--${name} ${wrong}.`);
  return value;
}

/** The whole number given for an option, undefined where it was left out. Throws a UsageError outside of `min` to `max`. */
export function wholeNumber(given: Given, name: OptionName, min: number, max: number, what = 'a whole number') {
  const value = textOf(given, name);
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new UsageError(`--${name} must be ${what} from ${min} to ${max}; it is ${quoted(value)}.`);
}

/** The word given for an option, undefined where it was left out. Throws a UsageError for a word that is not allowed. */
export function oneOf<T extends string>(given: Given, name: OptionName, allowed: readonly T[]): T | undefined {
  const value = textOf(given, name);
  const found = allowed.find((candidate) => candidate === value);
  if (value === undefined || found) return found;
  const choice = allowed.length > 1 ? `one of ${allowed.join(', ')}` : allowed[0];
  throw new UsageError(`--${name} must be ${choice}; it is ${quoted(value)}.`);
}

/** One trimmed entry of `--faults`. Throws a UsageError for an unknown fault, or a share outside of 0 to 1. */
export function fault(entry: string): string {
  const [name = '', share, ...more] = entry.trim().split(':');
  const shareFits = share === undefined || (/^(0?\.\d+|[01](\.0+)?)$/.test(share) && more.length === 0);
  if (faultNames.some((known) => known === name) && shareFits) return entry.trim();
  throw new UsageError(
    `--faults must be a list with commas of ${faultNames.join(', ')}, each with a share from 0 to 1 if wanted (errors:0.2); ${quoted(entry)} is not.`,
  );
}
