import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment } from './main/program.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skydeck-package-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package ships the program, and it installs as a command without a network', async () => {
  const env = { ...environment(folder), npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' };
  const { stdout: packed } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    env,
  });
  const { files } = Object.values(JSON.parse(packed))[0] as { files: { path: string }[] };
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['dist/skydeck.js', 'dist/demo.js', 'dist/package.json']));
  const parts = /^dist\/((program|api)-\w+\.js|(skydeck|demo)\.js|package\.json)$/;
  expect(paths.filter((path) => !parts.test(path)).sort()).toEqual(['LICENSE', 'README.md', 'package.json']);

  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--global', '--no-audit', '--no-fund', '--prefix', folder, join(folder, archive)], {
    env,
  });
  const skydeck = join(folder, 'bin', 'skydeck');
  expect((await run(skydeck, ['--version'], { env, cwd: folder })).stdout).toMatch(/^skydeck \d+\.\d+\.\d+\n$/);
  expect((await run(skydeck, ['--demo'], { env, cwd: folder })).stdout).toMatch(/^Skydeck /);
});
