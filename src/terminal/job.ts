import { readFileSync } from 'node:fs';

/**
 * Whether a shell with job control runs this process, so that it can continue it once it was stopped. The first process
 * of a terminal would stay stopped for good.
 * @param stat the content of /proc/self/stat; without it, as outside Linux, a shell is assumed
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
