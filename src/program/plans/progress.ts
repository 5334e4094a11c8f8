import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../api/responseText.ts';
import type { PlanFile } from '../../config/planSchema.ts';
import { isRow } from '../../resources/row.ts';
import type { AccountState } from '../../store/kept/accountState.ts';
import { isDone, isInDoubt, type Plan, type PlanStep, withoutResult } from '../../store/plans/plan.ts';
import { busySentence } from '../../store/plans/planKeeper.ts';
import { progressValue, withProgress } from '../../store/plans/storedPlan.ts';
import { dateText } from '../../text/times.ts';
import { stateDirectory } from '../directories.ts';
import { readPrivate } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import { trustedState } from '../state/database.ts';
import { StateError } from '../state/failures.ts';
import type { StateHost } from '../state/state.ts';

/** A plan of a file with what became of its steps, kept while it is carried out and afterwards. */
export interface PlanProgress {
  plan: Plan;
  /** Throws a UsageError where it cannot be kept, so that nothing is sent that would be forgotten. */
  keep(now: Plan): void;
  /** Lets other sessions carry the plan out again. */
  end(): void;
}

export interface ProgressOptions {
  /** Absent with the demo, of which nothing is kept. */
  state: AccountState | undefined;
  /** The process, in whose state directory files of earlier versions may be. */
  host: StateHost;
  /** The step at which to begin, whatever was done. */
  from: number | undefined;
  /** Nothing is sent. */
  dryRun?: boolean;
}

/**
 * The plan of a file with what is known of its steps, which no other session carries out meanwhile. Throws a UsageError
 * where that is not known; returns a sentence where another session carries some of them out.
 */
export function openProgress(file: PlanFile, options: ProgressOptions): PlanProgress | string {
  const { state, from, dryRun } = options;
  if (!state) return { plan: planFrom(file, from), keep: () => {}, end: () => {} };
  const uids = file.steps.map(({ uid }) => uid);
  let end: (() => void) | undefined = () => {};
  try {
    takeOverProgress(file, state, options);
    if (!dryRun) end = state.begin(uids);
    if (!end) return busySentence(state, uids);
    const values = state.of('progress').read(uids);
    if (from === undefined && values.size < uids.length) checkAside(file, state.asideAt());
    const steps = withProgress(file.steps, values);
    const known = planFrom({ ...file, steps }, from);
    return { plan: known, keep: keeperOf(state, steps), end };
  } catch (error) {
    end?.();
    if (!(error instanceof StateError)) throw error;
    throw new UsageError(`Nothing was sent, because it is not known what was done of this plan: ${error.message}`);
  }
}

/** Keeps the results that are not as they were. */
function keeperOf(state: AccountState, steps: readonly PlanStep[]): PlanProgress['keep'] {
  const kept = new Map(steps.map(({ uid, result }) => [uid, result]));
  return ({ steps: now }) => {
    const changed = now.filter(({ uid, result }) => kept.get(uid) !== result);
    try {
      state.of('progress').put(changed.map((step) => [step.uid, progressValue(step)] as const));
    } catch (error) {
      throw new UsageError(`Nothing more was sent, because what was done cannot be noted: ${(error as Error).message}`);
    }
    for (const { uid, result } of changed) kept.set(uid, result);
  };
}

/** Throws a UsageError where the record of a plan from before may have been set aside. */
function checkAside({ madeAt, steps: [first] }: PlanFile, asideAt: number | undefined): void {
  if (asideAt === undefined || Date.parse(madeAt) >= asideAt) return;
  throw new UsageError(
    `It is not known what was done of this plan, because what was kept was set aside on ${dateText(asideAt)}: look at its rows, then begin with --from ${first?.id}, or a later step. Nothing was sent.`,
  );
}

/** The plan from a step on, as if it was never tried but for what is in doubt, with what was done before it. */
function planFrom(plan: Plan, from: number | undefined): Plan {
  if (from === undefined) return plan;
  const begin = plan.steps.findIndex(({ id }) => id === from);
  if (begin < 0) throw new UsageError(`The plan has no step ${from}; nothing was sent.`);
  const anew = plan.steps.slice(begin).map((step) => (isInDoubt(step) ? step : withoutResult(step)));
  return { ...plan, steps: [...plan.steps.slice(0, begin).filter(isDone), ...anew] };
}

/** Takes over what earlier versions have kept of these steps, in a file that is named after all of them. */
function takeOverProgress({ host, euuid, steps }: PlanFile, state: AccountState, options: ProgressOptions): void {
  const records = steps.map(({ id, record }) => ({ id, record }));
  const digest = createHash('sha256')
    .update(JSON.stringify([host, euuid, records]))
    .digest('hex');
  const former = join(stateDirectory(options.host.env), 'plans', `${digest.slice(0, 32)}.json`);
  if (!existsSync(former)) return;
  const content = parseJson(readPrivate(former, trustedState, options.host.geteuid?.()).toString());
  const results = isRow(content) && Array.isArray(content.results) ? content.results : undefined;
  if (!results?.every(Array.isArray))
    throw new UsageError(
      `${former} is damaged, so it is not known what was done of this plan; look at its rows, then remove that file and begin with --from ${steps[0]?.id}, or a later step. Nothing was sent.`,
    );
  const byId = new Map(results.map(([id, result]) => [id, result]));
  const values = state.of('progress');
  const kept = values.read(steps.map(({ uid }) => uid));
  const found = steps.filter(({ id, uid }) => byId.has(id) && !kept.has(uid));
  values.put(found.map((step) => [step.uid, progressValue({ ...step, result: byId.get(step.id) })] as const));
  if (!options.dryRun) rmSync(former, { force: true });
}
