import { quoted } from '../config/settingRules.ts';
import { isArea, resourceCalled, resourceNamed, resources } from '../resources/index.ts';
import type { Resource } from '../resources/resource.ts';
import type { DashboardOptions } from '../screens/dashboard.ts';
import { orSuggestions } from '../text/nearest.ts';
import { commandNames } from './commandLine/commands.ts';
import { UnknownWordError, UsageError } from './rules.ts';

/** An area to open (a screen like `home` or `fleet`, or the name of a resource), or one of its rows, or a view of the user's own. */
export interface AreaTarget extends NonNullable<DashboardOptions['place']> {
  /** The rows under which it lies, the outermost first. */
  under?: readonly { area: string; id: string }[];
}

/** Resources that can be opened directly: those under another one need its row first. */
export const areas: readonly Resource[] = resources.filter(
  (resource) => isArea(resource) || (!resource.under && resource.view),
);

/** Screens that can be opened like an area. */
export const screens: readonly string[] = ['home', 'fleet', 'accounts', 'problems', 'costs', 'requests', 'audit'];

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
  if (id !== undefined && called.under) throwUnknown(word, boards);
  if (id !== undefined && boards !== screens) {
    const below = targetBelow(called, id);
    if (below) return below;
  }
  const isOneOfMany = called.list !== undefined && (!called.view || called.view.path.includes(`{${called.param}}`));
  if (id !== undefined && !isOneOfMany)
    throw new UsageError(`${called.many} cannot be opened one by one; open ${called.name} instead.`);
  const parts = Object.entries(called.params ?? {});
  if (id !== undefined && id.split('/').length < parts.length) {
    const words = parts.map(([name, of]) => (typeof of === 'string' ? of : name.replace('Id', '')).toUpperCase());
    throw new UsageError(`${called.many} are named ${words.join('/')}; ${quoted(id)} lacks a part.`);
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

/** The way to a list under rows: `domains/ID/records`. */
const lineOf = ({ name, under }: Resource): string =>
  under === undefined ? name : `${lineOf(resourceNamed(under))}/ID/${name}`;

/** A list under a row, or a row of it: `domains/12/records`. Throws a UsageError where a list is misspelt. */
function targetBelow(parent: Resource, rest: string): AreaTarget | undefined {
  const lists = resources.filter(({ under, list }) => under === parent.name && list);
  const parts = rest.split('/');
  for (const [nth, part] of parts.entries()) {
    const word = part.toLowerCase();
    const child = lists.find(
      ({ name, one, many, aliases = [] }) =>
        [name, one, many.toLowerCase(), ...aliases].includes(word) || name.endsWith(`-${word}`),
    );
    if (!child || nth === 0) continue;
    const own = { area: parent.name, id: parts.slice(0, nth).join('/') };
    const last = parts.slice(nth + 1).join('/');
    if (last === '' && nth < parts.length - 1) continue;
    const deeper = last === '' ? undefined : targetBelow(child, last);
    if (deeper) return { ...deeper, under: [own, ...(deeper.under ?? [])] };
    if (last !== '' && !child.view)
      throw new UsageError(`${child.many} cannot be printed one by one; leave off /${last}.`);
    return { area: child.name, ...(last !== '' && { id: last }), under: [own] };
  }
  const names = lists.map(({ name }) => name);
  const meant = orSuggestions(parts.at(-1) ?? '', names);
  if (parts.length > 1 && names.length > 0 && (meant !== '.' || /^\d+$/.test(parts[0] ?? '')))
    throw new UsageError(
      `There is no list ${quoted(parts.at(-1))} under one of ${parent.name}${meant} There are ${names.join(', ')}.`,
    );
  return undefined;
}

function throwUnknown(word: string, boards: readonly string[]): never {
  const called = resourceCalled(word);
  const parent = called?.under;
  if (called && parent) {
    throw new UsageError(
      `${called.many} belong to ${parent}; open ${parent} and go on from there. skydeck snapshot ${lineOf(called)} prints them.`,
    );
  }
  const names = [...boards, ...areas.map(({ name }) => name)];
  const candidates = [...commandNames, ...names, ...areas.flatMap(({ one, aliases = [] }) => [one, ...aliases])];
  throw new UnknownWordError(
    word,
    `There is no area or command ${quoted(word)}${orSuggestions(word.toLowerCase(), candidates)} The areas are ${names.join(', ')}.`,
  );
}
