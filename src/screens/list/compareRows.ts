import { paramsOf } from '../../resources/identity.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import type { Stores } from '../../store/stores.ts';

/**
 * Compares the two marked rows of a list field by field; of one row it shows the history, where moments are compared.
 * Answers why it does neither.
 * @param chosen the marked rows, or the one under the cursor
 */
export function compareRows(
  { navigation }: Pick<Stores, 'navigation'>,
  resource: Resource,
  chosen: readonly Row[],
  params: Params,
): string | undefined {
  const [one, other] = chosen;
  if (!one) return 'There is no row to compare.';
  if (chosen.length > 2) return `Two ${plural(resource)} are compared field by field; ${chosen.length} are marked.`;
  const own = paramsOf(resource, one, params);
  if (other) {
    const others = paramsOf(resource, other, params);
    navigation.open({ kind: 'comparison', resource: resource.name, sides: [{ params: own }, { params: others }] });
    return undefined;
  }
  if (resource.local) return `Mark two ${plural(resource)} to compare them field by field.`;
  navigation.go({ screen: 'detail', resource: resource.name, params: own, tab: 'history' });
  return undefined;
}
