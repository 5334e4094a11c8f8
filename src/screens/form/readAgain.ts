import type { Params, Resource } from '../../resources/resource.ts';
import type { Deck } from '../../store/deck.ts';
import { isGradual } from '../../store/reading.ts';
import { type Answer, keyOf, type Question, viewOf } from '../../store/records.ts';

/** More rows than this are read by their list: that is fewer requests. */
const maxViews = 4;

/**
 * Reads rows again from which a change is worked out, by requests that begin now or later. Resolves with the first
 * failure, and never rejects; that a row is gone is none. Rows that cannot be read alone stay as they are.
 * @param beside the answer that is read in place of the rows, where the change is worked out from that
 */
export async function readAgain(
  { records }: Deck,
  resource: Resource,
  targets: readonly Params[],
  beside?: Question,
): Promise<Answer['error']> {
  const failureOf = (question: Question) => records.getState().answers[keyOf(question)]?.error;
  if (beside) {
    await records.readAnswer(beside);
    return failureOf(beside);
  }
  const { list, view, name } = resource;
  if (targets.length > maxViews && list && !isGradual(list)) {
    const above = Object.entries(targets[0] ?? {}).filter(([param]) => list.path.includes(`{${param}}`));
    const question = { resource: name, operation: 'list', params: Object.fromEntries(above) };
    const entry = () => records.getState().collections[keyOf(question)];
    // A reading under way may have begun before what others have changed.
    if (entry()?.loading) await records.readCollection(question);
    await records.readCollection(question);
    return entry()?.error;
  }
  if (!view) return undefined;
  const failures = await Promise.all(
    targets.map(async (params) => {
      await records.readRow(resource, params);
      return failureOf(viewOf(resource, params));
    }),
  );
  return failures.find((failure) => failure && failure.status !== 404);
}
