import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadCompiled } from '../../src/program/compiled.ts';

let folder: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skydeck-compiled-'));
  cache = join(folder, 'cache');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A script as the build makes it, under the name that goes with its content. */
function script(name: string, answer: number): string {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, `(function(exports,require,module){module.exports.answer=()=>${answer}})`);
  return file;
}

const answerOf = (exports: unknown) => (exports as { answer: () => number }).answer();

describe('what was compiled of a script', () => {
  test('is kept for the next time, where nobody else reads or writes it', () => {
    const file = script('program-ONE', 1);
    const first = loadCompiled(file, cache);
    expect(answerOf(first.run())).toBe(1);
    first.keep?.();
    const second = loadCompiled(file, cache);
    expect(answerOf(second.run())).toBe(1);
    expect(second.keep).toBeUndefined();
    expect(readdirSync(cache)).toEqual(['program-ONE']);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(statSync(join(cache, 'program-ONE')).mode & 0o777).toBe(0o600);
  });

  test('takes the place of what was kept of another build, and of nothing else', () => {
    for (const name of ['program-ONE', 'api-ONE', 'program-TWO']) loadCompiled(script(name, 2), cache).keep?.();
    expect(readdirSync(cache).sort()).toEqual(['api-ONE', 'program-TWO']);
  });

  test.each([
    ['nothing', ''],
    ['something else', 'not what V8 wrote'],
  ])('is compiled again where %s is kept', (_, content) => {
    const file = script('program-ONE', 3);
    loadCompiled(file, cache).keep?.();
    writeFileSync(join(cache, 'program-ONE'), content);
    const { run, keep } = loadCompiled(file, cache);
    expect(answerOf(run())).toBe(3);
    keep?.();
    expect(loadCompiled(file, cache).keep).toBeUndefined();
  });

  test('is lost without a word where it cannot be kept', () => {
    writeFileSync(cache, 'a file where the directory should be');
    const { run, keep } = loadCompiled(script('program-ONE', 4), cache);
    expect(() => keep?.()).not.toThrow();
    expect(answerOf(run())).toBe(4);
  });
});
