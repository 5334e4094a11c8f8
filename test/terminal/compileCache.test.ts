import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { bundle } from '../build.ts';
import { seed, someOf } from '../draw.ts';
import { environment, skydeck } from '../main/program.ts';
import { openPty, type Pty } from './pty.ts';

let home: string;
let cache: string;
let glass: Pty | undefined;
/** Files kept by the first start, by name. */
const kept = new Map<string, Buffer>();
const env = () => environment(home, { XDG_CACHE_HOME: join(home, '.cache') });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-cache-'));
  cache = join(home, '.cache/skydeck');
  await fill();
  for (const name of await readdir(cache)) kept.set(name, await readFile(join(cache, name)));
});
afterEach(() => glass?.kill('SIGKILL'));
afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

/** Runs the program until all that it compiled is kept. */
async function fill(): Promise<void> {
  glass = openPty(process.execPath, [bundle, '--demo', 'servers'], { columns: 80, rows: 24, env: env() });
  await glass.waitFor('api-1');
  await vi.waitFor(async () => expect(await keptNames()).toEqual(['api', 'program', 'rest']), { timeout: 15_000 });
  await glass.press('q');
  expect(await glass.exit).toEqual({ code: 0, signal: 0 });
}

/** The scripts of which more is kept than the tests put there. */
async function keptNames(): Promise<string[]> {
  const found = await readdir(cache);
  const sizes = await Promise.all(found.map(async (name) => (await stat(join(cache, name))).size));
  const whole = found.filter((_, index) => (sizes[index] ?? 0) > 100_000);
  return whole.map((name) => name.replace(/-\w+$/, '')).sort();
}

test(`a damaged compile cache neither ends a start nor is told of (seed ${seed})`, async () => {
  const damages = [
    ...[0.001, 0.01, 0.2, 0.5, 0.8, 0.99].map((share) => (bytes: Buffer) => {
      const at = Math.floor(bytes.length * share);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
    }),
    (bytes: Buffer) => bytes.fill(0, 4096, 8192),
    (bytes: Buffer) => bytes.fill(0, bytes.length - 4096),
  ];
  for (const damage of someOf('damages of the compile cache', damages, 4)) {
    for (const [name, bytes] of kept) {
      const damaged = Buffer.from(bytes);
      damage(damaged);
      await writeFile(join(cache, name), damaged);
    }
    expect(await skydeck(['--version'], env())).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await skydeck(['--demo', 'snapshot', 'volumes'], env());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^STATUS +LABEL/);
  }
});

test('a compile cache that others may have written is replaced', async () => {
  for (const name of kept.keys()) await writeFile(join(cache, name), 'not what V8 wrote');
  await chmod(cache, 0o777);
  await fill();
  expect((await stat(cache)).mode & 0o777).toBe(0o700);
});

test('the shortest session, and a snapshot, keep what they compiled', async () => {
  for (const end of ['session', 'snapshot']) {
    await rm(cache, { recursive: true });
    if (end === 'snapshot') expect((await skydeck(['--demo', 'snapshot', 'volumes'], env())).code).toBe(0);
    else {
      glass = openPty(process.execPath, [bundle, '--demo', 'servers'], { columns: 80, rows: 24, env: env() });
      await glass.waitFor('skydeck');
      await glass.press('q');
      expect(await glass.exit).toEqual({ code: 0, signal: 0 });
    }
    expect(await keptNames()).toEqual(['api', 'program', 'rest']);
  }
});
