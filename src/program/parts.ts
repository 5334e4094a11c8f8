import { openSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { attempt } from '../text/errno.ts';
import { readAndClose } from './privateFile.ts';

/** Whether the program is one executable file, which has its parts inside. */
export const isExecutable = isSea();

/**
 * Opens a part of the program: a script, its source map, compiled code. It can be read later, once, even where another
 * version has taken its place; into `room` where that is enough. Throws where there is none of this name.
 */
export function openPart(file: string): (room?: Buffer) => Buffer {
  if (isExecutable) return () => Buffer.from(getRawAsset(basename(file)));
  const descriptor = openSync(file, 'r');
  return (room) => readAndClose(descriptor, room);
}

/** The names of the parts in the directory of the program. */
export const partsIn = (directory: string): readonly string[] =>
  isExecutable ? getAssetKeys() : readdirSync(directory);

/** The name of a script in stack traces: the entry of an executable file has the one that it was built from. */
export const nameInTraces = (script: string): string =>
  isExecutable && basename(script) === 'executable.js' ? 'dist/executable.js' : script;

/** The version with what it was made of and runs on: `skydeck 0.1.0 (commit 1f2e3d4c5b6a, Node 26.10.0)`. */
export function versionLine({ version }: Pick<NodeJS.Process, 'version'>): string {
  // Sources that are run as they are have no such part.
  const { commit } = attempt(() => JSON.parse(String(openPart(join(import.meta.dirname, 'package.json'))()))) ?? {};
  return `skydeck ${SKYDECK_VERSION} (${commit ? `commit ${commit}, ` : ''}Node ${version.slice(1)})`;
}
