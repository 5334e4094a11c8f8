import type { AuditRow } from '../../resources/account/audit.ts';
import { uidOf } from '../history/auditLog.ts';

/** A change that was taken back and done again more often is not followed to its begin. */
const maxLevels = 100;

/**
 * Tells what stands of changes that take others back.
 * @param backs those changes, the newest first
 * @param named finds any change
 */
export function standingOf(backs: readonly AuditRow[], named: (uid: string) => AuditRow | undefined) {
  const taken = new Set<string>();
  const past = new Set<string>();
  const above = ({ takesBack }: AuditRow) => (takesBack === undefined ? undefined : named(takesBack));
  const isBack = (row: AuditRow, levels = 0): boolean => {
    const before = above(row);
    return row.takesBack !== undefined && !(before && levels < maxLevels && isBack(before, levels + 1));
  };
  for (const row of backs) {
    const { outcome, takesBack = '' } = row;
    // One that was taken back itself, or is not known to be done, takes nothing back.
    if (outcome !== 'done' || taken.has(uidOf(row))) continue;
    taken.add(takesBack);
    const first = above(row)?.takesBack;
    if (first !== undefined) past.add(first);
  }
  const flag = (is: boolean) => (is ? true : undefined);
  return {
    /** The names of the changes that were taken back, or done again. */
    concerned: [...taken, ...past],
    of: (row: AuditRow): Pick<AuditRow, 'isBack' | 'isTakenBack' | 'isPast'> => ({
      isBack: flag(isBack(row)),
      isTakenBack: flag(taken.has(uidOf(row))),
      isPast: flag(past.has(uidOf(row))),
    }),
  };
}
