import type { Stores } from '../../store/stores.ts';
import type { ShownStep } from './planStep.ts';

/** Why guards refuse so many rows at once, by action. */
export function limitsOf({ guards }: Stores, shown: readonly ShownStep[]): readonly string[] {
  const byAction = Map.groupBy(shown, ({ change: { resource, action } }) => `${resource.name} ${action.name}`);
  return [...byAction.values()].flatMap((those) => {
    const [first] = those;
    const targets = those.flatMap(({ submission }) => submission.targets);
    const why = first && guards.limit(first.change.resource, first.change.action, targets);
    return why === undefined ? [] : [why];
  });
}
