import type { Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import type { Target } from '../../store/changes/change.ts';
import type { Stores } from '../../store/stores.ts';

/**
 * Compares the two marked rows of a list field by field; of one row it shows the history, where moments are compared.
 * Answers why it does neither.
 * @param chosen the marked rows, or the one under the cursor
 */
export function compareRows(
  { navigation }: Pick<Stores, 'navigation'>,
  resource: Resource,
  chosen: readonly Target[],
): string | undefined {
  const [one, other] = chosen;
  if (!one) return 'There is no row to compare.';
  if (chosen.length > 2) return `Two ${plural(resource)} are compared field by field; ${chosen.length} are marked.`;
  if (other) {
    const sides = [{ params: one.params }, { params: other.params }] as const;
    navigation.open({ kind: 'comparison', resource: resource.name, sides });
    return undefined;
  }
  if (resource.local) return `Mark two ${plural(resource)} to compare them field by field.`;
  navigation.go({ screen: 'detail', resource: resource.name, params: one.params, tab: 'history' });
  return undefined;
}
