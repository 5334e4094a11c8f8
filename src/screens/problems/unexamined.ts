import { resourceNamed } from '../../resources/index.ts';
import { plural } from '../../resources/wording.ts';
import type { RuleQueriesState, Unexamined } from '../../store/problems/ruleQueries.ts';
import { grouped } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';

/** Names what is not examined yet, and what is examined only when opened; undefined where that is nothing. */
export function unexaminedText({ pending, unexamined }: RuleQueriesState): string | undefined {
  const sentences = [
    ...(pending > 0 ? [`Examining … ${counted(pending, 'answer')} to come.`] : []),
    ...(unexamined.length > 0 ? [`Examined only when opened: ${unexamined.map(unexaminedPart).join(', ')}.`] : []),
  ];
  return sentences.join(' ') || undefined;
}

/** A query that is not sent for every row: `records of 940 domains`, `transfer of 2000 servers`. */
export function unexaminedPart({ resource: name, operation, count }: Unexamined): string {
  const resource = resourceNamed(name);
  const isList = operation === 'list' && resource.under !== undefined;
  const about = isList ? resourceNamed(resource.under ?? name) : resource;
  const part = operation === 'stats' ? 'statistics' : operation;
  return `${isList ? plural(resource) : part} of ${grouped(count)} ${count === 1 ? about.one : plural(about)}`;
}
