import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { resourceNamed } from '../../resources/index.ts';
import { privateAddressOf } from '../../resources/networking/nodeText.ts';
import type { Submission } from '../../store/changes/change.ts';
import { drainedNodes, nodesOf, placesOf, readNodesFor } from '../../store/plans/servedNodes.ts';
import { counted } from '../../text/words.ts';
import { useStores } from '../useStores.ts';

/** The nodes that the rows of an action serve which are down meanwhile, in words, or why they are not known; absent where there are none. */
export function useServedNodes(
  { resource, action, targets }: Submission,
  isAsked: boolean,
): { says: string } | { why: string } | undefined {
  const stores = useStores();
  const { view } = stores;
  const [isRead, setRead] = useState(false);
  const isOf = resourceNamed('nodebalancer-nodes').relations?.some(({ to }) => to === resource.name) === true;
  const isServing = isAsked && isOf && action.disrupts === true && targets.some(({ row }) => privateAddressOf(row));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are those of the question, which stay
  useEffect(() => {
    if (!isServing) return;
    const rows = targets.map(({ row }) => row);
    void readNodesFor(stores, rows).then(() => setRead(true));
  }, [isServing, stores]);
  useStore(stores.cache, () => (isServing ? targets.map(({ row }) => nodesOf(row, view)?.length).join() : ''));
  if (!isServing) return undefined;
  const all = targets.map(({ row }) => nodesOf(row, view));
  if (all.some((nodes) => nodes === undefined))
    return {
      why: isRead
        ? 'It cannot be told whether they serve NodeBalancers: not all could be read.'
        : 'Reading which NodeBalancers they serve …',
    };
  const nodes = all.flatMap((some) => some ?? []);
  const drained = targets.flatMap(({ row }) => drainedNodes(row, view) ?? []).length;
  if (nodes.length === 0) return undefined;
  return drained > 0
    ? { says: `They serve ${placesOf(nodes, view)} by ${counted(nodes.length, 'node')}.` }
    : { why: `They serve ${placesOf(nodes, view)}, by nodes that take no traffic now.` };
}
