import { paramsOf } from '../../resources/identity.ts';
import type { CacheView } from '../../resources/resource.ts';
import { changesFor, type Submission } from '../changes/change.ts';
import type { Stores } from '../stores.ts';
import type { Subject } from './concern.ts';

/** The rows of a submission as guards look at them; the new row, where one is made. */
export const subjectsOf = (
  submission: Pick<Submission, 'resource' | 'action' | 'targets' | 'params' | 'draft'>,
  view: CacheView,
): readonly Subject[] => {
  const { resource, action, targets } = submission;
  return targets.length === 0
    ? changesFor(submission, view)
    : targets.map(({ row, params }) => ({ resource, action, params: { ...params, ...paramsOf(resource, row) }, row }));
};

/** Why guards do not let so many rows go at once, by action, as clauses. */
export function limitsOf(
  { guards }: Pick<Stores, 'guards'>,
  all: readonly { submission: Pick<Submission, 'resource' | 'action' | 'targets'> }[],
): readonly string[] {
  const groups = Map.groupBy(all, ({ submission: { resource, action } }) => `${resource.name} ${action.name}`);
  return [...groups.values()].flatMap((those) => {
    const [first] = those;
    const targets = those.flatMap(({ submission }) => submission.targets);
    return (first && guards.limit(first.submission.resource, first.submission.action, targets)) ?? [];
  });
}
