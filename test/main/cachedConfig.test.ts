import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { cachedConfig } from '../../src/program/config/readConfig.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('kept');
});

const source = '[profiles.work]\ntheme = "mono"\n[[rules]]\nfor = 3\n';
const parsed = parseConfig(source);
const owner = process.geteuid?.();
const open = (build = 'one') => cachedConfig(directory, build, owner);

/** Keeps the result, and waits until its file is there. */
async function keep(): Promise<string> {
  open().keep('/c.toml', source, parsed);
  await vi.waitFor(async () => expect(await readdir(directory)).toEqual(['config-one']));
  return join(directory, 'config-one');
}

describe('the result of checking a configuration', () => {
  it('is kept in a file of the user alone, with its mistakes', async () => {
    const file = await keep();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(open().read('/c.toml', source)).toEqual(parsed);
    expect(parsed.mistakes).toHaveLength(4);
  });

  it('counts for the same text, file and program only', async () => {
    await keep();
    expect(open().read('/c.toml', `${source} `)).toBeUndefined();
    expect(open().read('/d.toml', source)).toBeUndefined();
    expect(open().read('__proto__', source)).toBeUndefined();
    expect(open('two').read('/c.toml', source)).toBeUndefined();
  });

  it('is not believed where others could have written it, or where it is damaged', async () => {
    const file = await keep();
    await chmod(file, 0o622);
    expect(open().read('/c.toml', source)).toBeUndefined();
    await chmod(file, 0o600);
    const data = await readFile(file);
    data[5] = (data[5] ?? 0) ^ 1;
    await writeFile(file, data);
    expect(open().read('/c.toml', source)).toBeUndefined();
    await rm(file);
    expect(open().read('/c.toml', source)).toBeUndefined();
  });
});
