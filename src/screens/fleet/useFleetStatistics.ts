import { useEffect, useMemo } from 'react';
import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { statsOf, stats as statsOperation } from '../../store/fleet.ts';
import { useQueries, useStores } from '../useStores.ts';

const servers = resourceNamed('servers');

/** Reads the statistics of all servers, visible ones first. */
export function useFleetStatistics(visible: readonly Row[], all: readonly Row[]): void {
  const { scheduler, fleet } = useStores();
  useQueries(
    useMemo(() => visible.map((row) => statsOf(idOf(servers, row))), [visible]),
    'row',
  );
  useEffect(
    () => scheduler.subscribe(() => fleet.queries(statsOperation, servers, all), 'next'),
    [scheduler, fleet, all],
  );
}
