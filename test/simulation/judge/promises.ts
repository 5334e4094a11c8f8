import type { Told } from '../wishes.ts';
import type { NotBack, World } from '../world.ts';
import type { Finding } from './finding.ts';
import { isAsWished } from './told.ts';

/**
 * Judges whether what was promised to come back was at least asked about, where nobody has changed anything since, and whether
 * what was taken back is as it was before.
 */
export const judgePromises = (world: World): readonly Finding[] => [
  ...world.notBack.flatMap((one) => (one.says === '' || isHindered(world, one) ? [] : [finding(one)])),
  ...world.told.flatMap(notAsBefore),
];

const finding = ({ at, process, says }: NotBack): Finding => ({
  rule: 'promise',
  at,
  says: `${process} said that it can be taken back, and then did not: ${says}`,
});

/** Finds what was taken back, as far as anybody can know, and is not as it was. */
function notAsBefore({ at, process, wish, state }: Told): readonly Finding[] {
  const write = wish.done.findLast((one) => one.at <= at);
  if (state !== 'done' || !wish.takesBack || !write) return [];
  const item = wish.target ?? write.made;
  // Rows of the same moment follow each other as their writes do.
  const row = item?.versions.findLast(({ by }) => by === write.number)?.row;
  if (isAsWished(wish, row)) return [];
  const says = `${process} took ${wish.takesBack.name} ${wish.label} back, and it is ${JSON.stringify(row)}.`;
  return [{ rule: 'not as before', at, says }];
}

/** Whether a job is still going on, the API failed meanwhile, or somebody has changed the cloud after the last change of that process. */
function isHindered(
  { network, writes, story, told }: World,
  { process, deed, at, says, isLast, isSo }: NotBack,
): boolean {
  // A row that a store has told of may be an older one.
  if (network.exchanges.some((one) => one.isStored && one.deed === deed && one.process.name === process)) return true;
  // A part that was left for this reason is still left.
  const isLeft = told.some(
    (one) => one.process === process && one.state === 'left' && one.says !== '' && says.includes(one.says),
  );
  if (!isLast)
    return (
      isSo ||
      isLeft ||
      writes.some((write) => write.at <= at && write.by !== process) ||
      network.exchanges.some(({ fault }) => fault)
    );
  // The API has said that the token may not, as long as the session lasts; or the promise holds without it.
  if (/\bwait until\b|\bhas no permission\b|\bas it was before already\b/.test(says)) return true;
  if (story.deeds.some(({ number, faults }) => number === deed && faults.length > 0)) return true;
  const own = writes.findLast((write) => write.by === process && write.at <= at && write.status < 300);
  if (!own || network.exchanges.some((one) => one.deed === own.deed && one.fault !== undefined)) return true;
  return writes.some((write) => write.at >= own.at && write.at <= at && write !== own);
}
