import { closeSync } from 'node:fs';
import { planJsonSchema } from '../../config/jsonSchema.ts';
import { type ParsedPlan, parsePlan } from '../../config/parsePlan.ts';
import { maxPlanBytes } from '../../config/planSchema.ts';
import { capabilitiesOf } from '../../terminal/capabilities.ts';
import { counted } from '../../text/words.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { print } from '../output.ts';
import { openPrivate, readNamed, type Trusted, UnsafeFileError } from '../privateFile.ts';
import type { CommandRun } from '../settings.ts';
import { planDocument, planText } from './planText.ts';

/** Carries out `skydeck plan` and `skydeck dns`. Returns the exit code. */
export async function planCommand(run: CommandRun): Promise<number> {
  const { env, stdout } = run.host;
  if (run.invocation.dns) return (await import('./dnsCommand.ts')).dnsCommand(run);
  const { plan: { topic, file } = { topic: 'schema', file: '' }, options, format } = run.invocation;
  if (topic === 'schema') {
    await print(stdout, planJsonSchema());
    return exit.fine;
  }
  const read = readPlan(file, topic === 'apply' && !options.dryRun);
  if ('mistakes' in read) {
    for (const mistake of read.mistakes) run.complain(mistake);
    return exit.usage;
  }
  const glyphs = options.ascii ? 'ascii' : capabilitiesOf(env, stdout).glyphs;
  if (topic === 'apply') {
    const { applyPlan } = await import('./applyPlan.ts');
    return applyPlan({ ...run, glyphs }, read.plan);
  }
  await print(stdout, format === 'text' ? planText(read.plan, glyphs) : planDocument(read.plan, format));
  return exit.fine;
}

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
 * Reads and checks the file of a plan. Throws a UsageError where it cannot be read.
 * @param isCarriedOut whether somebody else may not have written it
 */
export function readPlan(file: string, isCarriedOut: boolean): ParsedPlan {
  const conditions = { isAnybodys: !isCarriedOut, isStrict: true, maxBytes: maxPlanBytes };
  const parsed = parsePlan(readNamed(file, { ...trustedPlan, ...conditions }));
  if ('plan' in parsed) return parsed;
  const [told, more] = [parsed.mistakes.slice(0, maxTold), parsed.mistakes.length - maxTold];
  const rest = more > 0 ? [`There ${more === 1 ? 'is' : 'are'} ${counted(more, 'further mistake')}.`] : [];
  return { mistakes: [...told, ...rest].map((says) => `${file}: ${says}`) };
}
