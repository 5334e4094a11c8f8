import { planJsonSchema } from '../../config/jsonSchema.ts';
import { capabilitiesOf } from '../../terminal/capabilities.ts';
import type { Invocation } from '../arguments.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { print } from '../output.ts';
import { planDocument, planText } from './planText.ts';
import { readPlan } from './readPlan.ts';

/** The parts of a run that uses a plan. */
interface PlanRun {
  invocation: Invocation;
  /** Told of what is no result, as a sentence. */
  complain: (says: string) => void;
}

/** Carries out `skydeck plan`. Returns the exit code. */
export async function planCommand({ env, stdout }: NodeJS.Process, run: PlanRun): Promise<number> {
  const { plan: { topic, file } = { topic: 'schema', file: '' }, options, format } = run.invocation;
  if (topic === 'schema') {
    await print(stdout, planJsonSchema());
    return exit.fine;
  }
  const read = await readPlan(file);
  if ('mistakes' in read) {
    for (const mistake of read.mistakes) run.complain(mistake);
    return exit.usage;
  }
  const { glyphs } = capabilitiesOf(env, stdout);
  await print(
    stdout,
    format === 'json' ? planDocument(read.plan) : planText(read.plan, options.ascii ? 'ascii' : glyphs),
  );
  return exit.fine;
}
