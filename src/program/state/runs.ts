import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRow, isText, isTexts } from '../../resources/row.ts';
import type { Running, StoredValues } from '../../store/kept/accountState.ts';
import { attempt } from '../../text/errno.ts';
import { day } from '../../text/times.ts';

/** The process that carries steps out. */
export type RunOwner = Pick<NodeJS.Process, 'pid' | 'kill'>;

/** A run of another machine is not seen to end; by then it has, and one that begins later was of a wrong clock. */
const maxAge = day;

/** Who carries steps out, as it is kept. */
interface StoredRun extends Running {
  /** When the process began, in ticks of the system; another process may have its number later. Only Linux tells. */
  began?: number;
  /** The boot id of the kernel, and the namespace of process ids. Only Linux tells. */
  system?: readonly [bootId: string, pidNamespace: string];
}

/** The runs of an account, as this process keeps and sees them. */
export function runsIn(values: StoredValues, owner: RunOwner, now: () => number) {
  /** The first run that has some of these steps and is not over. */
  function running(uids: readonly string[]): StoredRun | undefined {
    const wanted = new Set(uids);
    const isMeant = (run: unknown): run is StoredRun =>
      isRun(run) && !isOver(run, owner, now()) && run.uids.some((uid) => wanted.has(uid));
    return [...values.read().values()].find(isMeant);
  }

  /**
   * Keeps that these steps are being carried out, and forgets the runs that are over; within a transaction. Returns a
   * function that ends the run, or undefined where another one has some of the steps.
   */
  function begin(uids: readonly string[]): (() => void) | undefined {
    if (running(uids)) return undefined;
    const key = Math.random().toString(36).slice(2);
    const over = [...values.read()].filter(([, run]) => isOver(run, owner, now()));
    const { began } = processOf(owner.pid);
    const run: StoredRun = { uids, pid: owner.pid, host: hostname(), at: now(), began, system: systemOf() };
    values.put([...over.map(([ended]) => [ended, undefined] as const), [key, run]]);
    // Where that fails, it is over once this process has ended.
    return () => attempt(() => values.put([[key, undefined]]));
  }

  return { running, begin };
}

/** Whether a run has ended, so that its steps are free: its process is there no more. */
function isOver(run: unknown, owner: RunOwner, now: number): boolean {
  if (!isRun(run)) return true;
  const [bootId, pidNamespace] = systemOf() ?? [];
  // The name of a machine may change while a process goes on, and containers may have the same.
  const isSameBoot = bootId !== undefined && run.system?.[0] === bootId;
  const isHere = isSameBoot ? run.system?.[1] === pidNamespace : run.host === hostname();
  if (!isHere) return Math.abs(now - run.at) > maxAge;
  try {
    owner.kill(run.pid, 0);
  } catch (error) {
    // The process of another user is there as well.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const { isDead, began } = processOf(run.pid);
  return isDead || (began !== undefined && run.began !== undefined && began !== run.began);
}

const isRun = (value: unknown): value is StoredRun =>
  isRow(value) &&
  Number.isSafeInteger(value.pid) &&
  Number(value.pid) > 0 &&
  isText(value.host) &&
  typeof value.at === 'number' &&
  isTexts(value.uids);

const systemOf = (): StoredRun['system'] =>
  attempt(() => [readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), readlinkSync('/proc/self/ns/pid')]);

/** A process as far as the system tells. One that is dead keeps its number until its parent asks for its end. */
function processOf(pid: number): { isDead: boolean; began: number | undefined } {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  // The name of the program, in parentheses, may hold anything; behind it the state is the first field, the start the 20th.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const began = Number(fields[19]);
  return { isDead: fields[0] === 'Z', began: Number.isSafeInteger(began) ? began : undefined };
}
