import { planJsonSchema } from '../../config/jsonSchema.ts';
import { capabilitiesOf } from '../../terminal/capabilities.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { print } from '../output.ts';
import type { PlanRun } from './planAccount.ts';
import { planDocument, planText } from './planText.ts';
import { readPlan } from './readPlan.ts';

/** Carries out `skydeck plan` and `skydeck dns`. Returns the exit code. */
export async function planCommand(host: NodeJS.Process, given: Omit<PlanRun, 'glyphs'>): Promise<number> {
  const { env, stdout } = host;
  if (given.invocation.dns) return (await import('./dnsCommand.ts')).dnsCommand(host, given);
  const { plan: { topic, file } = { topic: 'schema', file: '' }, options, format } = given.invocation;
  if (topic === 'schema') {
    await print(stdout, planJsonSchema());
    return exit.fine;
  }
  const read = readPlan(file, topic === 'apply' && !options.dryRun);
  if ('mistakes' in read) {
    for (const mistake of read.mistakes) given.complain(mistake);
    return exit.usage;
  }
  const glyphs = options.ascii ? 'ascii' : capabilitiesOf(env, stdout).glyphs;
  if (topic === 'apply') {
    const { applyPlan } = await import('./applyPlan.ts');
    return applyPlan(host, { ...given, glyphs }, read.plan);
  }
  await print(stdout, format === 'text' ? planText(read.plan, glyphs) : planDocument(read.plan, format));
  return exit.fine;
}
