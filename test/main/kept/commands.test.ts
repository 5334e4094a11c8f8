import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openKeptLists } from '../../../src/program/kept/keptLists.ts';
import { loginState } from '../../../src/program/state/accounts.ts';
import { openState } from '../../../src/program/state/state.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { skydeckHere } from '../here.ts';
import { environment, skydeck } from '../program.ts';

let home: string;
let directory: string;
let file: string;
beforeEach(() => {
  home = temporaryFolder('cache');
  directory = join(home, '.local/state/skydeck');
  file = join(directory, 'skydeck.db');
});

/** Keeps four servers of a profile. */
async function keep(profile: string): Promise<void> {
  const state = openState(directory, process.geteuid?.());
  const login = { profile, address: `https://${profile}.example.com`, fingerprint: 'f00d' };
  const query = { resource: 'servers', operation: 'list', params: {} };
  const rows = ['web-1', 'web-2', 'a b', '$(date)'].map((label, id) => ({ id, label }));
  await openKeptLists(state, login, loginState(state, login)).save([{ query, rows, keptAt: Date.now() }]);
  state.close();
}

const cache = (...words: string[]) => skydeckHere(['cache', ...words], environment(home));
const says = (stdout: string, code = 0) => ({ code, stdout, stderr: '' });

test('lists what is kept of which account, where, since when, and how large', async () => {
  expect(await cache()).toEqual(says(`No lists are kept in ${directory}.\n`));
  expect(await readdir(home)).toEqual([]);
  await keep('home');
  await keep('work');
  const of = (profile: string) =>
    `${profile}: 1 list, 4 rows, \\d+ B, kept \\d+ s ago of https://${profile}.example.com\n`;
  const { stdout } = await cache();
  expect(stdout).toMatch(new RegExp(`^${of('home')}${of('work')}  ${file}\n$`));
  expect((await cache('--profile', 'work')).stdout).toMatch(new RegExp(`^${of('work')}  ${file}\n$`));
  expect((await cache('--profile', 'a\u001b]0;b\u009b')).stdout).toBe(`No lists are kept of a0;b in ${directory}.\n`);
  await chmod(file, 0o644);
  const { code, stderr } = await cache();
  expect([code, stderr]).toEqual([
    2,
    `The state ${file} can be read by others (mode 0644), so nothing of it is used; run: chmod 600 ${file}\n`,
  ]);
});

test('clear removes it, of all profiles or of one', async () => {
  await keep('home');
  await keep('work');
  await keep('third');
  expect(await cache('clear', '--profile', 'other')).toEqual(says(`No lists are kept of other in ${directory}.\n`));
  expect(await cache('clear', '--profile', 'home')).toEqual(
    says(expect.stringMatching(/^Removed the kept lists of home, \d+ B\.\n$/)),
  );
  expect((await cache('--profile', 'home')).stdout).toContain('No lists are kept of home');
  expect((await cache('clear')).stdout).toMatch(/^Removed the kept lists of third, work, \d+ B\.\n$/);
  expect((await cache()).stdout).toContain('No lists are kept in');
});

test('clear removes what earlier versions have left, goes on after what it cannot remove, and names that', async () => {
  await keep('work');
  const former = join(directory, 'kept');
  await mkdir(join(former, 'dir.kept\u009b'), { recursive: true });
  await mkdir(join(former, 'dir.kept'));
  for (const name of ['work.kept', 'work.kept.abc123', 'theirs.txt']) await writeFile(join(former, name), 'x');
  const { code, stderr } = await cache('clear');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Some of what was kept cannot be removed: \S+\/kept\/dir.kept: .*; \S+\/kept: .*\.\n$/);
  expect(stderr).not.toContain('\u009b');
  expect((await readdir(former)).sort()).toEqual(['dir.kept', 'dir.kept\u009b', 'theirs.txt']);
  expect((await cache()).stdout).toContain('No lists are kept in');
  await rm(former, { recursive: true });
  await mkdir(former);
  await writeFile(join(former, 'work.kept'), 'x');
  expect(await cache('clear')).toEqual(says(`No lists are kept in ${directory}.\n`));
  expect(await readdir(directory)).toEqual(['skydeck.db']);
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
  await keep('work');
  expect(await offered('')).toEqual([]);
  expect(await offered('--profile', 'work', '')).toEqual(['web-1', 'web-2']);
  expect(await offered('--profile=work', 'web-2')).toEqual(['web-2']);
  expect(await offered('--profile', 'work', 'web-2', '')).toEqual([]);
  await chmod(file, 0o644);
  expect(await offered('--profile', 'work', '')).toEqual([]);
});

test('rows, fields and values of kept lists complete a snapshot, also behind = and commas', async () => {
  const state = openState(directory, process.geteuid?.());
  const login = { profile: 'work', address: 'https://work.example.com', fingerprint: 'f00d' };
  const query = { resource: 'servers', operation: 'list', params: {} };
  const rows = [
    { id: 11, label: 'web-1', status: 'running', tags: ['prod'] },
    { id: 12, label: 'a b', status: 'offline', tags: ['$(date)', '=x'] },
  ];
  await openKeptLists(state, login, loginState(state, login)).save([{ query, rows, keptAt: Date.now() }]);
  state.close();
  const offered = async (...typed: string[]) => {
    const { stdout } = await skydeck(['complete', '--', '--profile', 'work', ...typed], environment(home));
    return stdout
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t')[0]);
  };
  expect(await offered('snapshot', 'servers', '--filter', 'sta')).toEqual(['status:']);
  expect(await offered('snapshot', 'servers', '--filter', 'status:')).toEqual(['status:running', 'status:offline']);
  expect(await offered('snapshot', 'servers', '--filter=status:o')).toEqual(['status:offline']);
  expect(await offered('snapshot', 'servers', '--filter', 'tags:')).toEqual(['tags:prod']);
  expect(await offered('snapshot', 'servers', '--sort', '-stat')).toEqual(['-status']);
  expect(await offered('snapshot', 'servers', '--columns', 'label,stat')).toEqual(['label,status']);
  expect(await offered('snapshot', 'servers', '--columns=status,lab')).toEqual(['status,label']);
  expect(await offered('servers/')).toEqual(['servers/11', 'servers/12']);
  expect(await offered('snapshot', 'servers/web-1/d')).toEqual(['servers/web-1/disks']);
  expect(await offered('--demo', '--faults', 'errors,dr')).toEqual(['errors,drops']);
  expect(await offered('help', 'sn')).toEqual(['snapshot']);
});

test('a label in the words about a row is on their line, and offers no word of its own', async () => {
  const state = openState(directory, process.geteuid?.());
  const login = { profile: 'work', address: 'https://work.example.com', fingerprint: 'f00d' };
  const query = { resource: 'servers', operation: 'list', params: {} };
  const rows = [{ id: 11, label: 'web\nservers/$(date)\u001b[31m\tx\r\u202ey' }];
  await openKeptLists(state, login, loginState(state, login)).save([{ query, rows, keptAt: Date.now() }]);
  state.close();
  const { stdout } = await skydeck(['complete', '--', '--profile', 'work', 'servers/'], environment(home));
  expect(stdout.split('\n').slice(0, -2)).toEqual(['servers/11\tweb servers/$(date) x ⟨RLO⟩y']);
});
