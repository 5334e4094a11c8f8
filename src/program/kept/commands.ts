import { rm } from 'node:fs/promises';
import { clean } from '../../text/cells.ts';
import { reasonOf } from '../../text/errno.ts';
import { sizeText } from '../../text/numbers.ts';
import { ageText } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import type { Invocation } from '../arguments.ts';
import { UsageError } from '../rules.ts';
import { type DirectoryFile, keptDirectory, keptFiles } from './keptDirectory.ts';
import { type KeptIndex, openKeptFile, UnfitError } from './keptFile.ts';

/** A file with what it says of itself, or why it says nothing. */
interface Found extends DirectoryFile {
  index?: KeptIndex;
  why?: string;
}

/** Carries out `skydeck cache`. Returns what is to be printed; throws a UsageError where a file cannot be removed. */
export async function cacheCommand(
  { clears, options }: Pick<Invocation, 'clears' | 'options'>,
  { env, geteuid }: Pick<NodeJS.Process, 'env' | 'geteuid'>,
): Promise<string> {
  const directory = keptDirectory(env);
  const { profile } = options;
  const files = await keptFiles(directory).catch((error: unknown) => {
    throw new UsageError(`${directory} cannot be read: ${reasonOf(error)}.`);
  });
  const all = files.map((file) => examined(file, geteuid?.()));
  const found = all.filter(({ index }) => profile === undefined || index?.profile === profile);
  if (found.length === 0) return `No lists are kept${profile === undefined ? '' : ` of ${profile}`} in ${directory}.\n`;
  if (!clears) return found.map(described).join('');
  for (const { file } of found)
    await rm(file, { force: true }).catch((error: unknown) => {
      throw new UsageError(`${file} cannot be removed: ${reasonOf(error)}.`);
    });
  const bytes = found.reduce((sum, file) => sum + file.bytes, 0);
  const profiles = [...new Set(found.flatMap(({ index }) => index?.profile ?? []))];
  return `Removed the kept lists${profiles.length > 0 ? ` of ${profiles.join(', ')}` : ''}, ${sizeText(bytes)}.\n`;
}

function examined(file: DirectoryFile, owner: number | undefined): Found {
  try {
    const opened = openKeptFile(file.file, owner, Date.now());
    opened?.close();
    return { ...file, index: opened?.index };
  } catch (error) {
    if (error instanceof UnfitError) return { ...file, why: error.message };
    throw error;
  }
}

/** A file in two lines. */
function described({ file, bytes, index, why }: Found): string {
  if (!index) return `Unusable, ${sizeText(bytes)}: ${why ?? 'it has gone'}\n  ${file}\n`;
  const rows = index.lists.reduce((sum, list) => sum + list.rows, 0);
  const parts = [counted(index.lists.length, 'list'), counted(rows, 'row'), sizeText(bytes)];
  const age = ageText(Math.max(0, Date.now() - index.writtenAt));
  return `${clean(index.profile)}: ${parts.join(', ')}, kept ${age} ago of ${clean(index.baseUrl)}\n  ${file}\n`;
}
