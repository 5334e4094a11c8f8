import { resourceNamed } from '../../resources/index.ts';
import { plural } from '../../resources/wording.ts';
import type { RuleQueriesState, Unexamined } from '../../store/problems/ruleQueries.ts';
import { grouped } from '../../text/numbers.ts';
import { dateText, momentWords, type Timestamp } from '../../text/times.ts';
import { counted } from '../../text/words.ts';

/** Names what is not examined yet, and what is examined only when opened; undefined where that is nothing. */
export function unexaminedText({ pending, unexamined }: RuleQueriesState, now: Timestamp): string | undefined {
  const [cut, others] = [
    unexamined.filter(({ since }) => since !== undefined),
    unexamined.filter(({ since }) => !since),
  ];
  const listed = (parts: readonly Unexamined[]) => parts.map((part) => unexaminedPart(part, now)).join(', ');
  const sentences = [
    ...(pending > 0 ? [`Examining … ${counted(pending, 'answer')} to come.`] : []),
    ...(cut.length > 0 ? [`Not examined: ${listed(cut)}.`] : []),
    ...(others.length > 0 ? [`Examined later, or when opened: ${listed(others)}.`] : []),
  ];
  return sentences.join(' ') || undefined;
}

/**
 * A query that is not sent for every row: `records of 940 domains`, `transfer of 50 of 200 servers`; `events before 17:25`.
 * @param now for a time as one says it now; without it, it is written in UTC
 */
export function unexaminedPart(
  { resource: name, operation, count, of = count, since }: Omit<Unexamined, 'of'> & { of?: number },
  now?: Timestamp,
): string {
  const resource = resourceNamed(name);
  if (since !== undefined)
    return `${plural(resource)} before ${now === undefined ? `${dateText(since)} UTC` : momentWords(since, now)}`;
  const isList = operation === 'list' && resource.under !== undefined;
  const about = isList ? resourceNamed(resource.under ?? name) : resource;
  const number = of === count ? grouped(count) : `${grouped(count)} of ${grouped(of)}`;
  const part = operation === 'stats' ? 'statistics' : operation;
  return `${isList ? plural(resource) : part} of ${number} ${of === 1 ? about.one : plural(about)}`;
}
