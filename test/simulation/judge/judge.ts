import type { World } from '../world.ts';
import { judgeAudit } from './audit.ts';
import { judgeCalm } from './calm.ts';
import type { Finding } from './finding.ts';
import { judgeTold } from './told.ts';
import { judgeWrites } from './writes.ts';

/** Finds all that must not be in a run, in the order of time. The wishes learn on the way which writes have carried them out. */
export function judge(world: World): readonly Finding[] {
  const found = [...judgeWrites(world), ...judgeTold(world), ...judgeAudit(world), ...judgeCalm(world)];
  return found.sort((one, other) => one.at - other.at);
}
