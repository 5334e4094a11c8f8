import { quoted } from '../config/settingRules.ts';
import { boardNames } from '../screens/watch/boardNames.ts';
import { orSuggestions } from '../text/nearest.ts';
import { type AreaTarget, parseTarget } from './areas.ts';
import {
  type CommandName,
  cacheTopics,
  commandNames,
  configTopics,
  dnsTopics,
  planTopics,
  shells,
  snapshotBoards,
} from './commandLine/commands.ts';
import type { Invocation, WatchFlags } from './invocation.ts';
import { dnsWords, planWords } from './plans/planWords.ts';
import { UnknownWordError, UsageError } from './rules.ts';

/** The meaning of the words behind a command. */
type Words = Pick<Invocation, 'helpOf' | 'target' | 'topic' | 'file' | 'clears' | 'shell' | 'login' | 'plan' | 'dns'> &
  Pick<WatchFlags, 'boards'>;

/** The readers of the words behind each command. They throw a UsageError. */
export const wordReaders: Record<
  CommandName,
  (words: readonly string[], command: string, views: readonly string[]) => Words
> = {
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
    if (tooMany !== undefined)
      throw new UsageError(`skydeck config ${topic} needs no ${quoted(tooMany)}; leave it out.`);
    return { topic, file };
  },
  cache: ([word, surplus]) => {
    if (surplus !== undefined) throw new UsageError(`skydeck cache needs no ${quoted(surplus)}; leave it out.`);
    return { clears: word === undefined ? false : wordOf('cache', word, cacheTopics) === 'clear' };
  },
  ssh: ([server, ...command]) => {
    if (server === undefined) throw new UsageError('skydeck ssh needs the label, id or address of a server after it.');
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
