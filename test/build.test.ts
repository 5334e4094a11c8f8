import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment } from './main/program.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skydeck-package-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let packed: ReturnType<typeof pack> | undefined;
/** The package, made once for all tests, in the folder. */
const packedOnce = () => (packed ??= pack());

/** As `npm pack` answers, by the name of the package or in a list. */
async function pack() {
  const env = { ...environment(folder), npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' };
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { env });
  const [{ files, size }] = Object.values(JSON.parse(stdout)) as [{ files: { path: string }[]; size: number }];
  return { paths: files.map(({ path }) => path), size, env };
}

test('the package ships the program, and it installs as a command without a network', async () => {
  const { paths, size, env } = await packedOnce();
  const scripts = ['dist/skydeck.js', 'dist/demo.js'];
  expect(paths).toEqual(expect.arrayContaining([...scripts, 'dist/package.json', 'dist/THIRD-PARTY-NOTICES']));
  const parts =
    /^dist\/((program|rest|api)-\w+\.js(\.map)?|(skydeck|demo)\.js(\.map)?|package\.json|materials\.cdx\.json|THIRD-PARTY-NOTICES)$/;
  const others = paths.filter((path) => !parts.test(path) && !/^docs\/[\w-]+\.(md|svg)$/.test(path));
  expect(others.sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'docs/commands.toml',
    'docs/config.schema.json',
    'docs/plan.schema.json',
    'docs/skydeck.1',
    'package.json',
  ]);
  expect(size).toBeLessThan(1_415_000);

  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--global', '--no-audit', '--no-fund', '--prefix', folder, join(folder, archive)], {
    env,
  });
  const skydeck = join(folder, 'bin', 'skydeck');
  expect((await run(skydeck, ['--version'], { env, cwd: folder })).stdout).toMatch(/^skydeck \d+\.\d+\.\d+ \(.*\)\n$/);
  expect((await run(skydeck, ['--demo'], { env, cwd: folder })).stdout).toMatch(/^Skydeck /);
  // A shell gives it to Node with its options, and Node runs it without a shell too.
  const node = { ...env, NODE_OPTIONS: `--require=${join(folder, 'options.cjs')}` };
  const says = 'process.stdout.write([process.execArgv, process.env.MALLOC_MMAP_THRESHOLD_, ""].join(" "))';
  await writeFile(join(folder, 'options.cjs'), `${says};process.on('exit', () => ${says})`);
  expect((await run(skydeck, ['--version'], { env: node })).stdout).toMatch(
    /^(--min-semi-space-size=4,--max-semi-space-size=8,--v8-pool-size=1) 32000 skydeck .*\n\1 {2}$/,
  );
  expect((await run(process.execPath, [skydeck, '--version'], { env: node })).stdout).toMatch(/^ {2}skydeck /);
});

test('every link of the README and the manual leads to a file of the package', async () => {
  const { paths } = await packedOnce();
  for (const page of ['README.md', 'docs/manual.md']) {
    const links = [...(await readFile(page, 'utf8')).matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    const targets = links.map(([, link = '']) => posix.join(posix.dirname(page), link));
    expect(targets.length).toBeGreaterThan(2);
    expect(targets.filter((target) => !paths.includes(target))).toEqual([]);
  }
});

test('the notices have the licence of every package of which the bundles hold anything', async () => {
  const notices = await readFile('dist/THIRD-PARTY-NOTICES', 'utf8');
  const maps = (await readdir('dist')).filter((name) => name.endsWith('.map'));
  const sources = await Promise.all(
    maps.map(async (map): Promise<string[]> => JSON.parse(await readFile(join('dist', map), 'utf8')).sources),
  );
  const packages = sources.flat().flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  expect(packages).toEqual(expect.arrayContaining(['ink', 'react', 'undici', 'hono', 'yoga-layout']));
  const isNamed = (name: string) => notices.split('\n').some((line) => line.startsWith(`${name} `));
  expect(packages.filter((name) => !isNamed(name))).toEqual([]);
  expect(notices.match(/Copyright/g)?.length).toBeGreaterThanOrEqual(notices.match(/^-{80}$/gm)?.length ?? 0);
});

test('the scripts import nothing dynamically, which a script run from what was compiled of it cannot', async () => {
  const scripts = (await readdir('dist')).filter((name) => /^(program|rest|api)-.*\.js$/.test(name));
  expect(scripts).toHaveLength(3);
  for (const name of scripts) expect(await readFile(`dist/${name}`, 'utf8')).not.toMatch(/[^\w.$]import\(/);
});
