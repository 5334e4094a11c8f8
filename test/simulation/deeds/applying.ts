import { parsePlan } from '../../../src/config/parsePlan.ts';
import type { PlanFile } from '../../../src/config/planSchema.ts';
import { drawn } from '../../draw.ts';
import { apply } from './apply.ts';
import { type Doing, inProcess, noteWaits, tell, wishOf } from './doing.ts';

/** Runs `skydeck plan apply` on what was saved last, as it is or edited by hand. */
export async function runApply(doing: Doing): Promise<void> {
  const { world, seat, deed } = doing;
  if (deed.what === 'apply edited') editFile(doing);
  const [path, text = ''] = [...world.machine.saved].at(-1) ?? [];
  const parsed = parsePlan(text);
  if (path === undefined || 'mistakes' in parsed) return;
  const { steps } = parsed.plan;
  const first = steps.find((step) => (wishOf(doing, step)?.done.length ?? 0) === 0) ?? steps[0];
  const words = deed.what === 'from' ? ['--from', String(first?.id)] : [];
  if (deed.what === 'from')
    for (const step of steps.slice(steps.indexOf(first as never))) {
      const wish = wishOf(doing, step);
      wish?.again.push(world.clock.now);
    }
  // A step before the one that it begins at is waited for by nobody.
  if (deed.what !== 'from') noteWaits(doing, steps);
  const started = world.start(seat);
  const { name } = started.process;
  const once = async (given: readonly string[]) => {
    world.say(name, `applies ${path} ${given.join(' ')}`);
    const applied = await apply(world.machine, seat.login, started.process, { text, words: ['--jsonl', ...given] });
    world.applied.push({ ...applied, at: world.clock.now, deed: deed.number, process: name, text, words: given });
    for (const line of applied.lines) noteLine(doing, name, { steps, line, meant: statesIn(given) });
    world.say(name, `ends with ${applied.code}`);
    return applied;
  };
  await inProcess(doing, started, async () => {
    if (deed.what === 'dry run') return once(['--dry-run', ...words]);
    const { lines } = await once([...words, '--confirm', String(steps.length)]);
    // Only what is left is counted.
    const [, left] = lines.map((line) => /the plan has (\d+) steps? to carry out/.exec(line)).find(Boolean) ?? [];
    return left === undefined ? undefined : once([...words, '--confirm', left]);
  });
  world.end(started.process);
}

/** A line of the output, and the states that are meant by its words. */
interface Printed {
  steps: PlanFile['steps'];
  line: string;
  meant: Readonly<Record<string, string>>;
}

/** The words of the output for states; a dry run says only what would become of a step. */
const statesIn = (words: readonly string[]): Readonly<Record<string, string>> => ({
  'done before': 'done',
  ...(words.includes('--dry-run') && { refused: 'would be refused' }),
});

/** Notes what a line of the output says of a step. */
function noteLine(doing: Doing, process: string, { steps, line, meant }: Printed): void {
  const { step: id, state, says } = line.startsWith('{') ? JSON.parse(line) : {};
  const step = steps.find((one) => one.id === id);
  const wish = step && wishOf(doing, step);
  if (!wish || state === 'fine') doing.world.say(process, `prints: ${line}`);
  else tell(doing, process, wish, meant[state] ?? state, says);
}

/** Edits the file of a plan: without one of its steps, or with the label of another row. */
function editFile({ world, deed, random }: Doing): void {
  const [path, text] = [...world.machine.saved].at(-1) ?? [];
  if (path === undefined || text === undefined) return;
  const plan: PlanFile = JSON.parse(text);
  const step = drawn(random, plan.steps);
  const isNeeded = JSON.stringify(plan.steps.map(({ record }) => [record.params, record.body])).includes(
    `"$step":${step.id}`,
  );
  const isDropped = random() < 0.6 && plan.steps.length > 1 && !isNeeded;
  const labelled = { ...step, record: { ...step.record, label: 'scratch' } };
  const steps = isDropped
    ? plan.steps.filter((one) => one !== step)
    : plan.steps.map((one) => (one === step ? labelled : one));
  const edited = `plan-${deed.number}.json`;
  world.machine.saved.set(edited, JSON.stringify({ ...plan, steps }));
  world.say(
    'apply',
    `edits ${path}: ${isDropped ? `without step ${step.id}` : `step ${step.id} is called scratch`}, as ${edited}`,
  );
}
