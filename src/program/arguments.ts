import { quoted } from '../config/settingRules.ts';
import { boardNames } from '../screens/watch/boardNames.ts';
import { isGradual } from '../store/reading.ts';
import { orSuggestion } from '../text/nearest.ts';
import { type AreaTarget, areas, parseTarget } from './areas.ts';
import {
  type CommandName,
  cacheTopics,
  commandNamed,
  commands,
  configTopics,
  planTopics,
  shells,
  snapshotBoards,
} from './commandLine/commands.ts';
import { type Given, groupOf, type OptionName, optionNamed, optionNames, optionsOf } from './commandLine/options.ts';
import { readTokens, valuesOf } from './commandLine/readOptions.ts';
import { type ApplyFlags, applyFlags, checkPlan, type PlanFlags, planWords } from './plans/planWords.ts';
import { UnknownWordError, UsageError } from './rules.ts';

export type Format = 'text' | 'json' | 'csv';

/** A server to log in to, and a command to run there in place of a shell. */
export interface SshOptions {
  server: string;
  command: readonly string[];
}

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
  /** Lists are neither shown from before nor kept for the next start. */
  noCache: boolean;
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
  /** The boards and views to show, in this order; by default all that have something to show. */
  boards?: readonly string[];
  /** Seconds for each board. */
  everySeconds: number;
  /** Ring the bell for a new critical problem. */
  bell: boolean;
  /** Show a desktop notification for one. */
  notify: boolean;
  /** Print a line for each transition instead of drawing boards. */
  jsonl: boolean;
}

export type CommandWord = CommandName | 'help' | 'version';

/** The parsed command line. */
export interface Invocation {
  /** Why words mean nothing where they are no views, which only the configuration tells. */
  unknown?: ReadonlyMap<string, UnknownWordError>;
  command: CommandWord;
  target?: AreaTarget;
  options: Options;
  demo: DemoFlags;
  /** Of `snapshot`. */
  format: Format;
  /** Of `snapshot servers`: as ssh's own configuration has them. */
  sshConfig: boolean;
  /** Of `snapshot`: exit with code 1 for a critical problem, or (`problem`) for a warning, too. */
  failOn?: 'problem' | 'critical';
  /** Of `snapshot`: read long catalogues whole. */
  all: boolean;
  watch: WatchFlags;
  /** Of `demo-api`; 0 takes a free port. */
  port: number;
  /** Of `config`, and the file that is checked instead of it. */
  topic?: (typeof configTopics)[number];
  file?: string;
  /** Of `cache`: what is kept is removed, not only listed. */
  clears?: boolean;
  /** Of `ssh`. */
  login?: SshOptions;
  plan?: PlanFlags;
  apply: ApplyFlags;
  /** Of `completion`. */
  shell?: (typeof shells)[number];
  /** Of `complete`: the words that were typed; the last is to be completed. */
  typed?: readonly string[];
}

/**
 * Parses the command line (without the program's own name).
 * Throws a UsageError that names the mistake and the allowed values.
 * @param views words that are taken for views of the configuration
 */
export function parseArguments(argv: readonly string[], views: readonly string[] = []): Invocation {
  // A line that is to be completed is not finished, so it is not checked.
  if (argv[0] === 'complete' && argv[1] === '--') return { ...invocation('complete', {}), typed: argv.slice(2) };
  const { given, words } = readTokens(argv);
  if (given.help) return invocation('help', given);
  if (given.version) return invocation('version', given);
  const [first] = words;
  const command = isCommand(first) ? first : 'dashboard';
  checkTogether(command, given);
  const read = wordReaders[command](command === 'dashboard' ? words : words.slice(1), command, views);
  if (given.all) checkLong(read.target);
  if (given.format === 'ssh-config' && (read.target?.area !== 'servers' || read.target.id !== undefined))
    throw new UsageError('--format ssh-config works only with skydeck snapshot servers.');
  if (read.plan) checkPlan(read.plan.topic, given);
  const { boards } = read;
  if (given.jsonl && boards) throw new UsageError('--jsonl shows no board, so leave out its name.');
  const found = invocation(command, given);
  return { ...found, ...read, watch: { ...found.watch, boards } };
}

const isCommand = (word: string | undefined): word is Exclude<CommandName, 'dashboard' | 'complete'> =>
  word !== undefined && word !== 'dashboard' && word !== 'complete' && Object.hasOwn(commands, word);

/** The meaning of the words behind a command. */
type Words = Pick<Invocation, 'target' | 'topic' | 'file' | 'clears' | 'shell' | 'login' | 'plan'> &
  Pick<WatchFlags, 'boards'>;

/** The readers of the words behind each command. They throw a UsageError. */
const wordReaders: Record<CommandName, (words: readonly string[], command: string, views: readonly string[]) => Words> =
  {
    dashboard: (words, _, views) => ({ target: targetIn(words, views) }),
    snapshot: (words, _, views) => ({ target: targetIn(words, views, snapshotBoards) }),
    watch: (words, _, views) => ({
      boards: words.length > 0 ? words.map((word) => boardCalled(word, views)) : undefined,
    }),
    doctor: none,
    'demo-api': none,
    complete: none,
    config: ([word, file, ...surplus]) => {
      const topic = wordOf('config', word, configTopics);
      const [tooMany] = topic === 'check' ? surplus : [file, ...surplus];
      if (tooMany !== undefined)
        throw new UsageError(`skydeck config ${topic} needs no ${quoted(tooMany)}; leave it out.`);
      return { topic, file };
    },
    cache: ([word, surplus]) => {
      if (surplus !== undefined) throw new UsageError(`skydeck cache needs no ${quoted(surplus)}; leave it out.`);
      return { clears: word === undefined ? false : wordOf('cache', word, cacheTopics) === 'clear' };
    },
    ssh: ([server, ...command]) => {
      if (server === undefined)
        throw new UsageError('skydeck ssh needs the label, id or address of a server after it.');
      return { login: { server, command } };
    },
    plan: ([word, ...words]) => ({ plan: planWords(wordOf('plan', word, planTopics), words) }),
    completion: ([word, surplus]) => {
      const shell = wordOf('completion', word, shells);
      if (surplus !== undefined) throw new UsageError(`Only one shell can be named; leave out ${quoted(surplus)}.`);
      return { shell };
    },
  };

function none([word]: readonly string[], command: string): Words {
  if (word !== undefined) throw new UsageError(`skydeck ${command} takes no area; leave out ${quoted(word)}.`);
  return {};
}

function targetIn(
  [word, surplus]: readonly string[],
  views: readonly string[],
  boards?: readonly string[],
): AreaTarget | undefined {
  if (surplus !== undefined) throw new UsageError(`Only one area can be opened; leave out ${quoted(surplus)}.`);
  return word === undefined ? undefined : parseTarget(word, boards, views);
}

/** The word behind a command. Throws a UsageError that names those that there are. */
function wordOf<T extends string>(command: CommandName, word: string | undefined, words: readonly T[]): T {
  const found = words.find((one) => one === word);
  if (found) return found;
  const which = words.join(', ');
  if (word === undefined) throw new UsageError(`skydeck ${command} needs a word after it: ${which}.`);
  throw new UsageError(
    `skydeck ${command} does not know ${quoted(word)}${orSuggestion(word, words)} It knows ${which}.`,
  );
}

function checkLong(target: AreaTarget | undefined): void {
  const long = areas.filter(({ list }) => list && isGradual(list)).map(({ name }) => name);
  if (target?.id === undefined && long.some((name) => name === target?.area)) return;
  throw new UsageError(
    `--all works only with skydeck snapshot ${long.join(' or ')}; other areas are read whole anyway.`,
  );
}

/** The board of this name. Throws a UsageError that names the boards. */
function boardCalled(word: string, views: readonly string[]): string {
  if (views.includes(word)) return word;
  const board = boardNames.find((name) => name === word.toLowerCase());
  if (board) return board;
  throw new UnknownWordError(
    word,
    `There is no board ${quoted(word)}${orSuggestion(word.toLowerCase(), boardNames)} The boards are ${boardNames.join(', ')}.`,
  );
}

/** An option that does not fit the command or another option is a mistake, never ignored. */
function checkTogether(command: CommandName, given: Given): void {
  const used = optionNames.filter((name) => given[name] !== undefined);
  const { options: allowed } = commandNamed(command);
  const misplaced = allowed
    ? undefined
    : used.find((name) => !optionsOf(command).includes(name) || (isOfDemo(name) && !given.demo));
  if (misplaced)
    throw new UsageError(`--${misplaced} works only with ${optionNamed(misplaced).only ?? groupOf(misplaced).only}.`);
  if (given.ascii && given.format !== undefined && given.format !== 'text')
    throw new UsageError('--ascii works only with --format text.');
  const surplus = allowed && used.find((name) => !allowed.includes(name));
  if (surplus) {
    const its = allowed.length > 0 ? `; its options are ${allowed.map((name) => `--${name}`).join(', ')}` : '';
    throw new UsageError(`skydeck ${command} takes no --${surplus}${its}.`);
  }
  const drawn = given.jsonl ? (['every', 'bell', 'notify', 'theme', 'colors', 'mouse', 'screen-reader'] as const) : [];
  const undrawn = drawn.find((name) => given[name] !== undefined);
  if (undrawn) throw new UsageError(`--jsonl draws nothing, so leave out --${undrawn}.`);
  const clash = (['base-url', 'profile', 'config'] as const).find((name) => given[name] !== undefined);
  if (given.demo && clash) {
    throw new UsageError(`--demo brings its own API and needs no --${clash}; leave out one of the two.`);
  }
}

const isOfDemo = (name: OptionName): boolean => optionNamed(name).group === 'demo';

function invocation(command: CommandWord, given: Given): Invocation {
  const value = valuesOf(given);
  return {
    command,
    options: {
      demo: value.demo === true,
      baseUrl: value['base-url'],
      profile: value.profile,
      config: value.config,
      readOnly: value['read-only'] === true,
      refreshSeconds: value.refresh,
      theme: value.theme,
      colors: value.colors,
      ascii: value.ascii === true,
      noColor: value['no-color'] === true,
      mouse: value.mouse === true,
      screenReader: value['screen-reader'] === true,
      logFile: value['log-file'],
      noCache: value['no-cache'] === true,
    },
    demo: { servers: value.servers, latencyMs: value.latency, faults: value.faults, seed: value.seed },
    format: value.format === 'ssh-config' ? 'text' : (value.format ?? 'text'),
    sshConfig: value.format === 'ssh-config',
    failOn: value['fail-on'],
    all: value.all === true,
    watch: {
      everySeconds: value.every ?? 20,
      bell: value.bell === true,
      notify: value.notify === true,
      jsonl: value.jsonl === true,
    },
    apply: applyFlags(value),
    port: value.port ?? 4010,
  };
}
