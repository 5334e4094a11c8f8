import { join } from 'node:path';
import type { ParsedConfig } from '../../config/parseConfig.ts';
import { attempt } from '../../text/errno.ts';
import { readCache, saveCache } from '../compiled.ts';

/**
 * The results of checking configurations, kept beside the compiled code until the text or the program is another one:
 * checking takes longer than all else of a start.
 */
export type CachedConfig = ReturnType<typeof cachedConfig>;

type Entries = Readonly<Record<string, { source: string; parsed: ParsedConfig }>>;

/** The configuration and the saved views, of a few users of this directory. */
const maxEntries = 8;

/**
 * @param directory of the compiled code, which nobody else can write
 * @param build names the program
 */
export function cachedConfig(directory: string, build: string, owner: number | undefined) {
  const kept = join(directory, `config-${build}`);
  let entries: Entries | undefined;
  const all = (): Entries => {
    entries ??= entriesIn(readCache(kept, build, owner));
    return entries;
  };
  return {
    /** The result for this text; undefined where it was not checked by this program. */
    read(file: string, source: string) {
      const entry = Object.hasOwn(all(), file) ? all()[file] : undefined;
      return entry?.source === source ? entry.parsed : undefined;
    },
    keep(file: string, source: string, parsed: ParsedConfig) {
      const others = Object.entries(all()).filter(([name]) => name !== file);
      entries = Object.fromEntries([[file, { source, parsed }] as const, ...others].slice(0, maxEntries));
      void saveCache(kept, build, owner, Buffer.from(JSON.stringify(entries)));
    },
  };
}

const entriesIn = (data: Buffer | undefined): Entries => (data && attempt(() => JSON.parse(data.toString()))) ?? {};
