import { quoted } from '../config/settingRules.ts';
import { resourceCalled, resources } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';
import { orSuggestions } from '../text/nearest.ts';
import { commandNames } from './commandLine/commands.ts';
import { UnknownWordError, UsageError } from './rules.ts';

/** An area to open (a screen like `home` or `fleet`, or the name of a resource), or one of its rows. */
export interface AreaTarget {
  /** Empty where a view names it. */
  area: string;
  id?: string;
  /** A view of the user's own. */
  view?: string;
  /** A section of the list. */
  section?: string;
}

/** Resources that can be opened directly: those under another one need its row first. */
export const areas: readonly Resource[] = resources.filter(({ under, list, view }) => !under && (list ?? view));

/** Screens that can be opened like an area. */
export const screens: readonly string[] = ['home', 'fleet', 'accounts', 'problems', 'costs', 'requests', 'audit'];

/** Why areas have no snapshot, as sentences. */
export const onTerminalOnly: ReadonlyMap<string, string> = new Map([
  ['requests', 'Requests are listed on a terminal only; --log-file logs those of a snapshot.'],
  ['audit', 'The audit log is listed on a terminal only; its files audit*.jsonl have a JSON object a line.'],
]);

/**
 * Parses a word of the command line: `servers`, `volumes/12`, or one of these boards.
 * Throws a UsageError that names the areas.
 * @param views words that are taken for views
 */
export function parseTarget(
  text: string,
  boards: readonly string[] = screens,
  views: readonly string[] = [],
): AreaTarget {
  if (views.includes(text)) return { area: '', view: text };
  const slash = text.indexOf('/');
  const word = slash < 0 ? text : text.slice(0, slash);
  const id = slash < 0 ? undefined : text.slice(slash + 1);
  if (id === '')
    throw new UsageError(`${quoted(text)} ends where an id should follow; leave off the / to open the area.`);
  const part = boards === screens ? sectionCalled(word.toLowerCase()) : undefined;
  if (part && id === undefined) return part;
  const local = resourceCalled(word);
  const board = boards.find((name) => name === word.toLowerCase() || (local?.local && name === local.name));
  if (board) {
    if (id !== undefined) throw new UsageError(`${board} has no rows, so nothing can follow it.`);
    return { area: board };
  }
  const called = areas.find((area) => resourceCalled(word) === area) ?? throwUnknown(word, boards);
  const isOneOfMany = called.list !== undefined && (!called.view || called.view.path.includes(`{${called.param}}`));
  if (id !== undefined && !isOneOfMany) {
    throw new UsageError(`${called.many} cannot be opened one by one; open ${called.name} instead.`);
  }
  return { area: called.name, id };
}

/** The section of a list that has words of its own, such as `running` of the journal. */
function sectionCalled(word: string): AreaTarget | undefined {
  const sections = resources.flatMap(({ name, sections = [] }) =>
    sections.flatMap(({ title, aliases }) => (aliases ? [{ area: name, section: title, aliases }] : [])),
  );
  const called = ({ section, aliases }: (typeof sections)[number]) =>
    [section, ...aliases].some((one) => one.toLowerCase() === word);
  const { area, section } = sections.find(called) ?? {};
  return area === undefined || section === undefined ? undefined : { area, section };
}

function throwUnknown(word: string, boards: readonly string[]): never {
  const called = resourceCalled(word);
  const parent = called?.under;
  if (called && parent) {
    throw new UsageError(`${called.many} belong to ${parent}; open ${parent} and go on from there.`);
  }
  const names = [...boards, ...areas.map(({ name }) => name)];
  const candidates = [...commandNames, ...names, ...areas.flatMap(({ one, aliases = [] }) => [one, ...aliases])];
  throw new UnknownWordError(
    word,
    `There is no area or command ${quoted(word)}${orSuggestions(word.toLowerCase(), candidates)} The areas are ${names.join(', ')}.`,
  );
}
