import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeptLists } from '../../../src/program/kept/keptLists.ts';
import { environment, skydeck } from '../program.ts';

let home: string;
let directory: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-cache-'));
  directory = join(home, '.local/state/skydeck/kept');
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Keeps four servers of a profile. */
async function keep(profile: string): Promise<string> {
  const file = join(directory, `${profile}.kept`);
  const of = { profile, baseUrl: `https://${profile}.example.com`, fingerprint: 'f00d' };
  const query = { resource: 'servers', operation: 'list', params: {} };
  const kept = openKeptLists({ file, of }, process.geteuid?.(), Date.now);
  const rows = ['web-1', 'web-2', 'a b', '$(date)'].map((label, id) => ({ id, label }));
  await kept.save([{ query, rows, keptAt: Date.now() }]);
  return file;
}

const cache = (...words: string[]) => skydeck(['cache', ...words], environment(home));
const says = (stdout: string, code = 0) => ({ code, stdout, stderr: '' });

test('lists what is kept of which account, where, since when, and how large', async () => {
  expect(await cache()).toEqual(says(`No lists are kept in ${directory}.\n`));
  const [home, work] = [await keep('home'), await keep('work')];
  const of = (profile: string, file: string) =>
    `${profile}: 1 list, 4 rows, \\d+ B, kept \\d+ s ago of https://${profile}.example.com\n  ${file}\n`;
  const { stdout } = await cache();
  expect(stdout).toMatch(new RegExp(`^${of('home', home)}${of('work', work)}$`));
  expect((await cache('--profile', 'work')).stdout).toMatch(new RegExp(`^${of('work', work)}$`));
  await chmod(work, 0o644);
  expect((await cache()).stdout).toMatch(
    new RegExp(`Unusable, \\d+ B: the file was open to others \\(mode 0644\\)\n  ${work}\n$`),
  );
});

test('clear removes it, of all profiles or of one', async () => {
  await keep('home');
  await keep('work');
  await keep('third');
  expect(await cache('clear', '--profile', 'other')).toEqual(says(`No lists are kept of other in ${directory}.\n`));
  expect(await cache('clear', '--profile', 'home')).toEqual(
    says(expect.stringMatching(/^Removed the kept lists of home, \d+ B\.\n$/)),
  );
  expect(await readdir(directory)).toEqual(['third.kept', 'work.kept']);
  expect((await cache('clear')).stdout).toMatch(/^Removed the kept lists of third, work, \d+ B\.\n$/);
  expect(await readdir(directory)).toEqual([]);
});

test('other words are refused', async () => {
  const refusal = (sentence: string) => ({ code: 2, stdout: '', stderr: `${sentence}\n` });
  expect(await cache('clean')).toEqual(
    refusal('skydeck cache does not know "clean"; did you mean clear? It knows clear.'),
  );
  expect(await cache('clear', 'work')).toEqual(refusal('skydeck cache needs no "work"; leave it out.'));
});

test('the labels of kept servers complete the words behind ssh', async () => {
  const offered = async (...typed: string[]) => {
    const { stdout } = await skydeck(['complete', '--', 'ssh', ...typed], environment(home));
    const lines = stdout.trimEnd().split('\n').slice(0, -1);
    return lines.map((line) => line.split('\t')[0]);
  };
  const file = await keep('work');
  expect(await offered('')).toEqual([]);
  expect(await offered('--profile', 'work', '')).toEqual(['web-1', 'web-2']);
  expect(await offered('--profile=work', 'web-2')).toEqual(['web-2']);
  expect(await offered('--profile', 'work', 'web-2', '')).toEqual([]);
  await chmod(file, 0o644);
  expect(await offered('--profile', 'work', '')).toEqual([]);
});
