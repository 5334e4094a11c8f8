import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { PlanStateFile } from '../../store/plans/planKeeper.ts';
import { reasonOf } from '../../text/errno.ts';
import { openStateFile } from '../stateFile.ts';

/** The process that takes locks. */
export type LockOwner = Pick<NodeJS.Process, 'pid' | 'kill'>;

/** The file of a profile's plan in the state directory. */
export function openPlanStateFile(host: LockOwner, directory: string, profile: string): PlanStateFile {
  const file = openStateFile(directory, profile);
  return { ...file, lock: () => lockFile(host, file.path) };
}

/**
 * Takes the lock of a file, which lasts until the result is called or the process ends.
 * @returns a sentence where another process has it
 */
export function lockFile(process: LockOwner, file: string): (() => void) | string {
  const lock = `${file}.lock`;
  const own = JSON.stringify({ host: hostname(), pid: process.pid, nonce: Math.random() });
  try {
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
    const before = textOf(lock);
    if (before !== undefined && isLeft(process, before)) removeLeft(lock, before);
    writeFileSync(lock, own, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      return `Nothing was sent, because ${lock} cannot be written: ${reasonOf(error)}.`;
    const { owner, host } = ownerOf(textOf(lock));
    const who = owner === undefined ? '' : ` (process ${owner} on ${host})`;
    return `Another Skydeck${who} carries this plan out; nothing was sent. Where that is not so, remove ${lock}.`;
  }
  return () => {
    if (textOf(lock) === own) rmSync(lock, { force: true });
  };
}

/** Removes a lock whose process has ended; one that another process has taken meanwhile is put back. */
function removeLeft(lock: string, before: string): void {
  const aside = `${lock}.${Math.random().toString(36).slice(2)}`;
  renameSync(lock, aside);
  if (textOf(aside) === before) rmSync(aside, { force: true });
  else renameSync(aside, lock);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether the process of a lock has ended; of another machine that is not known. */
function isLeft(process: LockOwner, text: string): boolean {
  const { owner, host } = ownerOf(text);
  if (owner === undefined || host !== hostname()) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function ownerOf(text = ''): { owner?: number; host?: string } {
  try {
    const { pid: owner, host } = JSON.parse(text) as Record<string, unknown>;
    const isKnown = Number.isSafeInteger(owner) && Number(owner) > 0 && typeof host === 'string';
    return isKnown ? { owner: Number(owner), host } : {};
  } catch {
    return {};
  }
}
