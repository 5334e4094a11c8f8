import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Submission, targetsAt } from '../../store/changes/change.ts';
import { refusalFor } from '../../store/changes/submit.ts';
import { useStores } from '../useStores.ts';
import { type Partition, partitionTargets, targetKey } from './confirmation.ts';

/** Splits the targets as the rows change; only rows that were eligible at first are ever included. */
export function usePartition(submission: Submission): Partition & { chosen: number } {
  const stores = useStores();
  const cache = useStore(stores.cache);
  const [asked] = useState(() => {
    const { resource, action, targets } = submission;
    const able = targets.filter((target) => !refusalFor(stores, resource, action, target));
    return { resource, targets, keys: new Set(able.map(targetKey)) };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cache decides which rows still exist
  return useMemo(() => {
    const { resource, targets, keys } = asked;
    const now = targetsAt(
      stores,
      resource,
      targets.map(({ params }) => params),
    );
    const parting = partitionTargets(submission, targets, now, keys, stores);
    return { ...parting, chosen: targets.length };
  }, [submission, asked, stores, cache]);
}
