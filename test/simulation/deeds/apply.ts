import { openSync } from 'node:fs';
import { parsePlan } from '../../../src/config/parsePlan.ts';
import { parseArguments } from '../../../src/program/arguments.ts';
import { applyPlan } from '../../../src/program/plans/applyPlan.ts';
import { UsageError } from '../../../src/program/rules.ts';
import type { Process } from '../clock.ts';
import { type Login, type Machine, settingsFor } from '../machine.ts';

/** The output of a run of `skydeck plan apply`. */
export interface Applied {
  readonly lines: readonly string[];
  readonly code: number;
}

/** No file, so that what is printed to it goes through the stream. */
const nowhere = openSync('/dev/null', 'w');

/** The part of Node's process that a run uses. */
function hostOf(machine: Machine, process: Process, lines: string[]): NodeJS.Process {
  const stream = {
    fd: nowhere,
    isTTY: false,
    write: (text: string, done?: () => void) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
      done?.();
      return true;
    },
  };
  const host = { env: machine.env, pid: process.pid, kill: machine.kill, geteuid: () => machine.owner };
  return { ...host, stdin: { isTTY: false }, stdout: stream, stderr: stream, on: () => {}, off: () => {} } as never;
}

/** Runs `skydeck plan apply` on the text of a plan. Called within its process. */
export async function apply(
  machine: Machine,
  login: Login,
  process: Process,
  { text, words }: { text: string; words: readonly string[] },
): Promise<Applied> {
  const lines: string[] = [];
  const complain = (says: string) => void lines.push(says);
  const parsed = parsePlan(text);
  if ('mistakes' in parsed) return { lines: parsed.mistakes, code: 2 };
  const invocation = parseArguments(['plan', 'apply', 'plan.json', ...words]);
  const settings = async () => settingsFor(login);
  try {
    const host = hostOf(machine, process, lines);
    const run = { invocation, host, settings, glyphs: 'unicode' as const, secrets: [], complain };
    const code = await applyPlan(run, parsed.plan);
    return { lines, code };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { lines: [...lines, error.message], code: 2 };
  }
}
