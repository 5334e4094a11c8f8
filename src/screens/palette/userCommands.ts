import { menuLetter } from '../../resources/asking.ts';
import { resources, userActionsOf } from '../../resources/index.ts';
import { plural } from '../../resources/wording.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { KeySubject } from '../keys/keyboard.ts';
import { placeOfArea } from '../places.ts';
import type { Thing } from './thing.ts';

/** The user's own commands by name, where their rows are not those of the place: each leads to the list to choose one in. */
export function userCommandThings(stores: Stores, subjects: readonly KeySubject[]): readonly Thing[] {
  const { navigation } = stores;
  const here = new Set(subjects.filter(({ targets }) => targets.length > 0).map(({ resource }) => resource));
  return resources
    .filter((resource) => !here.has(resource) && !resource.under && resource.list)
    .flatMap((resource) =>
      userActionsOf(resource)
        .filter((action) => !readOnlyRefusal(stores, action))
        .map(
          ({ name, key, help }): Thing => ({
            id: `own ${resource.name} ${name}`,
            label: help,
            names: [name],
            kind: 'your command',
            detail: `choose among the ${plural(resource)}`,
            key: `${keyLabel('list.actions', 'a')} ${menuLetter(key)}`,
            run: () => navigation.go(placeOfArea(resource)),
          }),
        ),
    );
}
