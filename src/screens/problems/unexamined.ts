import { grouped } from '../../components/looks.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Unexamined } from '../../store/survey.ts';

/** What is examined only when it is opened, as a sentence; undefined where that is nothing. */
export function unexaminedText(unexamined: readonly Unexamined[]): string | undefined {
  if (unexamined.length === 0) return undefined;
  return `Examined only when opened: ${unexamined.map(partText).join(', ')}.`;
}

/** `records of 940 domains`, `transfer of 2000 servers`. */
function partText({ resource: name, operation, count }: Unexamined): string {
  const resource = resourceNamed(name);
  const isList = operation === 'list' && resource.under !== undefined;
  const about = isList ? resourceNamed(resource.under ?? name) : resource;
  return `${isList ? resource.many.toLowerCase() : operation} of ${grouped(count)} ${about.many.toLowerCase()}`;
}
