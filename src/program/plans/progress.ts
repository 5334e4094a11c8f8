import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { PlanFile } from '../../config/planSchema.ts';
import type { StepResult } from '../../store/plans/plan.ts';
import { reasonOf } from '../../text/errno.ts';
import { replacePrivate } from '../privateFile.ts';
import { UsageError } from '../rules.ts';

/** The results of the steps of a plan by their ids, kept while it is carried out and afterwards. */
export interface Progress {
  readonly file: string;
  /** Empty where nothing was tried. Throws a UsageError where it is not known what was. */
  read(): ReadonlyMap<number, StepResult>;
  /** Throws a UsageError where it cannot be written, so that nothing is sent that would be forgotten. */
  write(results: ReadonlyMap<number, StepResult>): void;
}

const texts = v.record(v.string(), v.string());

const resultSchema = v.object({
  state: v.picklist(['sent', 'unknown', 'done', 'failed', 'refused']),
  at: v.number(),
  says: v.optional(v.string()),
  made: v.optional(texts),
  since: v.optional(
    v.object({
      at: v.number(),
      sent: v.optional(v.object({ from: v.number(), to: v.number() })),
      ids: v.array(v.string()),
      whole: v.array(v.string()),
      event: v.optional(v.union([v.number(), v.string()])),
    }),
  ),
});

const progressSchema = v.object({ version: v.literal(1), results: v.array(v.tuple([v.number(), resultSchema])) });

/**
 * The progress of a plan in the state directory. The same steps on the same account share it, wherever their file lies.
 */
export function openProgress(directory: string, { host, euuid, steps }: PlanFile): Progress {
  const digest = createHash('sha256')
    .update(JSON.stringify([host, euuid, steps.map(({ id, record }) => ({ id, record }))]))
    .digest('hex');
  const file = join(directory, 'plans', `${digest.slice(0, 32)}.json`);
  return {
    file,
    read() {
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
        throw new UsageError(`${file}, which says what was done of this plan, cannot be read: ${reasonOf(error)}.`);
      }
      const parsed = v.safeParse(progressSchema, parsedJson(text));
      if (parsed.success) return new Map(parsed.output.results);
      throw new UsageError(
        `${file} is damaged, so it is not known what was done of this plan; look at its rows, then remove that file and begin with --from.`,
      );
    },
    write(results) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        replacePrivate(file, `${JSON.stringify({ version: 1, results: [...results] })}\n`);
      } catch (error) {
        throw new UsageError(
          `Nothing more was sent, because ${file}, which says what was done, cannot be written: ${reasonOf(error)}.`,
        );
      }
    },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
