import { paramsIn } from '../../resources/identity.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import type { Deck } from '../deck.ts';
import { isGradual } from '../reading.ts';
import { type Answer, type Collection, keyOf, type Question, type Records, viewOf } from '../records.ts';

/** More rows than this are read by their list: that is fewer requests. */
const maxViews = 4;

/**
 * Reads rows again from which a change is worked out, by requests that begin now or later. Resolves with the first
 * failure, and never rejects; that a row is gone is none. Rows that cannot be read alone stay as they are.
 * @param beside the answer that is read in place of the rows, where the change is worked out from that
 */
export async function readAgain(
  { records }: Pick<Deck, 'records'>,
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
    const params = paramsIn(list.path, targets[0] ?? {});
    return (await readListAgain(records, { resource: name, operation: 'list', params }))?.error;
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

/** Reads a list by requests that begin now or later: one under way may have begun before a change. Never rejects. */
export async function readListAgain(records: Records, question: Question): Promise<Collection | undefined> {
  const entry = () => records.getState().collections[keyOf(question)];
  if (entry()?.loading) await records.readCollection(question);
  await records.readCollection(question);
  return entry();
}
