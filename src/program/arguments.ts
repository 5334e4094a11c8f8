import { quoted, settingRules } from '../config/settingRules.ts';
import { type BoardName, boardNames } from '../screens/watch/boardNames.ts';
import { isGradual } from '../store/reading.ts';
import { orSuggestion } from '../text/nearest.ts';
import { type AreaTarget, areas, parseTarget, snapshotBoards, subcommands } from './areas.ts';
import {
  checked,
  fault,
  type Given,
  type OptionName,
  oneOf,
  optionNames,
  readTokens,
  refreshOf,
  textOf,
  wholeNumber,
} from './options.ts';
import { UsageError } from './rules.ts';

const formats = ['text', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Options that override the environment and the configuration. */
export interface Options {
  demo: boolean;
  /** The address before the version in the paths. */
  baseUrl?: string;
  profile?: string;
  config?: string;
  readOnly: boolean;
  refreshSeconds?: number;
  theme?: string;
  colors?: string;
  ascii: boolean;
  noColor: boolean;
  mouse: boolean;
  screenReader: boolean;
  logFile?: string;
}

/** The behaviour of the demo API. */
export interface DemoFlags {
  servers?: number;
  latencyMs?: number;
  faults?: readonly string[];
  seed?: number;
}

/** The options of `watch`. */
export interface WatchFlags {
  /** The boards to show, in this order; by default all that have something to show. */
  boards?: readonly BoardName[];
  /** Seconds for each board. */
  everySeconds: number;
  /** Ring the bell for a new critical problem. */
  bell: boolean;
  /** Show a desktop notification for one. */
  notify: boolean;
}

export type Command = 'dashboard' | 'watch' | 'snapshot' | 'doctor' | 'demo-api' | 'help' | 'version';

/** The parsed command line. */
export interface Invocation {
  command: Command;
  target?: AreaTarget;
  options: Options;
  demo: DemoFlags;
  /** Of `snapshot`. */
  format: Format;
  /** Of `snapshot`: exit with code 1 for a critical problem, or (`problem`) for a warning, too. */
  failOn?: 'problem' | 'critical';
  /** Of `snapshot`: read long catalogues whole. */
  all: boolean;
  watch: WatchFlags;
  /** Of `demo-api`; 0 takes a free port. */
  port: number;
}

const demoOnly: readonly OptionName[] = ['servers', 'latency', 'faults', 'seed'];

/**
 * Parses the command line (without the program's own name).
 * Throws a UsageError that names the mistake and the allowed values.
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
  if (command === 'watch') return invocation(command, given, rest.map(boardCalled));
  const [word, surplus] = rest;
  if (word !== undefined && (command === 'doctor' || command === 'demo-api')) {
    throw new UsageError(`skydeck ${command} takes no area; leave out ${quoted(word)}.`);
  }
  if (surplus !== undefined) throw new UsageError(`Only one area can be opened; leave out ${quoted(surplus)}.`);
  const boards = command === 'snapshot' ? snapshotBoards : undefined;
  const target = word === undefined ? undefined : parseTarget(word, boards);
  if (given.all) checkLong(target);
  return { ...invocation(command, given), target };
}

function checkLong(target: AreaTarget | undefined): void {
  const long = areas.filter(({ list }) => list && isGradual(list)).map(({ name }) => name);
  if (target?.id === undefined && long.some((name) => name === target?.area)) return;
  throw new UsageError(
    `--all works only with skydeck snapshot ${long.join(' or ')}; other areas are read whole anyway.`,
  );
}

/** The board of this name. Throws a UsageError that names the boards. */
function boardCalled(word: string): BoardName {
  const board = boardNames.find((name) => name === word.toLowerCase());
  if (board) return board;
  throw new UsageError(
    `There is no board ${quoted(word)}${orSuggestion(word.toLowerCase(), boardNames)} The boards are ${boardNames.join(', ')}.`,
  );
}

/** An option that does not fit the command or another option is a mistake, never ignored. */
function checkTogether(command: Command, given: Given): void {
  const only = (names: readonly OptionName[], fits: boolean, where: string) => {
    const misplaced = names.find((name) => given[name] !== undefined);
    if (misplaced && !fits) throw new UsageError(`--${misplaced} works only with ${where}.`);
  };
  only(['format', 'fail-on', 'all'], command === 'snapshot', 'skydeck snapshot');
  only(
    ['refresh', 'theme', 'colors'],
    command !== 'snapshot',
    'a full screen; a snapshot is taken once and without colours',
  );
  only(['mouse', 'screen-reader'], command !== 'snapshot', 'a full screen');
  only(['ascii'], (textOf(given, 'format') ?? 'text') === 'text', '--format text');
  only(['every', 'bell', 'notify'], command === 'watch', 'skydeck watch');
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

function invocation(command: Command, given: Given, chosen: readonly BoardName[] = []): Invocation {
  const seconds = textOf(given, 'refresh');
  return {
    command,
    options: {
      demo: given.demo === true,
      baseUrl: checked('base-url', textOf(given, 'base-url'), settingRules.baseUrl),
      profile: textOf(given, 'profile'),
      config: textOf(given, 'config'),
      readOnly: given['read-only'] === true,
      refreshSeconds: seconds === undefined ? undefined : refreshOf(seconds),
      theme: checked('theme', textOf(given, 'theme'), settingRules.theme),
      colors: checked('colors', textOf(given, 'colors'), settingRules.colors),
      ascii: given.ascii === true,
      noColor: given['no-color'] === true,
      mouse: given.mouse === true,
      screenReader: given['screen-reader'] === true,
      logFile: textOf(given, 'log-file'),
    },
    demo: {
      servers: wholeNumber(given, 'servers', 0, 20_000),
      latencyMs: wholeNumber(given, 'latency', 0, 60_000, 'a whole number of milliseconds'),
      faults: textOf(given, 'faults')?.split(',').map(fault),
      seed: wholeNumber(given, 'seed', 0, 4_294_967_295),
    },
    format: oneOf(given, 'format', formats) ?? 'text',
    failOn: oneOf(given, 'fail-on', ['problem', 'critical']),
    all: given.all === true,
    watch: {
      boards: chosen.length > 0 ? chosen : undefined,
      everySeconds: wholeNumber(given, 'every', 3, 3600, 'a whole number of seconds') ?? 20,
      bell: given.bell === true,
      notify: given.notify === true,
    },
    port: wholeNumber(given, 'port', 0, 65_535) ?? 4010,
  };
}
