import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openFiles } from '../../src/terminal/files.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let home: string;
let files: ReturnType<typeof openFiles>;

beforeEach(async () => {
  home = temporaryFolder('test');
  files = openFiles(home);
  await mkdir(join(home, 'backups'));
  for (const name of ['backup-1.tar', 'backup-2.tar', '.hidden', 'über.txt']) await writeFile(join(home, name), name);
});

test('the tilde stands for the home directory, and only at the beginning of a path', () => {
  expect(files.resolve('~/a')).toBe(join(home, 'a'));
  expect(files.resolve('~')).toBe(home);
  expect(files.resolve('/a/~/b')).toBe('/a/~/b');
  expect(files.resolve('~other/a')).toMatch(/\/~other\/a$/);
  expect(openFiles(undefined).resolve('~/a')).toMatch(/\/~\/a$/);
});

test.each([
  ['~/back', '~/backup', ['backup-1.tar', 'backup-2.tar', 'backups/']],
  ['~/backup-1', '~/backup-1.tar', ['backup-1.tar']],
  ['~/backups', '~/backups/', ['backups/']],
  ['~/über', '~/über.txt', ['über.txt']],
  ['~/.h', '~/.hidden', ['.hidden']],
  ['~/none', '~/none', []],
  ['~/none/at/all', '~/none/at/all', []],
])('completes %s to %s', async (typed, path, names) => {
  expect(await files.complete(typed)).toEqual({ path, names });
});

test('hidden files are offered only to who asks for them', async () => {
  expect((await files.complete('~/')).names).not.toContain('.hidden');
});

test('looks at what stands at a path', async () => {
  expect(await files.look('~/backup-1.tar', 6)).toEqual({ kind: 'file', bytes: 12, start: [...Buffer.from('backup')] });
  expect(await files.look('~/backup-1.tar')).toMatchObject({ kind: 'file', start: [] });
  expect(await files.look('~/backups')).toEqual({ kind: 'directory' });
  expect(await files.look('~/none')).toEqual({ kind: 'nothing', free: true });
  expect(await files.look('~/none/none')).toEqual({ kind: 'nothing', free: false });
  expect(await files.look('/dev/null')).toEqual({ kind: 'other' });
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read is told as one', async () => {
  await chmod(join(home, 'backup-1.tar'), 0);
  expect(await files.look('~/backup-1.tar')).toEqual({ kind: 'unreadable' });
});

test('reads a file whole, or says why not', async () => {
  expect(new TextDecoder().decode(await files.read('~/über.txt'))).toBe('über.txt');
  await expect(files.read('~/none')).rejects.toThrow('none cannot be read: no such file or directory.');
});

test('saves only to a new file, which only its owner can read', async () => {
  await files.save('~/secret', 'x\n');
  expect(await readFile(join(home, 'secret'), 'utf8')).toBe('x\n');
  expect((await stat(join(home, 'secret'))).mode & 0o777).toBe(0o600);
  await expect(files.save('~/secret', 'y')).rejects.toThrow(/exists already/);
  expect(await readFile(join(home, 'secret'), 'utf8')).toBe('x\n');
});

test('takes the place of a file only where that is said, and of a link not of what it leads to', async () => {
  await writeFile(join(home, 'there'), 'theirs\n', { mode: 0o644 });
  await symlink(join(home, 'there'), join(home, 'link'));
  await files.save('~/link', 'mine\n', true);
  expect(await readFile(join(home, 'there'), 'utf8')).toBe('theirs\n');
  await files.save('~/there', 'mine\n', true);
  expect(await readFile(join(home, 'there'), 'utf8')).toBe('mine\n');
  expect((await stat(join(home, 'there'))).mode & 0o777).toBe(0o600);
  const names = await readdir(home);
  await expect(files.save('~', 'mine', true)).rejects.toThrow(/cannot be written/);
  expect(await readdir(home)).toEqual(names);
});

test('a folder in the place of a file is told as one, and a missing folder by its name', async () => {
  await expect(files.save('~/backups', 'a')).rejects.toThrow(
    'backups cannot be written: it is a folder; name a file in it.',
  );
  await expect(files.save('~/nonexist/dir/x.csv', 'a')).rejects.toThrow(
    `x.csv cannot be written: there is no folder ${join(home, 'nonexist')}.`,
  );
  await expect(files.save('~/backup-1.tar', 'a')).rejects.toThrow('it exists already');
});
