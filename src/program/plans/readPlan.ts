import { constants, open } from 'node:fs/promises';
import { parsePlan } from '../../config/parsePlan.ts';
import { maxPlanBytes, type PlanFile } from '../../config/planSchema.ts';
import { reasonOf } from '../../text/errno.ts';
import { counted } from '../../text/words.ts';

/** A plan with its text, or sentences about why it cannot be read. */
export type ReadPlan = { plan: PlanFile; source: string } | { mistakes: readonly string[] };

/** Of a file with many mistakes so many are told. */
const maxTold = 20;

/** Reads and checks the file of a plan. Never rejects. */
export async function readPlan(file: string): Promise<ReadPlan> {
  const read = await readText(file);
  if ('mistake' in read) return { mistakes: [`The plan ${file} ${read.mistake}.`] };
  const parsed = parsePlan(read.text);
  if ('plan' in parsed) return { ...parsed, source: read.text };
  const [told, more] = [parsed.mistakes.slice(0, maxTold), parsed.mistakes.length - maxTold];
  const rest = more > 0 ? [`There ${more === 1 ? 'is' : 'are'} ${counted(more, 'further mistake')}.`] : [];
  return { mistakes: [...told, ...rest].map((says) => `${file}: ${says}`) };
}

async function readText(file: string): Promise<{ text: string } | { mistake: string }> {
  try {
    // With O_NONBLOCK a pipe opens at once, and is refused.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return { mistake: 'is not a file' };
      if (stat.size > maxPlanBytes) return { mistake: `is larger than ${maxPlanBytes / 1024 / 1024} MiB` };
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile()) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError) return { mistake: 'is not UTF-8 text' };
    return { mistake: `cannot be read: ${reasonOf(error)}` };
  }
}
