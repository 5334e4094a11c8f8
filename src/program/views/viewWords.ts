import type { Configuration } from '../../config/configuration.ts';
import { resourceNamed } from '../../resources/index.ts';
import { belowOne, overAll } from '../../resources/relations.ts';
import { listCalled, type OwnView, userView } from '../../store/views/userViews.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { listed } from '../../text/words.ts';
import type { AreaTarget } from '../areas.ts';
import { parseArguments } from '../arguments.ts';
import type { Invocation, ListFlags } from '../invocation.ts';
import { UnknownWordError, UsageError } from '../rules.ts';
import { flaggedView, listOfBoard } from './listFlags.ts';

/** Parses a command line; words that name no area are taken for views. Throws a UsageError for any other mistake. */
export function parseWords(argv: readonly string[]): Invocation {
  const unknown = new Map<string, UnknownWordError>();
  for (;;) {
    try {
      return { ...parseArguments(argv, [...unknown.keys()]), unknown };
    } catch (error) {
      if (!(error instanceof UnknownWordError) || unknown.has(error.word)) throw error;
      unknown.set(error.word, error);
    }
  }
}

/**
 * Throws a UsageError where one of the words is no view either.
 * @param broken the views that were left out, each with its mistake
 */
export function checkViewWords(
  { unknown = new Map() }: Invocation,
  views: readonly string[],
  broken: ReadonlyMap<string, string> = new Map(),
): void {
  for (const [word, { message }] of unknown) {
    if (views.includes(word)) continue;
    const mistake = broken.get(word);
    if (mistake !== undefined) throw new UsageError(`${mistake} The view ${word} is left out.`);
    const known = views.length > 0 ? ` The views are ${listed(views, 20)}${orSuggestion(word, views)}` : '';
    const unread = broken.get('');
    throw new UsageError(`${message}${known}${unread === undefined ? '' : ` The saved views are left out: ${unread}`}`);
  }
}

/** The target that is read, where a view names its list. Throws a UsageError where it has none of the problems that are looked for. */
export function areaOf(
  { view: name, ...target }: AreaTarget,
  view: OwnView | undefined,
  { failOn }: Pick<Invocation['options'], 'failOn'>,
): AreaTarget {
  const own = view && name !== undefined ? { area: view.resource.name } : target;
  if (failOn === undefined || !/^(?:audit|costs|journal|requests)$/.test(own.area)) return own;
  throw new UsageError(`--fail-on looks for problems, and ${own.area} has none; name another area, such as servers.`);
}

/**
 * The view by which a list is printed: that of the configuration, with what options change of it; undefined where the
 * list is printed as it is. Throws a UsageError where its rows are those of the dashboard alone, or options are wrong.
 */
export function printedView(
  { views }: Pick<Configuration, 'views'>,
  { area, view: name, under }: AreaTarget,
  flags: ListFlags,
): OwnView | undefined {
  const own = name === undefined ? undefined : userView(views, name);
  if (own?.resource.local && !own.resource.made)
    throw new UsageError(`${name} is a view of ${own.resource.many}, which only the dashboard shows.`);
  if (Object.values(flags).every((flag) => flag === undefined)) return own;
  if (name === undefined) {
    const resource = listOfBoard(area) ?? resourceNamed(area === 'activity' ? 'events' : area);
    return flaggedView(under ? belowOne(resource) : overAll(resource), flags);
  }
  const config = views[name];
  return config && own && { ...flaggedView(listCalled(config.area) ?? own.resource, flags, config), name };
}
