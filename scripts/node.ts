import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The version of Node that an executable file has inside. */
const version = '26.10.0';

/** Options with which Node compiles a script to the same code each time, and which that code may be run without. */
export const withoutChance = ['--predictable', '--random-seed=1'] as const;

/**
 * Options with which Node runs the program. The room for new objects, in MiB for each of its halves, is never given back:
 * without a limit it is most of the memory of a session that lasts. With less of it at first, a start fills it six times,
 * and V8 looks all memory through before the first rows. More threads than one beside the main one cost more than they
 * save.
 */
export const runOptions = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--v8-pool-size=1'] as const;

/**
 * An assignment of the shell: V8 compiles in pieces of 32 KiB, of which the C library keeps up to 40 MB for ever unless it
 * takes each from the system, in bytes. Programs that are started do not get it.
 */
export const runVariable = 'MALLOC_MMAP_THRESHOLD_=32000';

/** The packages of the registry with Node for a platform, by their digests. */
const integrity: Readonly<Record<string, string>> = {
  'linux-x64': 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'linux-arm64': 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
};

/**
 * The path of Node for this platform, such as `linux-x64`; its licence is in the folder above. It is downloaded once. Throws
 * where there is none.
 */
export function nodeFor(platform: string): string {
  const wanted = integrity[platform];
  if (!wanted) throw new Error(`There is no Node for ${platform}; there is for ${Object.keys(integrity).join(', ')}.`);
  const folder = resolve('node_modules/.cache/skydeck-node', `${platform}-${version}`);
  const node = join(folder, 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  const packing = execFileSync('npm', ['pack', `node-${platform}@${version}`, '--json', '--pack-destination', folder]);
  const [packed] = Object.values(JSON.parse(String(packing))) as { filename: string }[];
  const archive = join(folder, packed?.filename ?? '');
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== wanted) throw new Error(`${archive} has the digest ${digest}, not ${wanted}; remove it.`);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', 'package/bin/node', 'package/LICENSE']);
  rmSync(archive);
  return node;
}
