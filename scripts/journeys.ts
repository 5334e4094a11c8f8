import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One operation of the documents. */
interface Template {
  method: string;
  path: string;
}

/** One request of the dashboard that a journey saw answered well. */
export interface RecordedRequest {
  /** The path of the journey's file. */
  file: string;
  method: string;
  /** Its path without the query. */
  path: string;
}

/** Runs every journey with `test/record.ts` in it and answers what they carried out. Throws when one of them fails. */
export function recordJourneys(): readonly RecordedRequest[] {
  const folder = mkdtempSync(join(tmpdir(), 'skydeck-journeys-'));
  const record = join(folder, 'requests.tsv');
  try {
    const env = { ...process.env, SKYDECK_RECORD: record };
    const { status } = spawnSync('vitest', ['run', 'test/journeys'], { stdio: 'inherit', env });
    if (status !== 0) throw new Error('a journey fails, so what the journeys prove was not written');
    return readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [file = '', method = '', path = ''] = line.split('\t');
        return { file, method, path };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** For each operation that was carried out, one line: the operation, and the journey that is most about it, the one with the fewest others. */
export function journeyLines(seen: readonly RecordedRequest[], operations: readonly Template[]): string {
  const matchers = operations
    .map((one) => ({ one, literals: literals(one.path), pattern: patternOf(one.path) }))
    .sort((one, other) => other.literals - one.literals || parts(other.one.path) - parts(one.one.path));
  const files = new Map<string, Set<Template>>();
  for (const { file, method, path } of seen) {
    const match = matchers.find(({ one, pattern }) => one.method === method && pattern.test(path));
    if (match) files.set(file, (files.get(file) ?? new Set()).add(match.one));
  }
  const narrowest = [...files].sort(([a, one], [b, other]) => one.size - other.size || a.localeCompare(b));
  return operations
    .map((operation) => {
      const [file] = narrowest.find(([, carriedOut]) => carriedOut.has(operation)) ?? [];
      return file === undefined ? '' : `${operation.method} ${operation.path}\t${file}\n`;
    })
    .join('');
}

const parts = (path: string) => path.split('/').length;

const literals = (path: string) => path.split('/').filter((part) => !part.startsWith('{')).length;

/** A parameter may hold slashes, as the ids of images do; the path with the most literal parts, then with the most parts, is tried first. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+')}$`);
