import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadScript } from '../../src/program/compiled.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let folder: string;
let cache: string;
beforeEach(() => {
  folder = temporaryFolder('compiled');
  cache = join(folder, 'cache');
});

/** A script as the build makes it, under the name that goes with its content. */
function script(name: string, answer: number): string {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, `(function(exports,require,module){const answer=${answer};module.exports.answer=()=>answer})`);
  return file;
}

const load = (file: string, host: Parameters<typeof loadScript>[2] = process) => loadScript(file, cache, host);
const answerOf = (exports: unknown) => (exports as { answer: () => number }).answer();
const kept = () => join(cache, 'program-ONE');

/** A script that is compiled and kept, and the same again with another answer in its cache: V8 compares only lengths. */
async function keepForged(): Promise<string> {
  const { run, saveCache } = load(script('program-ONE', 9));
  run();
  await saveCache('long');
  return script('program-ONE', 1);
}

describe('what was compiled of a script', () => {
  test('is kept for the next time, where nobody else reads or writes it', async () => {
    const file = script('program-ONE', 1);
    const first = load(file);
    expect(answerOf(first.run())).toBe(1);
    await first.saveCache('long');
    const second = load(file);
    expect(answerOf(second.run())).toBe(1);
    await expectTaken(file);
    expect(readdirSync(cache)).toEqual(['program-ONE']);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(statSync(kept()).mode & 0o777).toBe(0o600);
  });

  test('is kept once of each kind of run, and a long session has what a short one needs', async () => {
    const file = script('program-ONE', 1);
    const kindsKept: number[] = [];
    for (const kind of ['printed', 'printed', 'short', 'short', 'long', 'long', 'short', 'printed'] as const) {
      await load(file).saveCache(kind);
      kindsKept.push(readFileSync(kept()).at(-5) ?? 0);
    }
    expect(kindsKept).toEqual([1, 1, 3, 3, 7, 7, 7, 7]);
  });

  test('is kept whole where a run ends while it is being written', async () => {
    const { saveCache } = load(script('program-ONE', 1));
    void saveCache('long');
    await saveCache('short');
    expect(readdirSync(cache)).toEqual(['program-ONE']);
    expect(readFileSync(kept()).at(-5)).toBe(0b110);
  });

  test('is not written any more once a run ends', async () => {
    const { saveCache } = load(script('program-ONE', 1));
    const ending = saveCache('short');
    void saveCache('long');
    await ending;
    await saveCache('short');
    expect(readFileSync(kept()).at(-5)).toBe(0b010);
  });

  test('stays until it is replaced', async () => {
    const file = script('program-ONE', 1);
    await load(file).saveCache('short');
    let isSaved = false;
    const saving = load(file)
      .saveCache('long')
      .then(() => {
        isSaved = true;
      });
    while (!isSaved) {
      expect(readdirSync(cache)).toContain('program-ONE');
      await new Promise(setImmediate);
    }
    await saving;
    expect(readFileSync(kept()).at(-5)).toBe(0b110);
  });

  test('takes the place of what was kept of another build, and of nothing else', async () => {
    for (const name of ['program-ONE', 'api-ONE', 'program-TWO']) await load(script(name, 2)).saveCache('long');
    expect(readdirSync(cache).sort()).toEqual(['api-ONE', 'program-TWO']);
  });

  test('runs in the place of its script, so it must be that of this script', async () => {
    expect(answerOf(load(await keepForged()).run())).toBe(9);
  });

  test.each<[string, () => void]>([
    ['nothing is', () => writeFileSync(kept(), '')],
    ['less than a checksum is', () => writeFileSync(kept(), 'ab')],
    ['something else is', () => writeFileSync(kept(), 'not what V8 wrote')],
    ['half of it is', () => truncateSync(kept(), statSync(kept()).size >> 1)],
    ['data without a checksum is', () => truncateSync(kept(), statSync(kept()).size - 4)],
    ['a block of zeros is', () => change((bytes) => bytes.fill(0, 64, 192))],
    ['data with another bit is', () => change((bytes) => bytes.writeUInt8(bytes.readUInt8(0) ^ 1))],
    ['data of V8 with a plain checksum is', forge],
    ['what another build compiled is', () => renameSync(otherBuild(), kept())],
    ['what others may write is', () => chmodSync(kept(), 0o622)],
    ['what a group may write is', () => chmodSync(kept(), 0o620)],
    ['a symbolic link is', () => linkTo(kept())],
    ['a directory is', () => replaceBy(() => mkdirSync(kept()))],
  ])('is not run, and is compiled again, where %s kept', async (_, spoil) => {
    const file = await keepForged();
    spoil();
    await expectCompiledAgain(file);
  });

  test.each(['777', '770', '720', '702'])('is not run from a directory of mode %s, which is closed', async (mode) => {
    const file = await keepForged();
    chmodSync(cache, Number.parseInt(mode, 8));
    await expectCompiledAgain(file);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
  });

  test('is not run from behind a symbolic link, and nothing is written there', async () => {
    const file = await keepForged();
    renameSync(cache, join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), cache);
    await expectUntouched(file);
  });

  const asOther = (uid: number) => ({ ...hostFacts(), geteuid: () => uid });

  test('is not run when it is of another owner, and his directory stays as it is', async () => {
    const file = await keepForged();
    const before = readFileSync(kept());
    const { run, saveCache } = load(file, asOther((process.geteuid?.() ?? 0) + 1));
    expect(answerOf(run())).toBe(1);
    await saveCache('long');
    expect(readFileSync(kept())).toEqual(before);
  });

  test.runIf(process.geteuid?.() === 0)('is not run by root when a user has written it', async () => {
    const file = await keepForged();
    chownSync(kept(), 1234, 1234);
    await expectCompiledAgain(file);
    await keepForged();
    chownSync(cache, 1234, 1234);
    await expectUntouched(file);
  });

  test.each([{ version: 'v0.0.0' }, { arch: 'other' as NodeJS.Architecture }])('is not run by %j', async (other) => {
    const file = await keepForged();
    expect(answerOf(load(file, { ...hostFacts(), ...other }).run())).toBe(1);
  });

  test('is kept where a system has no user ids', async () => {
    const host = { ...hostFacts(), geteuid: undefined };
    const file = script('program-ONE', 5);
    await load(file, host).saveCache('long');
    await expectTaken(file, host);
  });

  test('is lost without a word where it cannot be kept', async () => {
    writeFileSync(cache, 'a file where the directory should be');
    const { run, saveCache } = load(script('program-ONE', 4));
    await saveCache('long');
    expect(answerOf(run())).toBe(4);
  });
});

const hostFacts = () => {
  const { version, platform, arch, geteuid } = process;
  return { version, platform, arch, geteuid };
};

/** Nothing is kept anew, as the cache that is there is taken. */
async function expectTaken(file: string, host?: Parameters<typeof loadScript>[2]): Promise<void> {
  utimesSync(kept(), 1, 1);
  await load(file, host).saveCache('long');
  expect(statSync(kept()).mtimeMs).toBe(1000);
}

async function expectCompiledAgain(file: string): Promise<void> {
  const { run, saveCache } = load(file);
  expect(answerOf(run())).toBe(1);
  await saveCache('long');
  const next = load(file);
  expect(answerOf(next.run())).toBe(1);
  await expectTaken(file);
  expect(readdirSync(cache)).toEqual(['program-ONE']);
}

async function expectUntouched(file: string): Promise<void> {
  const before = readFileSync(kept());
  const { run, saveCache } = load(file);
  expect(answerOf(run())).toBe(1);
  await saveCache('long');
  expect(readFileSync(kept())).toEqual(before);
}

function change(spoil: (bytes: Buffer) => void): void {
  const bytes = readFileSync(kept());
  spoil(bytes);
  writeFileSync(kept(), bytes);
}

function replaceBy(make: () => void): void {
  rmSync(kept());
  make();
}

function linkTo(file: string): void {
  copyFileSync(file, join(folder, 'aside'));
  replaceBy(() => symlinkSync(join(folder, 'aside'), file));
}

/** The checksum of the data alone, without the build. */
function forge(): void {
  change((bytes) => bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4));
}

/** The same data, as another build would have kept it. */
function otherBuild(): string {
  const name = 'program-TWO 0 0';
  const data = readFileSync(kept()).subarray(0, -4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(data, crc32(name)));
  const file = join(cache, 'program-TWO');
  writeFileSync(file, Buffer.concat([data, checksum]), { mode: 0o600 });
  return file;
}
