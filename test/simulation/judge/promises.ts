import type { NotBack, World } from '../world.ts';
import type { Finding } from './finding.ts';

/** Judges whether what was promised to come back was at least asked about, where nobody has changed anything since. */
export function judgePromises(world: World): readonly Finding[] {
  return world.notBack.flatMap((one) => (one.says === '' || isHindered(world, one) ? [] : [finding(one)]));
}

const finding = ({ at, process, says }: NotBack): Finding => ({
  rule: 'promise',
  at,
  says: `${process} said that it can be taken back, and then did not: ${says}`,
});

/** Whether a job is still going on, the API failed meanwhile, or somebody has changed the cloud after the last change of that process. */
function isHindered({ network, writes, story }: World, { process, deed, at, says }: NotBack): boolean {
  if (/\bwait until\b/.test(says)) return true;
  if (story.deeds.some(({ number, faults }) => number === deed && faults.length > 0)) return true;
  const own = writes.findLast((write) => write.by === process && write.at <= at && write.status < 300);
  if (!own || network.exchanges.some((one) => one.deed === own.deed && one.fault !== undefined)) return true;
  return writes.some((write) => write.at >= own.at && write.at <= at && write !== own);
}
