import { readFileSync } from 'node:fs';

/**
 * Whether a shell runs this process as a job, so that it takes the terminal when the job stops and can bring it back. The
 * first process of a terminal, and what that runs without control of jobs, would stand still for good.
 * @param stat the process as Linux tells of it; where it does not, there is taken to be a shell
 */
export function isJob(stat = ownStat()): boolean {
  const [, group, session] = /^\d+ \(.*\) \S \d+ (\d+) (\d+) /s.exec(stat ?? '') ?? [];
  return group === undefined || group !== session;
}

function ownStat(): string | undefined {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return undefined;
  }
}
