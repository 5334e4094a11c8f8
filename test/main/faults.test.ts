import { once } from 'node:events';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Ended, environment, run, skydeck, start } from './program.ts';

let demo: Demo;
let home: string;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());
beforeEach(() => {
  home = temporaryFolder('faults');
});

const account = () => environment(home, { SKYDECK_BASE_URL: demo.url, SKYDECK_TOKEN: demo.tokens.full });

/** Has the first text that the program prints do this instead. */
const onOutput = (code: string) => [
  '--import',
  `data:text/javascript,process.stdout.write=()=>{${encodeURIComponent(code)};return true}`,
];

/** The one report of a fault, which the program names in its one sentence. */
async function reportOf({ code, stdout, stderr }: Ended): Promise<string> {
  expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
  expect(stderr).toMatch(/^Skydeck crashed \(.*\)\. A report without secrets is in .*\n$/);
  const directory = join(home, '.local/state/skydeck');
  const [report = '', ...others] = await readdir(directory);
  expect(others).toEqual([]);
  return readFile(join(directory, report), 'utf8');
}

describe('a fault where nothing is drawn', () => {
  test.each([
    ['--version', 'is thrown', 'throw new Error("put in")'],
    ['snapshot volumes', 'is thrown later', 'setImmediate(()=>{throw new Error("put in")})'],
    ['doctor', 'is a promise', 'Promise.reject(new Error("put in"))'],
    ['demo-api --port 0', 'is thrown later', 'setImmediate(()=>{throw new Error("put in")})'],
    ['--demo snapshot', 'is no error', 'setImmediate(()=>{throw Object.create(null)})'],
  ])('of %s ends with 70 and a report where it %s', async (args, _, code) => {
    const report = await reportOf(await skydeck(args.split(' '), account(), onOutput(code)));
    expect(report).toMatch(/^time: \S+\nskydeck: \d+\.\d+\.\d+\nplatform: Node v\d+/);
    expect(report).toContain(code.includes('put in') ? 'Error: put in' : '[Object: null prototype] {}');
  });

  test('keeps the token out of the sentence and the report', async () => {
    const code = 'throw new Error("asked with "+process.env.SKYDECK_TOKEN)';
    const ended = await skydeck(['snapshot', 'volumes'], account(), onOutput(code));
    const report = await reportOf(ended);
    expect(report).toContain('asked with [redacted]');
    expect(report + ended.stderr).not.toContain(demo.tokens.full);
  });

  test('is reported with the lines of the sources', async () => {
    const report = await reportOf(await skydeck(['--version'], account(), onOutput('throw new Error("put in")')));
    const [, file = '', line] = /(src\/program\/\w+\.ts):(\d+)/.exec(report) ?? [];
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines[Number(line) - 1]).toContain('stdout.write(');
    expect(report).toMatch(/\(src\/main\.tsx:\d+\)/);
    expect(report).not.toMatch(/\/dist\/\w+/);
  });
});

test('SIGUSR1 ends the program, and opens no debugger', async () => {
  const child = start(['demo-api', '--port', '0'], environment(home));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await once(child.stdout, 'data');
  child.kill('SIGUSR1');
  expect(await once(child, 'close')).toEqual([138, null]);
  expect(stderr).toBe('');
});

describe('a package that is broken', () => {
  let dist: string;
  beforeEach(async () => {
    dist = join(home, 'dist');
    await cp('dist', dist, { recursive: true });
  });

  /** Puts something else in the place of a script. */
  async function replace(part: string, source: string): Promise<void> {
    const name = (await readdir(dist)).find((file) => file.startsWith(`${part}-`) && file.endsWith('.js')) ?? '';
    await writeFile(join(dist, name), source);
  }
  const inCommonJs = (code: string) => `(function(exports,require,module){${code}})`;

  test('is a fault before the program is there', async () => {
    await replace('program', inCommonJs('throw new Error("put in")'));
    expect(await reportOf(await run([join(dist, 'skydeck.js'), '--version'], environment(home)))).toContain('put in');
    await rm(home, { recursive: true });
  });

  test('is a fault where the process of the demo API cannot begin', async () => {
    await replace('api', inCommonJs('throw new Error("put in")'));
    const ended = await run([join(dist, 'skydeck.js'), '--demo', 'snapshot', 'volumes'], environment(home));
    const report = await reportOf(ended);
    expect(ended.stderr).toContain('(the demo API has ended: Error: put in)');
    expect(report).toContain('src/program/demoMain.ts:');
  });

  test('is a fault where the demo API breaks while it answers', async () => {
    const code = `exports.serveParent=({stdout})=>{stdout.write('http://127.0.0.1:9\\n');Promise.reject(new Error('put in'))}`;
    await replace('api', inCommonJs(code));
    const ended = await run([join(dist, 'skydeck.js'), '--demo', 'snapshot', 'volumes'], environment(home));
    expect(await reportOf(ended)).toContain('the demo API has ended: Error: put in');
  });
});
