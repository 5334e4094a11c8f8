import { useMemo } from 'react';
import { resourceNamed } from '../../resources/index.ts';
import type { Resource } from '../../resources/resource.ts';
import { columnsKey, columnsToChoose, withChosen } from '../../store/views/columns.ts';
import { useNavigation } from '../useStores.ts';

/** The description with the columns that the user has chosen for this list, which may be of any of its sections. */
export function useChosenColumns(resource: Resource, viewKey: string): Resource {
  const chosen = useNavigation(({ columns }) => columns[columnsKey(viewKey)]);
  return useMemo(
    () => (chosen ? withChosen(resource, columnsToChoose(resource, resourceNamed(resource.name)), chosen) : resource),
    [resource, chosen],
  );
}
