import { parseArgs } from 'node:util';
import { resourceCalled, resources } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';
import { nearest, orSuggestion } from './nearest.ts';
import { quoted, rules, UsageError } from './rules.ts';

/** Where to open: an area (`home` or the name of a resource) and one of its rows. */
export interface Place {
  area: string;
  id?: string;
}

const formats = ['text', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Options that stand above the environment and the configuration. */
export interface Options {
  demo: boolean;
  /** Everything before the version in the paths. */
  baseUrl?: string;
  profile?: string;
  config?: string;
  readOnly: boolean;
  refreshSeconds?: number;
  theme?: string;
  ascii: boolean;
  noColor: boolean;
  logFile?: string;
}

/** How the demo API behaves. */
export interface DemoFlags {
  servers?: number;
  latencyMs?: number;
  faults?: readonly string[];
  seed?: number;
}

export type Command = 'dashboard' | 'snapshot' | 'doctor' | 'demo-api' | 'help' | 'version';

/** What was asked for on the command line. */
export interface Invocation {
  command: Command;
  place?: Place;
  options: Options;
  demo: DemoFlags;
  /** Of `snapshot`. */
  format: Format;
  /** Of `snapshot`: problems are exit code 1. */
  failOnProblem: boolean;
  /** Of `demo-api`; 0 takes a free one. */
  port: number;
}

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
  ascii: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  'log-file': { type: 'string' },
  format: { type: 'string' },
  'fail-on': { type: 'string' },
  port: { type: 'string' },
  servers: { type: 'string' },
  latency: { type: 'string' },
  faults: { type: 'string' },
  seed: { type: 'string' },
} as const;

type OptionName = keyof typeof optionTypes;
type Given = Partial<Record<OptionName, string | true>>;

const optionNames = Object.keys(optionTypes) as OptionName[];
const dashed = optionNames.map((name) => `--${name}`);
const subcommands = ['snapshot', 'doctor', 'demo-api'] as const;
const faultNames = ['errors', 'limits', 'drops', 'garbage', 'hangs'];
const demoOnly: readonly OptionName[] = ['servers', 'latency', 'faults', 'seed'];

/**
 * Reads the command line (without the program's own name).
 * Throws a UsageError whose message names what is wrong and what is allowed.
 */
export function parseArguments(argv: readonly string[]): Invocation {
  const { given, words } = readTokens(argv);
  if (given.help) return invocation('help', given);
  if (given.version) return invocation('version', given);
  const [first] = words;
  const subcommand = subcommands.find((name) => name === first);
  const rest = subcommand ? words.slice(1) : words;
  const command = subcommand ?? 'dashboard';
  checkTogether(command, given);
  const [word, surplus] = rest;
  if (word !== undefined && (command === 'doctor' || command === 'demo-api')) {
    throw new UsageError(`skydeck ${command} takes no area, so ${quoted(word)} has no meaning there.`);
  }
  if (surplus !== undefined) throw new UsageError(`One area can be opened, so ${quoted(surplus)} is one too many.`);
  return { ...invocation(command, given), place: word === undefined ? undefined : placeOf(word) };
}

function readTokens(argv: readonly string[]): { given: Given; words: string[] } {
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
      'A token is never an option, because every user of the machine could read it in the list of processes; set SKYDECK_TOKEN, or name a source of it in a profile.',
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

/** Options that have no meaning with this command or beside each other are mistakes, never ignored. */
function checkTogether(command: Command, given: Given): void {
  const only = (names: readonly OptionName[], fits: boolean, where: string) => {
    const misplaced = names.find((name) => given[name] !== undefined);
    if (misplaced && !fits) throw new UsageError(`--${misplaced} only has a meaning with ${where}.`);
  };
  only(['format', 'fail-on'], command === 'snapshot', 'skydeck snapshot');
  only(['port'], command === 'demo-api', 'skydeck demo-api');
  only(demoOnly, command === 'demo-api' || given.demo === true, '--demo or skydeck demo-api');
  if (command === 'demo-api') {
    const allowed: readonly OptionName[] = ['port', ...demoOnly];
    const surplus = optionNames.find((name) => given[name] !== undefined && !allowed.includes(name));
    if (surplus) {
      throw new UsageError(
        `skydeck demo-api takes no --${surplus}; its options are ${allowed.map((name) => `--${name}`).join(', ')}.`,
      );
    }
  }
  const clash = (['base-url', 'profile', 'config'] as const).find((name) => given[name] !== undefined);
  if (given.demo && clash) {
    throw new UsageError(`--demo brings its own API and needs no --${clash}; leave out one of the two.`);
  }
}

function invocation(command: Command, given: Given): Invocation {
  const seconds = textOf(given, 'refresh');
  return {
    command,
    options: {
      demo: given.demo === true,
      baseUrl: checked('base-url', textOf(given, 'base-url'), rules.baseUrl),
      profile: textOf(given, 'profile'),
      config: textOf(given, 'config'),
      readOnly: given['read-only'] === true,
      refreshSeconds: seconds === undefined ? undefined : refreshOf(seconds),
      theme: checked('theme', textOf(given, 'theme'), rules.theme),
      ascii: given.ascii === true,
      noColor: given['no-color'] === true,
      logFile: textOf(given, 'log-file'),
    },
    demo: {
      servers: wholeNumber(given, 'servers', 0, 20_000),
      latencyMs: wholeNumber(given, 'latency', 0, 60_000, 'a whole number of milliseconds'),
      faults: textOf(given, 'faults')?.split(',').map(fault),
      seed: wholeNumber(given, 'seed', 0, 4_294_967_295),
    },
    format: oneOf(given, 'format', formats) ?? 'text',
    failOnProblem: oneOf(given, 'fail-on', ['problem']) === 'problem',
    port: wholeNumber(given, 'port', 0, 65_535) ?? 4010,
  };
}

function textOf(given: Given, name: OptionName): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

function refreshOf(seconds: string): number {
  const value = Number(seconds);
  checked('refresh', Number.isNaN(value) ? seconds : value, rules.refresh);
  return value;
}

function checked<T>(name: OptionName, value: T | undefined, rule: (value: T) => string | undefined): T | undefined {
  const wrong = value === undefined ? undefined : rule(value);
  if (wrong) throw new UsageError(`--${name} ${wrong}.`);
  return value;
}

function wholeNumber(given: Given, name: OptionName, min: number, max: number, what = 'a whole number') {
  const value = textOf(given, name);
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new UsageError(`--${name} must be ${what} from ${min} to ${max}; it is ${quoted(value)}.`);
}

function oneOf<T extends string>(given: Given, name: OptionName, allowed: readonly T[]): T | undefined {
  const value = textOf(given, name);
  const found = allowed.find((candidate) => candidate === value);
  if (value === undefined || found) return found;
  const choice = allowed.length > 1 ? `one of ${allowed.join(', ')}` : allowed[0];
  throw new UsageError(`--${name} must be ${choice}; it is ${quoted(value)}.`);
}

function fault(entry: string): string {
  const [name = '', share, ...more] = entry.trim().split(':');
  const shareFits = share === undefined || (/^(0?\.\d+|[01](\.0+)?)$/.test(share) && more.length === 0);
  if (faultNames.includes(name) && shareFits) return entry.trim();
  throw new UsageError(
    `--faults must be a list with commas of ${faultNames.join(', ')}, each with a share from 0 to 1 if wanted (errors:0.2); ${quoted(entry)} is not.`,
  );
}

/** Resources that can be opened by themselves: those that lie under another one need its row first. */
export const areas: readonly Resource[] = resources.filter(({ under, list, view }) => !under && (list ?? view));

function placeOf(text: string): Place {
  const slash = text.indexOf('/');
  const word = slash < 0 ? text : text.slice(0, slash);
  const id = slash < 0 ? undefined : text.slice(slash + 1);
  if (id === '')
    throw new UsageError(`${quoted(text)} ends where an id should follow; leave off the / to open the area.`);
  if (word.toLowerCase() === 'home') {
    if (id !== undefined) throw new UsageError('home has no rows, so nothing can follow it.');
    return { area: 'home' };
  }
  const called = areas.find((area) => resourceCalled(word) === area) ?? nested(word);
  const isOneOfMany = called.list !== undefined && (!called.view || called.view.path.includes(`{${called.param}}`));
  if (id !== undefined && !isOneOfMany) {
    throw new UsageError(`${called.many} cannot be opened one by one; open ${called.name} instead.`);
  }
  return { area: called.name, id };
}

/** No area has this name; says what it is instead. */
function nested(word: string): never {
  const called = resourceCalled(word);
  const parent = called?.under;
  if (called && parent) {
    throw new UsageError(`${called.many} lie under another resource; open ${parent} and go on from there.`);
  }
  const names = ['home', ...areas.map(({ name }) => name)];
  const candidates = [...subcommands, ...names, ...areas.flatMap(({ one, aliases = [] }) => [one, ...aliases])];
  throw new UsageError(
    `There is no area or command ${quoted(word)}${orSuggestion(word.toLowerCase(), candidates)} The areas are ${names.join(', ')}.`,
  );
}
