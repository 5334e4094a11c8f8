import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, type Complete, RootCommand, script } from '@bomb.sh/tab';
import { boardNames } from '../../screens/watch/boardNames.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { areas, screens } from '../areas.ts';
import { configFile, configNames } from '../config/readConfig.ts';
import { stateDirectory } from '../directories.ts';
import { keptLabels } from '../kept/keptLabels.ts';
import { openState } from '../state/state.ts';
import { type CommandName, commandNamed, commandNames, snapshotBoards } from './commands.ts';
import { ownScripts } from './completionScripts.ts';
import { optionNamed, optionsOf } from './options.ts';
import type { WordSource } from './values.ts';

/** A word that may follow, and a few words about it. */
type Word = readonly [word: string, about: string];

/** Prints the script of a shell; it runs `skydeck complete -- …` for what may follow. */
export function printScript(shell: string): void {
  const own = ownScripts[shell];
  if (own === undefined) script(shell, 'skydeck', 'skydeck');
  else console.log(own);
}

/**
 * Prints the words that may follow on a command line, of which the last word is not finished. Nothing is asked of the
 * API, and no token is read; labels are those that were kept.
 * @param owner the only user whose kept lists are believed
 */
export async function printWords(typed: readonly string[], env: Environment, owner?: number): Promise<void> {
  const last = typed.at(-1) ?? '';
  // The library takes the value of an option for a word of its own.
  const before = typed.slice(0, -1).flatMap((word) => (/^--[\w-]+=/.test(word) ? splitOnce(word) : [word]));
  const givenTo = (option: string) => (before.includes(option) ? before[before.lastIndexOf(option) + 1] : undefined);
  const { profiles, views } = await configNames(configFile(givenTo('--config'), env).file);
  const listed = areas.map(({ name, many }): Word => [name, many]);
  const userViews = views.map((name): Word => [name, 'a view of yours']);
  const words: Record<WordSource, () => readonly Word[]> = {
    areas: () => [...screens.map(plainWord), ...listed, ...userViews],
    boards: () => [...boardNames.map(plainWord), ...userViews],
    snapshotBoards: () => [...snapshotBoards.map(plainWord), ...listed, ...userViews],
    profiles: () => {
      const before = last.slice(last.indexOf('=') + 1, last.lastIndexOf(',') + 1);
      const named = before.split(',');
      return profiles.flatMap((name): Word[] => (named.includes(name) ? [] : [[before + name, 'a profile of yours']]));
    },
    servers: () => {
      const only = profiles.length === 1 ? profiles[0] : 'default';
      const profile = givenTo('--profile') ?? (env.SKYDECK_PROFILE || only);
      return profile === undefined
        ? []
        : keptLabels(profile, 'servers', openState(stateDirectory(env), owner, Date.now, 'looks')).map(plainWord);
    },
    files: () => filesAt(last.slice(last.startsWith('--') ? last.indexOf('=') + 1 : 0)).map(plainWord),
  };
  const offering = (source: WordSource | readonly string[] | undefined) => (complete: Complete) => {
    const offered = typeof source === 'string' ? words[source]() : (source ?? []).map(plainWord);
    for (const [word, about] of offered) if (isPlain(word)) complete(word, about);
  };
  const root = new RootCommand();
  addTo(root, 'dashboard', offering);
  for (const name of commandNames) addTo(root.command(name, commandNamed(name).brief), name, offering);
  root.parse([...before, last]);
}

type Offering = (source: WordSource | readonly string[] | undefined) => (complete: Complete) => void;

function addTo(command: Command, name: CommandName, offering: Offering): void {
  const { words, offers = [] } = commandNamed(name);
  for (const [nth, source] of offers.entries())
    command.argument(String(nth), offering(source), nth === offers.length - 1 && /^\[\w+\.\.\.\]$/.test(words));
  for (const option of optionsOf(name)) {
    const { value, brief, short } = optionNamed(option);
    if (value) command.option(option, brief, offering(value.source ?? value.words));
    else if (short) command.option(option, brief, short);
    else command.option(option, brief);
  }
}

const plainWord = (word: string): Word => [word, ''];

const splitOnce = (word: string): readonly string[] => [
  word.slice(0, word.indexOf('=')),
  word.slice(word.indexOf('=') + 1),
];

/** Shells read other words as more than a word: bash would carry out what stands in `$(…)`. */
const isPlain = (word: string): boolean => /^[\p{L}\p{N}_@%+,./-]+$/u.test(word);

/** The files and folders whose path begins with this text, folders with a slash at their end. */
function filesAt(begun: string): readonly string[] {
  const folder = begun.endsWith('/') ? begun : begun.includes('/') ? `${dirname(begun).replace(/\/$/, '')}/` : '';
  try {
    return readdirSync(folder || '.', { withFileTypes: true })
      .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
      .filter((path) => path.startsWith(begun) && (!/(^|\/)\.[^/]*\/?$/.test(path) || /(^|\/)\.[^/]*$/.test(begun)));
  } catch {
    return [];
  }
}
