import { resourceNamed } from '../../resources/index.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import { isFold, type Problem, unfolded } from '../../resources/problems/rule.ts';
import { targetsAt } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';
import { useKeys } from '../keyboard.tsx';
import type { Handler, KeySubject } from '../keys/keyboard.ts';
import { readOnlyReason, whyNoChoices } from '../keys/offered.ts';
import { whyMixed } from '../list/listTree.ts';
import { useStores } from '../useStores.ts';
import { openFold, placeOfObject, remedyFor } from './remedies.ts';

/**
 * The keys for problems: to open the remedy or the object of the one under the cursor, and to acknowledge the chosen ones
 * or undo that; a fold stands for all of its problems.
 * @param isListed among those of other objects, so that the actions on its object are offered as well
 */
export function useProblemKeys(current: Problem | undefined, pointed: readonly Problem[], isListed = false): void {
  const stores = useStores();
  const chosen = pointed.flatMap(unfolded);
  const { acknowledgements, navigation, notices } = stores;

  function acknowledge(): void {
    const known = chosen.filter((problem) => acknowledgements.of(problem));
    const ids = (known.length > 0 ? known : chosen).map(({ id }) => id);
    if (known.length === 0) {
      navigation.open({ kind: 'acknowledge', problems: ids });
      return;
    }
    acknowledgements.remove(ids);
    navigation.unmark(problemList.name, [...ids, ...pointed.map(({ id }) => id)]);
    notices.say('plain', `${problemsSubject(known)} no longer acknowledged.`);
  }

  const handlers = {
    remedy: current ? (remedyFor(stores, current) ?? noRemedy(stores, current)) : 'This line is no problem.',
    acknowledge: chosen.length > 0 ? acknowledge : 'This line is no problem.',
    jump: current
      ? isFold(current)
        ? () => openFold(stores, current)
        : () => navigation.go(placeOfObject(stores, current))
      : 'This line is no problem.',
    ...(isListed && { actions: chosen.length > 0 ? actionsOn(stores, chosen) : 'This line is no problem.' }),
  };
  useKeys('problems', handlers, { subject: current && !isFold(current) ? subjectOf(stores, current) : undefined });
}

const noRemedy = ({ api }: Stores, { remedy }: Problem): string =>
  remedy && api.readOnly ? readOnlyReason : 'No key here helps against this problem.';

/** Opens the actions on the objects of problems; a sentence where there are none. */
function actionsOn(stores: Stores, problems: readonly Problem[]): Handler | string {
  const kinds = problems.map((one) => resourceNamed(one.resource));
  const [resource] = kinds;
  if (!resource) return 'This line is no problem.';
  const why = whyNoChoices(stores, resource);
  const mixed = whyMixed(kinds);
  if (mixed) return () => mixed;
  if (why !== undefined) return why;
  // A row may have several problems.
  const targets = [...new Map(problems.map(({ params }) => [JSON.stringify(params), params])).values()];
  return () => stores.navigation.open({ kind: 'actions', resource: resource.name, targets });
}

/** The object of a problem. */
function subjectOf(stores: Stores, problem: Problem): KeySubject {
  const resource = resourceNamed(problem.resource);
  return { resource, targets: targetsAt(stores, resource, [problem.params]), params: problem.params, problem };
}

/** Problems as the subject of a sentence: `The problem with web-3 is`, `3 problems are`. */
export const problemsSubject = ([first, ...others]: readonly Problem[]): string =>
  others.length > 0 ? `${others.length + 1} problems are` : `The problem with ${first?.label} is`;
