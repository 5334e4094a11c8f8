import type { World } from '../world.ts';
import { judgeAudit } from './audit.ts';
import { judgeCalm } from './calm.ts';
import type { Finding } from './finding.ts';
import { judgeGuards } from './guards.ts';
import { judgeHistories } from './histories.ts';
import { judgeLabels } from './labels.ts';
import { judgeOverwritten } from './overwritten.ts';
import { judgePrinted } from './printed.ts';
import { judgePromises } from './promises.ts';
import { judgeTold } from './told.ts';
import { judgeWaits } from './waits.ts';
import { judgeWrites } from './writes.ts';

/** Finds all that must not be in a run, in the order of time. The wishes learn on the way which writes have carried them out. */
export function judge(world: World): readonly Finding[] {
  const judges = [
    judgeWrites,
    judgeWaits,
    judgeGuards,
    judgeTold,
    judgeLabels,
    judgeOverwritten,
    judgePrinted,
    judgePromises,
    judgeHistories,
    judgeAudit,
    judgeCalm,
  ];
  const found = [...world.leftOut, ...judges.flatMap((of) => of(world))];
  return found.sort((one, other) => one.at - other.at);
}
