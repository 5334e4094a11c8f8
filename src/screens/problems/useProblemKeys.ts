import { problems as problemList } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { useKeys } from '../keyboard.tsx';
import { useStores } from '../useStores.ts';
import { remedyFor } from './remedy.ts';

/**
 * The keys for problems: to open the remedy of the one under the cursor, and to acknowledge the chosen ones or undo that.
 */
export function useProblemKeys(current: Problem | undefined, chosen: readonly Problem[]): void {
  const stores = useStores();
  const { acknowledgements, navigation, notices } = stores;

  function acknowledge(): void {
    const known = chosen.filter((problem) => acknowledgements.of(problem));
    const ids = (known.length > 0 ? known : chosen).map(({ id }) => id);
    if (known.length === 0) {
      navigation.open({ kind: 'acknowledge', problems: ids });
      return;
    }
    acknowledgements.remove(ids);
    navigation.unmark(problemList.name, ids);
    notices.say('plain', `${problemsSubject(known)} no longer acknowledged.`);
  }

  useKeys('problems', {
    remedy: current && remedyFor(stores, current),
    acknowledge: chosen.length > 0 ? acknowledge : undefined,
  });
}

/** Problems as the subject of a sentence: `The problem with web-3 is`, `3 problems are`. */
export const problemsSubject = ([first, ...others]: readonly Problem[]): string =>
  others.length > 0 ? `${others.length + 1} problems are` : `The problem with ${first?.label} is`;
