import { planJsonSchema } from '../../config/jsonSchema.ts';
import { capabilitiesOf } from '../../terminal/capabilities.ts';
import { exit } from '../commandLine/exitCodes.ts';
import type { CommandRun } from '../commandRun.ts';
import { print } from '../output.ts';
import { planDocument, planText } from './planText.ts';
import { readPlan } from './readPlan.ts';

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
