import { useEffect, useReducer } from 'react';
import { timerDelay } from '../../text/times.ts';

/** Draws again after each time; never where there is none. */
export function useTicks(everyMs: number | undefined): void {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick begins the next time
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setTimeout(tick, timerDelay(everyMs));
    return () => clearTimeout(timer);
  }, [ticks, everyMs]);
}
