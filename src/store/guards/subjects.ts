import { paramsOf } from '../../resources/identity.ts';
import type { CacheView } from '../../resources/resource.ts';
import { changesFor, deedName, type Submission } from '../changes/change.ts';
import type { Stores } from '../stores.ts';
import type { Subject } from './concern.ts';

/** The rows of a submission as guards look at them; the new row, where one is made. */
export const subjectsOf = (
  submission: Pick<Submission, 'resource' | 'action' | 'targets' | 'params' | 'draft'>,
  view: CacheView,
): readonly Subject[] => {
  const { resource, action, targets } = submission;
  return targets.length === 0 || action.below !== undefined
    ? changesFor(submission, view)
    : targets.map(({ row, params }) => ({ resource, action, params: { ...params, ...paramsOf(resource, row) }, row }));
};

/** Why guards do not let so many rows go at once to which the same is done, by its name, as clauses. */
export function limitsOf(
  { guards }: Pick<Stores, 'guards'>,
  all: readonly { submission: Pick<Submission, 'resource' | 'action' | 'targets'> }[],
): ReadonlyMap<string, string> {
  const groups = Map.groupBy(all, ({ submission }) => deedName(submission));
  return new Map(
    [...groups].flatMap(([deed, those]) => {
      const [{ submission }] = those as [(typeof those)[number]];
      const targets = those.flatMap((one) => one.submission.targets);
      const limit = guards.limit(submission.resource, submission.action, targets);
      return limit === undefined ? [] : [[deed, limit]];
    }),
  );
}
