import { byUrgency } from '../../resources/problems/problem.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { glanceAtAll } from '../../store/accounts/glances.ts';
import type { Stores } from '../../store/stores.ts';
import { type CriticalProblems, createCriticalProblems } from './criticalProblems.ts';
import { type Interruption, interruptionMs, newProblemsText } from './rotation.ts';

/** A wall of one account or several: all are looked at, and each shows its boards in its turn. */
export interface Wall {
  /** Whether there is more than one account. */
  readonly isShared: boolean;
  /** Looks at all accounts; returns a function that ends this. */
  start(): () => void;
  /** The critical problems known of an account. */
  criticalProblems(profile: string): CriticalProblems;
  /** The new critical problems for which an account has come on the screen. */
  interruption(profile: string): Interruption | undefined;
  /** Gives the turn to the next account that was read. */
  next(): void;
  /** The problems of all accounts, each with the name of its account. */
  problems(): readonly Problem[];
}

/** @param onCritical told of new critical problems of an account that is not on the screen */
export function createWall(accounts: Accounts, onCritical: (says: string) => void, now: () => number): Wall {
  const startedAt = now();
  const isShared = accounts.profiles().length > 1;
  const known = new Map<string, CriticalProblems>();
  const interruptions = new Map<string, Interruption>();

  function criticalProblems(profile: string): CriticalProblems {
    const found = known.get(profile) ?? createCriticalProblems(startedAt);
    known.set(profile, found);
    return found;
  }

  function look(profile: string, { problems }: Stores): void {
    const { problems: all, examinedAt } = problems.getState();
    if (examinedAt === undefined || accounts.getState().current === profile) return;
    const added = criticalProblems(profile).update(all, now());
    if (added.length === 0) return;
    interruptions.set(profile, { problems: added, since: now(), until: now() + interruptionMs });
    onCritical(`${profile}: ${newProblemsText(added)}`);
    void accounts.show(profile);
  }

  return {
    isShared,
    criticalProblems,
    interruption: (profile) => {
      const found = interruptions.get(profile);
      interruptions.delete(profile);
      return found && found.until > now() ? found : undefined;
    },
    next: () => {
      const { current, opened } = accounts.getState();
      const all = accounts.profiles();
      const at = all.indexOf(current);
      // Boards of an account that was never read would be blank.
      const ready = [...all.slice(at + 1), ...all.slice(0, at)].find(
        (profile) => opened[profile]?.problems.getState().examinedAt !== undefined,
      );
      if (ready !== undefined) void accounts.show(ready);
    },
    problems: createAllProblems(accounts),
    start: () => {
      if (!isShared) return () => {};
      const ends = new Map<string, () => void>();
      const follow = () => {
        for (const [profile, stores] of Object.entries(accounts.getState().opened))
          if (!ends.has(profile))
            ends.set(
              profile,
              stores.problems.subscribe(() => look(profile, stores)),
            );
      };
      follow();
      const release = glanceAtAll(accounts);
      const unsubscribe = accounts.subscribe(follow);
      return () => {
        release();
        unsubscribe();
        for (const end of ends.values()) end();
      };
    },
  };
}

/** Remembers the list for the same problems, so that it is folded once. */
function createAllProblems(accounts: Accounts): () => readonly Problem[] {
  let last: readonly (readonly Problem[])[] = [];
  let all: readonly Problem[] = [];
  return () => {
    const opened = Object.entries(accounts.getState().opened);
    const lists = opened.map(([, { problems }]) => problems.getState().problems);
    if (lists.length === last.length && lists.every((list, nth) => list === last[nth])) return all;
    last = lists;
    all = opened
      .flatMap(([profile], nth) => (lists[nth] ?? []).map((problem) => named(profile, problem)))
      .sort(byUrgency);
    return all;
  };
}

const named = (profile: string, problem: Problem): Problem => ({
  ...problem,
  id: `${profile} ${problem.id}`,
  label: `${profile}: ${problem.label}`,
  says: `${profile}: ${problem.says}`,
});
