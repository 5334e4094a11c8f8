import type { Problem } from '../../resources/problems/rule.ts';

/** Tells critical problems that are new from those that are known. */
export interface CriticalProblems {
  /** Those of the critical problems of this moment that are new. */
  newAmong(problems: readonly Problem[], now: number): readonly Problem[];
}

/** The first reading of the account may take so many milliseconds: what turns up then was there. */
const firstReading = 300_000;
/** One that comes back within this time is the same, in milliseconds: what flaps does not ring every minute. */
const flapping = 300_000;

/** @param startedAt when the account began to be read, in ms since the epoch */
export function createCriticalProblems(startedAt: number): CriticalProblems {
  /** When each was last there, in ms since the epoch; no more of them than were there lately. */
  const lastSeen = new Map<string, number>();
  const isNew = ({ id, since }: Problem, now: number): boolean => {
    if (lastSeen.has(id)) return false;
    return now - startedAt > firstReading || (since !== undefined && since >= startedAt);
  };
  return {
    newAmong: (problems, now) => {
      for (const [id, at] of lastSeen) if (now - at > flapping) lastSeen.delete(id);
      const critical = problems.filter(({ severity }) => severity === 'critical');
      const fresh = critical.filter((problem) => isNew(problem, now));
      for (const { id } of critical) lastSeen.set(id, now);
      return fresh;
    },
  };
}
