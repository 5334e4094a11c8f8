import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parsePlan } from '../../config/parsePlan.ts';
import { maxPlanBytes, type PlanFile } from '../../config/planSchema.ts';
import { reasonOf } from '../../text/errno.ts';
import { counted } from '../../text/words.ts';
import { openPrivate, type Trusted, UnsafeFileError } from '../privateFile.ts';

/** A plan with its text, or sentences about why it cannot be read. */
export type ReadPlan = { plan: PlanFile; source: string } | { mistakes: readonly string[] };

/** Of a file with many mistakes so many are told. */
const maxTold = 20;

/** It is the user's. */
const trustedPlan: Trusted = { called: 'The plan', because: 'and its steps would be sent', isUsers: true };

/** Why a plan is not to be carried out, as a sentence, where somebody else may have written its file. */
export function whyUnsafePlan(file: string): string | undefined {
  try {
    closeSync(openPrivate(file, trustedPlan));
    return undefined;
  } catch (error) {
    return error instanceof UnsafeFileError ? error.message : undefined;
  }
}

/**
 * Reads and checks the file of a plan.
 * @param isCarriedOut whether somebody else may not have written it
 */
export function readPlan(file: string, isCarriedOut: boolean): ReadPlan {
  const read = readText(file, isCarriedOut);
  if ('mistakes' in read) return read;
  const parsed = parsePlan(read.text);
  if ('plan' in parsed) return { ...parsed, source: read.text };
  const [told, more] = [parsed.mistakes.slice(0, maxTold), parsed.mistakes.length - maxTold];
  const rest = more > 0 ? [`There ${more === 1 ? 'is' : 'are'} ${counted(more, 'further mistake')}.`] : [];
  return { mistakes: [...told, ...rest].map((says) => `${file}: ${says}`) };
}

/** The text of a file, or a sentence about why it cannot be read. */
export function readText(
  file: string,
  isCarriedOut: boolean,
  called = 'plan',
): { text: string } | { mistakes: readonly string[] } {
  const refuse = (why: string) => ({ mistakes: [`The ${called} ${file} ${why}.`] });
  try {
    // With O_NONBLOCK a pipe opens at once, and is refused.
    const descriptor = isCarriedOut
      ? openPrivate(file, trustedPlan)
      : openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return refuse('is not a file');
      if (stat.size > maxPlanBytes) return refuse(`is larger than ${maxPlanBytes / 1024 / 1024} MiB`);
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor)) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof UnsafeFileError) return { mistakes: [error.message] };
    return refuse(error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read: ${reasonOf(error)}`);
  }
}
