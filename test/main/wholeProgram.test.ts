import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/compiled.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let folder: string;
let files: { start: string; rest: string };
beforeEach(() => {
  folder = temporaryFolder('whole-program');
  files = { start: join(folder, 'program-ONE.js'), rest: join(folder, 'rest-ONE.js') };
});

const script = (file: string, body: string) => writeFileSync(file, `(function(exports,require,module){${body}})`);

/** A start that imports three modules, and shares two functions of its own. */
const writeStart = () =>
  script(
    files.start,
    `const late = require('rest:0'), same = require('rest:0'), other = require('rest:1');
    const twice = (n) => 2 * n;
    exports.shared = [() => Object.assign(require('start:0'), { twice, five: () => late.five() })];
    Object.assign(exports, { late, same, other, now: () => require('rest now:2') });`,
  );

/** A rest whose modules count how often they are loaded. */
const writeRest = () =>
  script(
    files.rest,
    `const loads = [0, 0];
    let five, other;
    const first = () => { if (!five) { loads[0]++; const own = require('start:0'); five = () => 5; five.ten = () => own.twice(five()); } return { five, loads }; };
    const second = () => { if (!other) { loads[1]++; const own = require('start:0'); other = () => own.five() + 1; } return { other }; };
    module.exports = [first, second, () => Buffer.from('whole')];`,
  );

interface Start {
  late: { five: { (): number; ten: () => number }; loads: number[]; missing?: unknown };
  same: unknown;
  other: { other: () => number };
  now: () => unknown;
}

const load = () => loadProgram(files.start, files.rest, join(folder, 'cache'), process);
const run = (program = load()) => program.run() as unknown as Start;

test('the rest is read when something of it is first taken', () => {
  writeStart();
  script(files.rest, 'throw new Error("the rest is read")');
  const { late, same } = run();
  expect(late).toBe(same);
  writeRest();
  expect(late.five()).toBe(5);
  expect(late.five.ten()).toBe(10);
  expect(late.missing).toBe(undefined);
});

test('a module of the rest is loaded once, by whichever way it is first taken', () => {
  writeStart();
  writeRest();
  const { late, other, now } = run();
  // The second one takes the first one by way of the start.
  expect(other.other()).toBe(6);
  expect([late.five(), late.five(), other.other()]).toEqual([5, 5, 6]);
  expect(late.loads).toEqual([1, 1]);
  expect(now()).toEqual(Buffer.from('whole'));
});

test('what is compiled of both is saved by the first session, be it short, and by a later one only what lacks', async () => {
  writeStart();
  writeRest();
  const first = load();
  run(first);
  await first.saveCache('short');
  expect(readdirSync(join(folder, 'cache')).sort()).toEqual(['program-ONE', 'rest-ONE']);
  const later = load();
  const { late } = run(later);
  script(files.rest, 'throw new Error("the rest is read")');
  await later.saveCache('short');
  expect(() => late.five()).toThrow('the rest is read');
});

test('a session that goes on has the rest from then on, whatever becomes of its file', async () => {
  writeStart();
  writeRest();
  const program = load();
  const { late } = run(program);
  await program.saveCache('long');
  script(files.rest, 'throw new Error("the rest is read")');
  expect(late.five()).toBe(5);
});

test('the rest of a version that another one replaces right after its start is there when it is needed', () => {
  writeStart();
  writeRest();
  const { late } = run();
  rmSync(folder, { recursive: true });
  expect(late.five.ten()).toBe(10);
});
