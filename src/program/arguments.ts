import { quoted } from '../config/settingRules.ts';
import { boardNames } from '../screens/watch/boardNames.ts';
import { type CodeFormatName, formatRows, isCodeFormat } from '../store/export/formatNames.ts';
import { isGradual } from '../store/reading.ts';
import { orSuggestions } from '../text/nearest.ts';
import { listed } from '../text/words.ts';
import { type AreaTarget, areas, parseTarget } from './areas.ts';
import {
  boardParts,
  type CommandName,
  cacheTopics,
  commandNamed,
  commandNames,
  commands,
  configTopics,
  dnsTopics,
  formatsOf,
  planTopics,
  shells,
  snapshotBoards,
} from './commandLine/commands.ts';
import { type Given, groupOf, type OptionName, optionNamed, optionNames, optionsOf } from './commandLine/options.ts';
import { checkPlan, dnsWords, planWords, readTokens, refuseSurplus, valuesOf } from './commandLine/readWords.ts';
import type { Invocation } from './invocation.ts';
import { UnknownWordError, UsageError } from './rules.ts';

/**
 * Parses the command line (without the program's own name).
 * Throws a UsageError that names the mistake and the allowed values.
 * @param views words that are taken for views of the configuration
 */
export function parseArguments(argv: readonly string[], views: readonly string[] = []): Invocation {
  // A line that is to be completed is not finished, so it is not checked.
  if (argv[0] === 'complete' && argv[1] === '--') return { ...invocation('complete', {}), typed: argv.slice(2) };
  const { given, words } = readTokens(argv);
  if (given.version) return invocation('version', given);
  const [first] = words;
  // `dns` is an area as well, where no use of it follows.
  const isArea = first === 'dns' && words.length === 1 && !given.help;
  const command = isCommand(first) && !isArea ? first : 'dashboard';
  if (given.help) return { ...invocation('help', given), helpOf: command === 'dashboard' ? undefined : command };
  checkTogether(command, given);
  const read = wordReaders[command](command === 'dashboard' ? words : words.slice(1), command, views);
  if (given.all) checkLong(read.target);
  checkFormat(command, given.format);
  if (command === 'export') checkExport(given, read.target);
  if (command === 'snapshot') checkSnapshot(given, read.target);
  if (read.topic) checkConfig(read.topic, given);
  if (read.plan) checkPlan(read.plan.topic, given);
  if (given.jsonl && read.boards) throw new UsageError('--jsonl shows no board, so leave out its name.');
  const found = invocation(command, given);
  const rowsOf = found.code && formatRows[found.code];
  if (rowsOf !== undefined) read.target ??= { area: rowsOf };
  return { ...found, ...read };
}

const isCommand = (word: string | undefined): word is Exclude<CommandName, 'dashboard' | 'complete'> =>
  word !== undefined && word !== 'dashboard' && word !== 'complete' && Object.hasOwn(commands, word);

const givenOf = (given: Given, names: readonly OptionName[]) => names.filter((name) => given[name] !== undefined);

/** Throws a UsageError for an option that a use of the configuration leaves without a meaning. */
function checkConfig(topic: NonNullable<Invocation['topic']>, given: Given): void {
  const fits = (name: OptionName) => name === 'config' || topic === 'show' || (topic === 'check' && name === 'json');
  const surplus = givenOf(given, optionNames).find((name) => !fits(name));
  if (surplus) throw new UsageError(`skydeck config ${topic} takes no --${surplus}, so leave it out.`);
}

/** Throws a UsageError for an option of snapshots that the others, or what is printed, leave without a meaning. */
function checkSnapshot(given: Given, { area, id, view }: AreaTarget = { area: 'home' }): void {
  const { format, columns, watch } = given;
  const own = givenOf(given, ['filter', 'since', 'sort', 'section', 'limit', 'columns']);
  const parts = boardParts[area];
  const fits = (name: OptionName) =>
    id === undefined && (!parts || name === 'section' || (name === 'since' && area === 'journal'));
  const unfit = own.find((name) => !fits(name));
  if (unfit && view === undefined)
    throw new UsageError(
      `--${unfit} works only with a list, such as skydeck snapshot servers; ${id === undefined ? `${area} has parts, of which --section prints one: ${parts?.join(', ')}` : `${area}/${id} is one row`}.`,
    );
  if (columns !== undefined && (area === 'problems' || area === 'accounts'))
    throw new UsageError(`--columns works only with lists of rows, and ${area} are none; --filter and --sort fit.`);
  if (columns !== undefined && (format === 'json' || format === 'jsonl' || watch !== undefined))
    throw new UsageError('--columns works only with --format text, csv or tsv; JSON has whole rows.');
  if (watch !== undefined && given['fail-on'] !== undefined)
    throw new UsageError('--watch ends by a signal alone, so --fail-on has no exit code to choose; leave it out.');
  if (watch !== undefined && format !== undefined && format !== 'jsonl')
    throw new UsageError('--watch prints lines of JSON, so leave out --format.');
}

/** Throws a UsageError for a format that a command does not print, or where one that needs it has none. */
function checkFormat(command: CommandName, format: Given['format']): void {
  const formats = formatsOf(command);
  const those = listed(formats, formats.length);
  if (format === undefined && command === 'export')
    throw new UsageError(`skydeck export needs --format; it has ${those}.`);
  if (format === undefined || formats.includes(String(format))) return;
  const other = command === 'export' ? 'snapshot' : 'export';
  const why = formatsOf(other).includes(String(format)) ? `works only with skydeck ${other}` : 'is no format';
  throw new UsageError(
    `--format ${format} ${why}; skydeck ${command === 'plan' ? 'plan show' : command} has ${those}.`,
  );
}

/** Throws a UsageError for an export of what it has no rows for. */
function checkExport({ format, ...given }: Given, target: AreaTarget | undefined): void {
  const isCode = isCodeFormat(String(format));
  if (target?.id !== undefined || target?.under)
    throw new UsageError(`skydeck export has whole areas, such as ${target.area}; narrow it by --filter.`);
  const rowsOf = isCode ? formatRows[String(format) as CodeFormatName] : undefined;
  if (given.filter !== undefined && target === undefined && rowsOf === undefined)
    throw new UsageError('--filter needs the area that it narrows; name it, as in skydeck export servers.');
  if (!isCode && target === undefined)
    throw new UsageError(`--format ${format} needs an area, as in skydeck export servers.`);
  if (given['provider-prefix'] !== undefined && format !== 'terraform-import')
    throw new UsageError('--provider-prefix works only with --format terraform-import.');
  if (!/^[a-z][a-z0-9_]*$/.test(String(given['provider-prefix'] ?? 'a')))
    throw new UsageError('--provider-prefix must be lower-case letters, digits and _, as it stands before _instance.');
}

function checkLong(target: AreaTarget | undefined): void {
  const long = areas.filter(({ list }) => list && isGradual(list)).map(({ name }) => name);
  if (target?.id === undefined && long.some((name) => name === target?.area)) return;
  throw new UsageError(
    `--all works only with skydeck snapshot ${long.join(' or ')}; other areas are read whole anyway.`,
  );
}

/** An option that does not fit the command or another option is a mistake, never ignored. */
function checkTogether(command: CommandName, given: Given): void {
  const used = givenOf(given, optionNames);
  const { options: allowed } = commandNamed(command);
  const misplaced = allowed
    ? undefined
    : used.find((name) => !optionsOf(command).includes(name) || (optionNamed(name).group === 'demo' && !given.demo));
  if (misplaced)
    throw new UsageError(`--${misplaced} works only with ${optionNamed(misplaced).only ?? groupOf(misplaced).only}.`);
  if (given.ascii && given.format !== undefined && given.format !== 'text')
    throw new UsageError('--ascii works only with --format text.');
  const surplus = allowed && used.find((name) => !allowed.includes(name));
  if (surplus) {
    const its = allowed.length > 0 ? `; its options are ${allowed.map((name) => `--${name}`).join(', ')}` : '';
    throw new UsageError(`skydeck ${command} takes no --${surplus}${its}.`);
  }
  const [undrawn] = givenOf(given, ['every', 'bell', 'notify', 'theme', 'colors', 'mouse', 'screen-reader']);
  if (given.jsonl && undrawn) throw new UsageError(`--jsonl draws nothing, so leave out --${undrawn}.`);
  const [clash] = givenOf(given, ['base-url', 'profile', 'config']);
  if (given.demo && clash)
    throw new UsageError(`--demo brings its own API and needs no --${clash}; leave out one of the two.`);
  const [live] = givenOf(given, ['demo', 'record', 'base-url', 'profile', 'config']);
  if (given.replay !== undefined && live)
    throw new UsageError(
      `--replay has its account from the recording and needs no --${live}; leave out one of the two.`,
    );
}

function invocation(command: CommandName, given: Given): Invocation {
  const options = valuesOf(given);
  const { servers, latency: latencyMs, faults, seed, filter, since, sort, section, limit, format } = options;
  const columns = options.columns?.split(',').map((name) => name.trim());
  const code = format !== undefined && isCodeFormat(format) ? format : undefined;
  const usual = options.watch === undefined ? 'text' : 'jsonl';
  return {
    command,
    options,
    demo: { servers, latencyMs, faults, seed },
    format: format === undefined || isCodeFormat(format) ? usual : format,
    code,
    list: { filter, since, sort, columns, section, limit },
  };
}

/** The meaning of the words behind a command. */
type Words = Omit<Invocation, 'unknown' | 'command' | 'options' | 'demo' | 'format' | 'code' | 'list' | 'typed'>;

/** The readers of the words behind each command. They throw a UsageError. */
const wordReaders: Record<CommandName, (words: readonly string[], command: string, views: readonly string[]) => Words> =
  {
    dashboard: (words, _, views) => ({ target: targetIn(words, views) }),
    snapshot: (words, _, views) => ({ target: targetIn(words, views, snapshotBoards) }),
    export: (words, _, views) => ({ target: targetIn(words, views, []) }),
    watch: (words, _, views) => ({
      boards: words.length > 0 ? words.map((word) => boardCalled(word, views)) : undefined,
    }),
    help: ([word, surplus]) => {
      if (surplus !== undefined) throw new UsageError(`Only one command has its help; leave out ${quoted(surplus)}.`);
      return { helpOf: word === undefined ? undefined : wordOf('help', word, commandNames) };
    },
    version: none,
    doctor: none,
    'demo-api': none,
    complete: none,
    config: ([word, file, ...surplus]) => {
      const topic = wordOf('config', word, configTopics);
      const [tooMany] = topic === 'check' ? surplus : [file, ...surplus];
      refuseSurplus(`config ${topic}`, tooMany);
      return { topic, file };
    },
    cache: ([word, surplus]) => {
      refuseSurplus('cache', surplus);
      return { clears: word === undefined ? false : wordOf('cache', word, cacheTopics) === 'clear' };
    },
    ssh: ([server, ...command]) => {
      if (server === undefined)
        throw new UsageError('skydeck ssh needs the label, id or address of a server after it.');
      return { login: { server, command } };
    },
    plan: ([word, ...words]) => ({ plan: planWords(wordOf('plan', word, planTopics), words) }),
    dns: ([word, ...words]) => ({ dns: dnsWords(wordOf('dns', word, dnsTopics), words) }),
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
    `skydeck ${command} does not know ${quoted(word)}${orSuggestions(word, words)} It knows ${which}.`,
  );
}

/** The board of this name. Throws a UsageError that names the boards. */
function boardCalled(word: string, views: readonly string[]): string {
  if (views.includes(word)) return word;
  const board = boardNames.find((name) => name === word.toLowerCase());
  if (board) return board;
  throw new UnknownWordError(
    word,
    `There is no board ${quoted(word)}${orSuggestions(word.toLowerCase(), boardNames)} The boards are ${boardNames.join(', ')}.`,
  );
}
