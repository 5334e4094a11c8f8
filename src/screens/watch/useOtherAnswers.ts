import { useEffect } from 'react';
import { type Query, queryKey } from '../../store/cache.ts';
import { useAppContext } from '../useStores.ts';

/** Keeps the answers of queries fresh in the accounts of a wall that are in the background. */
export function useOtherAnswers(queriesOf: Readonly<Record<string, readonly Query[]>>): void {
  const { accounts, stores } = useAppContext();
  const { current } = accounts.getState();
  const others = Object.entries(queriesOf).filter(([profile]) => profile !== current);
  const joined = others.map(([profile, queries]) => `${profile} ${queries.map(queryKey).join(' ')}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say which queries there are
  useEffect(() => {
    const { opened } = accounts.getState();
    const ends = others.flatMap(([profile, queries]) => opened[profile]?.scheduler.subscribe(queries, 'row') ?? []);
    return () => {
      for (const end of ends) end();
    };
  }, [accounts, stores, joined]);
}
