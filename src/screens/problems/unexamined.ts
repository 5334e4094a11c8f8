import { grouped } from '../../components/looks.ts';
import { resourceNamed } from '../../resources/index.ts';
import { plural } from '../../resources/problems/wording.ts';
import type { SurveyState, Unexamined } from '../../store/survey.ts';

/** What is not examined yet, or only when it is opened, as a sentence; undefined where that is nothing. */
export function unexaminedText({ outstanding, unexamined }: SurveyState): string | undefined {
  if (outstanding > 0)
    return `Examining … ${grouped(outstanding)} more ${outstanding === 1 ? 'answer' : 'answers'} to come.`;
  if (unexamined.length === 0) return undefined;
  return `Examined only when opened: ${unexamined.map(unexaminedWords).join(', ')}.`;
}

/** A question that is not asked about every row: `records of 940 domains`, `transfer of 2000 servers`. */
export function unexaminedWords({ resource: name, operation, count }: Unexamined): string {
  const resource = resourceNamed(name);
  const isList = operation === 'list' && resource.under !== undefined;
  const about = isList ? resourceNamed(resource.under ?? name) : resource;
  return `${isList ? plural(resource) : operation} of ${grouped(count)} ${count === 1 ? about.one : plural(about)}`;
}
