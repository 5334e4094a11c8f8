import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, type Complete, RootCommand, script } from '@bomb.sh/tab';
import { idOf } from '../../resources/identity.ts';
import { resourceCalled, resourceNamed, resources } from '../../resources/index.ts';
import { emptyView, type Resource, type Row, viewWith } from '../../resources/resource.ts';
import { boardNames } from '../../screens/watch/boardNames.ts';
import { completionsOf } from '../../store/filter/completion.ts';
import { titled } from '../../store/filter/fields.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { clean } from '../../text/cells.ts';
import { attempt } from '../../text/errno.ts';
import { areas, screens } from '../areas.ts';
import { configFile, configNames } from '../config/readConfig.ts';
import { stateDirectory } from '../directories.ts';
import { queryText, rowsOfData } from '../kept/keptLists.ts';
import { openState, type State } from '../state/state.ts';
import { type CommandName, commandNamed, commandNames, snapshotBoards } from './commands.ts';
import { optionNamed, optionsOf } from './options.ts';
import type { WordSource } from './values.ts';

const servers = resourceNamed('servers');

/** A word that may follow, and a few words about it. */
type Word = readonly [word: string, about: string];

/** The script of a shell; it runs `skydeck complete -- …` for what may follow. */
export const scriptOf = (shell: string): string =>
  ownScripts[shell] ?? loggedBy(() => script(shell, 'skydeck', 'skydeck'));

/** The text that the library logs; it returns none, and would not notice a full disk. */
function loggedBy(act: () => void): string {
  const { log } = console;
  let text = '';
  console.log = (line: string) => {
    text += `${line}\n`;
  };
  act();
  console.log = log;
  return text;
}

/**
 * The words that may follow on a command line, of which the last word is not finished. Nothing is asked of the
 * API, and no token is read; labels are those that were kept.
 * @param owner the only user whose kept lists are believed
 */
export async function wordsAfter(typed: readonly string[], env: Environment, owner?: number): Promise<string> {
  const last = typed.at(-1) ?? '';
  // The library takes the value of an option for a word of its own.
  const before = typed.slice(0, -1).flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const givenTo = (option: string) => (before.includes(option) ? before[before.lastIndexOf(option) + 1] : undefined);
  const { profiles, views } = await configNames(configFile(givenTo('--config'), env).file);
  const listed = areas.map(({ name, many }): Word => [name, many]);
  const userViews = views.map((name): Word => [name, 'a view of yours']);
  const kept = (resource: string | undefined): readonly Row[] => {
    const only = profiles.length === 1 ? profiles[0] : 'default';
    const profile = givenTo('--profile') ?? (env.SKYDECK_PROFILE || only);
    if (profile === undefined || resource === undefined) return [];
    return keptRows(profile, resource, openState(stateDirectory(env), owner, Date.now, 'looks'));
  };
  /** The value that is typed, also where it stands behind its option: `--sort=`. */
  const value = last.slice(last.startsWith('--') ? last.indexOf('=') + 1 : 0);
  const words: Record<WordSource, () => readonly Word[]> = {
    areas: () => [...screens.map(plainWord), ...listed, ...userViews, ...rowsAt(last, kept, false)],
    boards: () => [...boardNames.map(plainWord), ...userViews],
    snapshotBoards: () => [...snapshotBoards.map(plainWord), ...listed, ...userViews, ...rowsAt(last, kept, true)],
    profiles: () => {
      const lead = value.slice(0, value.lastIndexOf(',') + 1);
      const named = lead.split(',');
      return profiles.flatMap((name): Word[] => (named.includes(name) ? [] : [[lead + name, 'a profile of yours']]));
    },
    servers: () => kept('servers').map((row) => plainWord(servers.label(row))),
    commands: () => commandNames.map((name): Word => [name, commandNamed(name).brief]),
    filters: () => {
      const list = listIn(before);
      const view = viewWith(emptyView, { now: Date.now() });
      return completionsOf(value, kept(list?.name), list?.columns ?? [], view).map(({ text }): Word => [text, '']);
    },
    columns: () => {
      const lead = /^(?:.*,|-)?/.exec(value)?.[0] ?? '';
      const named = value.split(',');
      const names = (listIn(before)?.columns ?? []).map(titled).filter((name) => !named.includes(name));
      return names.map((name): Word => [lead + name, '']);
    },
    files: () => filesAt(value).map(plainWord),
  };
  const offering: Offering = (source, isList) => (complete) => {
    // Of several words with commas between, the last is not finished.
    const lead = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
    const offered =
      typeof source === 'string' ? words[source]() : (source ?? []).map((word): Word => [lead + word, '']);
    for (const [word, about] of offered) if (isPlain(word)) complete(word, clean(about));
  };
  const root = new RootCommand();
  addTo(root, 'dashboard', offering);
  for (const name of commandNames) addTo(root.command(name, commandNamed(name).brief), name, offering);
  return loggedBy(() => root.parse([...before, last]));
}

/** The list that a command line is about. */
function listIn(before: readonly string[]): Resource | undefined {
  for (const word of before) {
    const name = word.split('/').findLast((part, nth) => nth % 2 === 0 && resourceCalled(part));
    const found = name === undefined ? undefined : resourceCalled(name);
    if (found && !word.startsWith('-')) return found.name === 'events' || found.list || found.local ? found : undefined;
  }
  return undefined;
}

/** The rows of an area by their ids, once its name and a slash are typed; for a snapshot the lists under them, by labels. */
function rowsAt(typed: string, kept: (resource: string) => readonly Row[], isOfSnapshot: boolean): readonly Word[] {
  const [name = '', ...rest] = typed.split('/');
  const area = rest.length > 0 ? resourceCalled(name) : undefined;
  if (!area) return [];
  const lists = isOfSnapshot ? resources.filter(({ under, list }) => under === area.name && list) : [];
  return kept(area.name).flatMap((row): Word[] => {
    const [label, id] = [area.label(row), idOf(area, row)];
    return [
      [`${name}/${id}`, label],
      ...(isOfSnapshot ? [[`${name}/${label}`, ''] as const] : []),
      ...lists.map((list): Word => [`${name}/${label}/${list.name}`, list.many]),
    ];
  });
}

type Offering = (source: WordSource | readonly string[] | undefined, isList?: boolean) => (complete: Complete) => void;

function addTo(command: Command, name: CommandName, offering: Offering): void {
  const { words, offers = [] } = commandNamed(name);
  for (const [nth, source] of offers.entries())
    command.argument(String(nth), offering(source), nth === offers.length - 1 && /^\[\w+\.\.\.\]$/.test(words));
  for (const option of optionsOf(name)) {
    const { value, brief, short, wordsOf } = optionNamed(option);
    const words = wordsOf?.(name) ?? value?.source ?? value?.words;
    if (value) command.option(option, brief, offering(words, value.called === 'LIST'));
    else if (short) command.option(option, brief, short);
    else command.option(option, brief);
  }
}

const plainWord = (word: string): Word => [word, ''];

/** Shells read other words as more than a word: bash would carry out what stands in `$(…)`. */
const isPlain = (word: string): boolean => /^[\p{L}\p{N}_@%+,./-][\p{L}\p{N}_@%+,./:=-]*$/u.test(word);

/** The files and folders whose path begins with this text, folders with a slash at their end. */
function filesAt(begun: string): readonly string[] {
  const folder = begun.endsWith('/') ? begun : begun.includes('/') ? `${dirname(begun).replace(/\/$/, '')}/` : '';
  const entries = attempt(() => readdirSync(folder || '.', { withFileTypes: true })) ?? [];
  return entries
    .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
    .filter((path) => path.startsWith(begun) && (!/(^|\/)\.[^/]*\/?$/.test(path) || /(^|\/)\.[^/]*$/.test(begun)));
}

/** The rows of a list as they were kept last for a profile; none where there is nothing that can be believed. */
export function keptRows(profile: string, resource: string, state: State): readonly Row[] {
  // Rows that cannot be read are not offered.
  const rows = attempt(() => {
    const sql = `SELECT data FROM list JOIN login ON login.id = list.login AND login.account = list.account
      WHERE profile = ? AND query = ? ORDER BY kept_at DESC LIMIT 1`;
    const query = { resource, operation: 'list', params: {} };
    const data = state.toRead()?.get(sql, profile, queryText(query))?.data;
    return data instanceof Uint8Array ? rowsOfData(data, query) : [];
  });
  return rows ?? [];
}

/**
 * The script of bash. It hands over the words of the line as they stand, without evaluating any, and leaves out
 * redirections: they are no words of the command, and their files must not be touched. It runs in bash 3.2 as well, and
 * whatever breaks words there (`=` and `:` by default).
 */
const bash = `# bash completion for skydeck
__skydeck_complete() {
    COMPREPLY=()
    local line=\${COMP_LINE:0:COMP_POINT} nth word gap before='' redirects='' lead='' found
    local -a words=()
    for ((nth = 0; nth <= COMP_CWORD; nth++)); do
        word=\${COMP_WORDS[nth]}
        if ((nth == COMP_CWORD)); then
            gap=\${line%%[![:space:]]*}
            word=\${line#"$gap"}
        else
            gap=\${line%%"$word"*}
            line=\${line#*"$word"}
        fi
        if [[ $word =~ ^[\\<\\>\\&\\|]+$ && $word == *[\\<\\>]* ]]; then
            # The number before it belongs to it.
            [[ -z $gap && $before =~ ^[0-9]+$ ]] && unset "words[\${#words[@]}-1]"
            redirects=1
        elif [[ -n $redirects ]]; then
            redirects=
            ((nth < COMP_CWORD)) || redirects=file
        elif [[ -z $gap && nth -gt 0 && ($word == [=:]* || $before == *[=:]) ]]; then
            words[\${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        before=$word
    done
    if [[ -n $redirects ]]; then
        compopt -o default 2>/dev/null
        return
    fi
    local last=\${words[\${#words[@]}-1]}
    [[ $last == --*=* ]] && lead=\${last%%=*}=
    # Readline replaces what follows the last break.
    [[ $word =~ ^[=:]+$ ]] && word=
    while IFS= read -r found; do
        [[ $found =~ ^:[0-9]+$ ]] && continue
        found=$lead\${found%%$'\\t'*}
        [[ $found == "$last"* ]] && COMPREPLY+=("\${found#"\${last%"$word"}"}")
    done < <(skydeck complete -- "\${words[@]:1}" 2>/dev/null </dev/null)
    [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F __skydeck_complete skydeck
`;

/** The script of fish; a value behind `--option=` is offered with it, as fish compares whole words. */
const fish = `# fish completion for skydeck
function __skydeck_complete
    set -l last (commandline -ct)
    set -l before (commandline -opc)
    set -l lead (string match -r -- '^--[^=]*=' "$last")
    for found in (skydeck complete -- $before[2..-1] "$last" 2>/dev/null </dev/null)
        string match -qr -- '^:[0-9]+$' $found; or printf '%s%s\\n' "$lead" $found
    end
end
complete -c skydeck -e
complete -c skydeck -f -a '(__skydeck_complete)'
`;

/** The scripts that are our own, by shell. */
const ownScripts: Readonly<Record<string, string>> = { bash, fish };
