import { redacted, redactorOf } from '../../api/redact.ts';
import { parsePlan } from '../../config/parsePlan.ts';
import { maxPlanBytes, type PlanFile, planVersion } from '../../config/planSchema.ts';
import { quoted } from '../../config/settingRules.ts';
import { idValue } from '../../resources/identity.ts';
import { describedActions, knownResource } from '../../resources/index.ts';
import { shellWord } from '../../text/escapes.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { Timestamp } from '../../text/times.ts';
import { counted, uncapitalized } from '../../text/words.ts';
import { type StepReference, withReferences } from '../changes/references.ts';
import type { Stores } from '../stores.ts';
import { hasBegun, isDone, isInDoubt, numberIn, openSteps, type Plan, type PlanStep, withoutSteps } from './plan.ts';
import { accountKey, otherAccount, readAccount } from './planAccount.ts';
import { inThisVersion, madeId } from './stepChange.ts';

/**
 * Writes what is left of a plan, without secrets and without what became of its steps. What is written can be read: it is
 * checked as a file is.
 * @param program the version of Skydeck
 * @returns sentences where there is nothing to write
 */
export function writtenPlan(
  { host, euuid, profile, steps }: Plan,
  { program, now }: { program: string; now: Timestamp },
): { text: string; plan: PlanFile } | { mistakes: readonly string[] } {
  const left = withoutSteps(steps, isDone);
  if (left.length === 0) return { mistakes: ['The plan has no steps to save.'] };
  const why = left.flatMap((step) => whyUnwritten(step, numberIn(steps, step.id)) ?? []);
  if (why.length > 0) return { mistakes: why };
  const file: PlanFile = {
    version: planVersion,
    madeAt: new Date(now).toISOString(),
    program,
    host,
    ...(euuid !== undefined && { euuid }),
    ...(profile !== undefined && { profile }),
    steps: left.map((step, place) => fileStep({ ...step, id: place + 1 }, steps, left)),
  };
  const text = `${redactorOf(left.map(({ record }) => record.params))(JSON.stringify(file, null, 2))}\n`;
  const parsed = parsePlan(text);
  return 'mistakes' in parsed ? parsed : { text, plan: parsed.plan };
}

/** Why a step cannot be in a file, as a sentence. */
function whyUnwritten(step: PlanStep, number: number): string | undefined {
  if (isInDoubt(step)) return `It is not known whether step ${number} was done; carry it out before you save.`;
  if (hasBegun(step)) return `Step ${number} has begun; carry it out to its end before you save.`;
  const { resource: name, action } = step.record;
  const resource = knownResource(name);
  if (!resource || describedActions(resource).some((one) => one.name === action)) return undefined;
  return `Step ${number} is a command of your own (${action}), which others do not have; carry it out or delete it before you save.`;
}

/** A step as a file has it, with references by the places of the steps that are left. */
function fileStep(
  { id, uid, record, wait, after }: PlanStep,
  all: readonly PlanStep[],
  left: readonly PlanStep[],
): PlanFile['steps'][number] {
  const numbered = (one: StepReference) => ({ ...one, $step: numberIn(left, one.$step) || left.length + 1 });
  const filled = (part: unknown, sentAs: (id: string) => string | number = idValue) =>
    redacted(
      withReferences(part, (one) => {
        const made = madeId(one, all);
        return made === undefined ? numbered(one) : sentAs(made);
      }),
    );
  const { resource, action, params, label, before, names, holds, price } = record;
  const { changes, body } = inThisVersion(record);
  return {
    id,
    uid,
    record: {
      resource,
      action,
      params: filled(params, String),
      label,
      body: filled(body),
      changes: filled(changes),
      before: redacted(before),
      names,
      holds,
      price,
    },
    wait,
    after: left.some((step) => step.uid === after) ? after : undefined,
  } as PlanFile['steps'][number];
}

/** The plan of the session with its account; the demo has another port at each start. */
export async function ownPlan({ plans, settings, cache }: Stores): Promise<Plan> {
  if (plans.plan().euuid === undefined) await readAccount(cache);
  return { ...plans.plan(), ...(settings.demo && { host: 'demo' }) };
}

/** Writes the plan to a new file that only its owner can read, and says so, or why not. */
export async function savePlan(stores: Stores, path: string, program: string): Promise<void> {
  const { files, notices, now, cache } = stores;
  const refuse = (why: string | undefined) => notices.say('bad', `The plan was not saved: ${why}`);
  const plan = await ownPlan(stores);
  const written = writtenPlan(plan, { program, now: now() });
  if ('mistakes' in written) return refuse(written.mistakes[0]);
  const { error } = cache.getState().answers[accountKey] ?? {};
  // A token that may not read the account can save plans all the same; a read that failed for now is tried again.
  if (plan.euuid === undefined && error && error.status !== 403)
    return refuse(`its file names the account, which could not be read: ${error.message}`);
  try {
    await files.save(path, written.text);
  } catch (error) {
    return notices.say('bad', (error as Error).message);
  }
  const secrets = written.text.includes('"[redacted]"') ? ' Secrets are not in it.' : '';
  const file = files.resolve(path);
  notices.say('good', `Saved for you alone; skydeck plan apply ${shellWord(file)} carries it out.${secrets}`);
}

/**
 * Takes the plan of a file in place of that of the session, which can be brought back. Resolves with whether it was
 * taken; a notice says that, or why not.
 */
export async function openPlan(stores: Stores, path: string): Promise<boolean> {
  const { plans, notices } = stores;
  const refuse = (why: string) => {
    notices.say('bad', `${path} was not opened: ${why}`);
    return false;
  };
  const read = await readText(stores, path);
  if ('why' in read) return refuse(read.why);
  const parsed = parsePlan(read.text);
  if ('mistakes' in parsed) {
    const more = parsed.mistakes.length - 1;
    return refuse(`${parsed.mistakes[0]}${more > 0 ? ` There are ${more} more; skydeck plan show tells them.` : ''}`);
  }
  const own = await ownPlan(stores);
  const { plan } = parsed;
  if (plan.host !== own.host) return refuse(`the plan is for ${quoted(plan.host)}, and this is ${quoted(own.host)}.`);
  const other = otherAccount(plan, own);
  if (other) return refuse(`${other.says}.`);
  const before = openSteps(plans.getState()).length;
  const why = plans.replace(plan);
  if (why !== undefined) return refuse(uncapitalized(why));
  const back = before > 0 ? `; ${keyLabel('plan.restore', 'u')} brings back the ${counted(before, 'step')} before` : '';
  notices.say('good', `Opened a plan of ${counted(plan.steps.length, 'step')}${back}.`);
  return true;
}

async function readText({ files }: Stores, path: string): Promise<{ text: string } | { why: string }> {
  const found = await files.look(path);
  if (found.kind === 'nothing') return { why: 'there is no such file.' };
  if (found.kind !== 'file') return { why: 'it is not a file that can be read.' };
  const unsafe = await files.whyUnsafePlan?.(path);
  if (unsafe !== undefined) return { why: unsafe };
  if (found.bytes > maxPlanBytes) return { why: `it is larger than ${maxPlanBytes / 1024 / 1024} MiB.` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path)) };
  } catch (error) {
    return { why: error instanceof TypeError ? 'it is not UTF-8 text.' : (error as Error).message };
  }
}
