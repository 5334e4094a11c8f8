import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Resource, Tab } from '../../resources/resource.ts';
import { useStores } from '../useStores.ts';

/** The description without columns, tabs and parts of the overview whose operations the API does not have. */
export function useSupportedParts(resource: Resource): Resource {
  const absent = useStore(useStores().cache, (state) => state.absent);
  return useMemo(() => supportedParts(resource, absent), [resource, absent]);
}

function supportedParts(resource: Resource, absent: readonly string[]): Resource {
  const isThere = (operation: string | undefined) =>
    operation === undefined || !absent.includes(`${resource.name}.${operation}`);
  if (absent.length === 0 || !absent.some((name) => name.startsWith(`${resource.name}.`))) return resource;
  return {
    ...resource,
    columns: resource.columns.filter(({ fetches }) => isThere(fetches)),
    tabs: resource.tabs?.filter((tab) => isThere(operationOf(tab))),
    overview: resource.overview && {
      ...resource.overview,
      graphs: isThere(resource.overview.graphs?.operation) ? resource.overview.graphs : undefined,
      related: resource.overview.related?.filter(({ operation }) => isThere(operation)),
    },
  };
}

const operationOf = (tab: Tab): string | undefined =>
  'answer' in tab ? tab.answer : 'operation' in tab ? tab.operation : undefined;
