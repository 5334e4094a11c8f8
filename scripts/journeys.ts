import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One operation of the documents. */
interface Template {
  method: string;
  path: string;
}

/** A request of the dashboard that succeeded in a journey. */
export interface RecordedRequest {
  /** The path of the journey's file. */
  file: string;
  method: string;
  /** The path without the query. */
  path: string;
}

/** Runs every journey with `test/record.ts` and returns their requests. Throws when a journey fails. */
export function recordJourneys(): readonly RecordedRequest[] {
  const folder = mkdtempSync(join(tmpdir(), 'skydeck-journeys-'));
  const record = join(folder, 'requests.tsv');
  try {
    const env = { ...process.env, SKYDECK_RECORD: record };
    const { status } = spawnSync('vitest', ['run', 'test/journeys'], { stdio: 'inherit', env });
    if (status !== 0) throw new Error('a journey has failed, so nothing was written');
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

/** A line for each operation that was carried out: the operation, and of its journeys the one with the fewest others. */
export function journeyLines(requests: readonly RecordedRequest[], operations: readonly Template[]): string {
  // Longer and more literal paths are tried first, as parameters match slashes.
  const matchers = operations
    .map((one) => ({ one, literals: literals(one.path), pattern: patternOf(one.path) }))
    .sort((one, other) => other.literals - one.literals || parts(other.one.path) - parts(one.one.path));
  const files = new Map<string, Set<Template>>();
  for (const { file, method, path } of requests) {
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

/** A parameter may have slashes, as the ids of images do. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+')}$`);
