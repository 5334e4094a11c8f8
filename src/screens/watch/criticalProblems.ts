import type { Problem } from '../../resources/problems/rule.ts';
import { minute } from '../../text/times.ts';

/** Remembers critical problems, to tell new ones from known ones. */
export interface CriticalProblems {
  /** Takes in the problems of this moment; returns the new ones that are critical. */
  update(problems: readonly Problem[], now: number): readonly Problem[];
}

/** Problems found while the account is read for the first time are not new. */
const startupMs = 5 * minute;
/** A problem that comes back within this time is not new: one that flaps would ring every minute. */
const flapWindowMs = 5 * minute;

/** @param startedAt when reading of the account began, in ms since the epoch */
export function createCriticalProblems(startedAt: number): CriticalProblems {
  /** When each problem was last there, in ms since the epoch. */
  const lastSeen = new Map<string, number>();
  const isNew = ({ id, since }: Problem, now: number): boolean => {
    if (lastSeen.has(id)) return false;
    return now - startedAt > startupMs || (since !== undefined && since >= startedAt);
  };
  return {
    update: (problems, now) => {
      for (const [id, at] of lastSeen) if (now - at > flapWindowMs) lastSeen.delete(id);
      const critical = problems.filter(({ severity }) => severity === 'critical');
      const added = critical.filter((problem) => isNew(problem, now));
      for (const { id } of critical) lastSeen.set(id, now);
      return added;
    },
  };
}
