import type { Configuration } from '../../config/configuration.ts';
import { type OwnView, userView } from '../../store/views/userViews.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { listed } from '../../text/words.ts';
import { parseArguments } from '../arguments.ts';
import type { Invocation } from '../invocation.ts';
import { UnknownWordError, UsageError } from '../rules.ts';

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

/** The view of this name. Throws a UsageError where its rows are those of the dashboard alone. */
export function printedView({ views }: Configuration, name: string): OwnView | undefined {
  const view = userView(views, name);
  if (view?.resource.local && !view.resource.made)
    throw new UsageError(`${name} is a view of ${view.resource.many}, which only the dashboard shows.`);
  return view;
}
