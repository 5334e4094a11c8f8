import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  changedFlags,
  fileCycles,
  folderCycles,
  importsOf,
  repeatingTimers,
  type Source,
  wrongArrows,
  wrongAtStart,
  wrongCode,
  wrongComments,
  wrongContracts,
  wrongInputs,
  wrongPaths,
  wrongShapes,
  wrongSleeps,
  wrongTimers,
} from './house.ts';
import { grown, ratchet, repeatedNames } from './ratchet.ts';

const root = join(import.meta.dirname, '..');

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') }));

const of = (path: string, text = '') => [{ path, text }];

describe('the house', () => {
  const src = sourcesIn('src');
  const tests = sourcesIn('test');
  const all = [...src, ...tests];

  test('there is something to read', () => expect(src.length).toBeGreaterThan(5));
  test('arrows run one way', () => expect(wrongArrows(src)).toEqual([]));
  test('the first frame waits for nothing that it does not need', () => expect(wrongAtStart(src)).toEqual([]));
  test('no cycle among folders', () => expect(folderCycles(src)).toEqual([]));
  test('no cycle among files', () => expect(fileCycles([...all, ...sourcesIn('scripts')])).toEqual([]));
  test('files and folders keep their size and have names', () => expect(wrongShapes(src)).toEqual([]));
  test('src is no larger than it was, and no function grows long', () => expect(grown(src, ratchet)).toEqual([]));
  test('no two types are exported by one name', () => expect(repeatedNames(src)).toEqual([]));
  test('only main.tsx reads process; no switch on a resource', () => expect(wrongCode(src)).toEqual([]));
  test('paths of the API are written once', () => expect(wrongPaths(all)).toEqual([]));
  test('no timer repeats', () => expect(repeatingTimers(src)).toEqual([]));
  test('no test sleeps', () => expect(wrongSleeps(tests)).toEqual([]));
  test('no contract test looks at the descriptions', () => expect(wrongContracts(tests)).toEqual([]));
  test('comments are sentences', () => expect(wrongComments([...all, ...sourcesIn('scripts')])).toEqual([]));
  test('no flag of V8 is changed while the program runs', () => expect(changedFlags(src)).toEqual([]));
  test('one useInput in the whole program', () => expect(wrongInputs(src)).toEqual([]));
  test('no timer is given a delay that it cannot have', () => expect(wrongTimers(src)).toEqual([]));
});

describe('each rule can fail', () => {
  test('a start that waits for a package, or for a part of Intl, is seen through the files between', () => {
    const start = (text: string) =>
      wrongAtStart([...of('src/a.ts', "import './b.ts';"), ...of('src/b.ts', text)], 'src/a.ts');
    expect(start("import * as v from 'valibot';\nv.parse();")).toEqual(['src/b.ts: imports valibot']);
    expect(start('const order = new Intl.Collator();\nexport const sort = () => order;')).toEqual([
      'src/b.ts: makes a part of Intl',
    ]);
    expect(start("import type { A } from 'valibot';\nexport const late = () => import('valibot');")).toEqual([]);
    expect(start('export const sort = () => new Intl.Collator();')).toEqual([]);
  });

  test('every kind of import is seen', () => {
    const text = `import type { A } from './a.ts';\nimport './b.ts';\nexport * from "./c.ts";\nconst d = await import('./d.ts');
      import {\n  e,\n} from './e.ts';\n// import './f.ts';\n/* from './g.ts' */`;
    expect(importsOf(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts']);
  });

  test.each([
    ['src/resources/a.ts', '../api/b.ts'],
    ['src/resources/compute/a.ts', 'node:fs'],
    ['src/api/a.ts', '../store/b.ts'],
    ['src/store/a.ts', '../components/b.tsx'],
    ['src/components/a.tsx', '../resources/b.ts'],
    ['src/components/a.tsx', 'zustand'],
    ['src/screens/custom/a.tsx', '../../api/b.ts'],
    ['src/terminal/a.ts', '../resources/b.ts'],
    ['src/text/a.ts', '../resources/b.ts'],
    ['src/text/a.ts', 'chalk'],
    ['src/demo/a.ts', '../api/b.ts'],
    ['src/demo/a.ts', '../settings.ts'],
    ['src/api/a.ts', './b'],
    ['src/api/a.ts', '../../test/b.ts'],
  ])('%s may not import %s', (path, module) => {
    expect(wrongArrows(of(path, `import { b } from '${module}';`))).toEqual([expect.stringContaining(`${path}: `)]);
  });

  test.each([
    ['src/screens/custom/a.tsx', '../../store/b.ts'],
    ['src/components/a.tsx', 'react/jsx-runtime'],
    ['src/api/a.ts', 'undici'],
    ['src/terminal/a.ts', '../text/b.ts'],
    ['src/api/a.ts', '../resources/storage/b.ts'],
    ['src/main.tsx', './demo/server.ts'],
  ])('%s may import %s', (path, module) => {
    expect(wrongArrows(of(path, `import { b } from '${module}';`))).toEqual([]);
  });

  test('a folder outside the house', () => {
    expect(wrongArrows(of('src/lib/a.ts'))).toEqual(['src/lib/a.ts: there is no folder lib in the house']);
  });

  test('300 lines and 30 files, and no more', () => {
    expect(wrongShapes(of('src/api/a.ts', 'x\n'.repeat(300)))).toEqual([]);
    expect(wrongShapes(of('src/api/a.ts', 'x\n'.repeat(301)))).toHaveLength(1);
    const files = (count: number) => Array.from({ length: count }, (_, n) => ({ path: `src/api/a${n}.ts`, text: '' }));
    expect(wrongShapes(files(30))).toEqual([]);
    expect(wrongShapes(files(31))).toEqual(['src/api: 31 files; no folder has more than 30']);
  });

  test('what has grown past its size, and an entry that is not needed any more', () => {
    const lines = (count: number) => '  x;\n'.repeat(count - 2);
    const sized = (count: number) => of('src/api/a.ts', `export function long() {\n${lines(count)}}\n\nconst x = 1;\n`);
    const sizes = { lines: 200, files: 1, functions: {} };
    expect(grown(sized(150), sizes)).toEqual([]);
    expect(grown(sized(151), sizes)).toEqual(['src/api/a.ts long: 151 lines; it has at most 150']);
    expect(grown(sized(160), { ...sizes, functions: { 'src/api/a.ts long': 160 } })).toEqual([]);
    expect(grown(sized(161), { ...sizes, functions: { 'src/api/a.ts long': 160 } })).toHaveLength(1);
    expect(grown(sized(150), { ...sizes, functions: { 'src/api/a.ts long': 160 } })).toHaveLength(1);
    expect(grown([...sized(150), ...sized(60)], sizes)).toEqual([
      'src: 214 lines; it has at most 200',
      'src: 2 files; it has at most 1',
    ]);
    const arrow = `export const long = ({\n  a,\n}: B) => {\n${lines(151)}};\n`;
    expect(grown(of('src/api/a.ts', arrow), sizes)).toHaveLength(1);
    expect(grown(of('src/api/a.ts', `const list = [\n${lines(151)}];\n`), sizes)).toEqual([]);
  });

  test('two types by one name', () => {
    const exporting = (path: string) => ({ path, text: 'export interface Row {}\n' });
    expect(repeatedNames([exporting('src/api/a.ts'), exporting('src/store/b.ts')])).toHaveLength(1);
    expect(repeatedNames([exporting('src/api/a.ts'), exporting('src/demo/b.ts')])).toEqual([]);
  });

  test('depth and names', () => {
    expect(wrongShapes(of('src/api/a/b.ts'))).toEqual([]);
    expect(wrongShapes(of('src/api/a/b/c.ts'))).toHaveLength(1);
    for (const path of ['src/api/utils.ts', 'src/store/types.d.ts', 'src/screens/common/a.tsx', 'src/api/Manager.ts'])
      expect(wrongShapes(of(path))).toHaveLength(1);
  });

  test.each(['process.env.HOME', 'globalThis.process.exit()', "import process from 'node:process'", 'process?.pid'])(
    'process as %s',
    (code) => {
      expect(wrongCode(of('src/api/a.ts', code))).toEqual([
        'src/api/a.ts: only src/main.tsx, src/executable.ts, src/program/demoMain.ts read process',
      ]);
      expect(wrongCode(of('src/main.tsx', code))).toEqual([]);
    },
  );

  test('process in words or as a name of its own is none', () => {
    expect(
      wrongCode(of('src/api/a.ts', "// process.env\nconst a = 'the process. ';\n({ process: a }).process")),
    ).toEqual([]);
  });

  test('a switch on the name of a resource', () => {
    expect(wrongCode(of('src/screens/a.tsx', "switch (resource.name) { case 'volumes': }"))).toHaveLength(1);
    expect(wrongCode(of('src/screens/a.tsx', "switch (field.kind) { case 'text': }"))).toEqual([]);
  });

  test('a flag of V8', () => {
    const code = "import { setFlagsFromString } from 'node:v8';\nsetFlagsFromString('--no-turbofan');";
    expect(changedFlags(of('src/program/a.ts', code))).toHaveLength(1);
    expect(changedFlags(of('src/program/a.ts', '// setFlagsFromString'))).toEqual([]);
  });

  test('a path of the API', () => {
    const line = "const path = '#/volumes';".replace('#', '/v4');
    expect(wrongPaths(of('src/api/a.ts', line))).toHaveLength(1);
    expect(wrongPaths(of('test/api/a.test.ts', line))).toHaveLength(1);
    expect(wrongPaths(of('src/resources/a.ts', line))).toEqual([]);
    expect(wrongPaths(of('test/contract/a.ts', line))).toEqual([]);
  });

  test.each(['next - now()', 'Math.max(0, due)', 'wait', 'other * 2'])('a timer after %s', (delay) => {
    const code = `const pause = 100;\nsetTimeout(() => { go(1, 2); }, ${delay});`;
    expect(wrongTimers(of('src/store/a.ts', code))).toHaveLength(1);
  });

  test.each(['pause', 'pauses.long', 'timerDelay(next - now())'])('a timer after %s is right', (delay) => {
    const code = `const pause = 1e3;\nconst pauses = { long: 5e3 };\nsetTimeout(() => { go(1, 2); }, ${delay});`;
    expect(wrongTimers(of('src/store/a.ts', code))).toEqual([]);
  });

  test('a cycle among folders is told once, with its way', () => {
    const circle = [
      { path: 'src/resources/a/x.ts', text: "import '../b/y.ts'" },
      { path: 'src/resources/b/y.ts', text: "import '../c/z.ts'" },
      { path: 'src/resources/c/z.ts', text: "import '../a/x.ts'; import '../top.ts'" },
    ];
    expect(folderCycles(circle)).toEqual([
      'src/resources/a → src/resources/b → src/resources/c → src/resources/a: folders must not import in a circle',
    ]);
    expect(folderCycles(circle.slice(0, 2))).toEqual([]);
  });

  test('a cycle among files is told once, with its way, also one of types', () => {
    const circle = [
      { path: 'src/start.ts', text: "import './a/x.ts'" },
      { path: 'src/a/x.ts', text: "import './y.ts'; import 'react'" },
      { path: 'src/a/y.ts', text: "export type { Z } from '../b/z.ts'" },
      { path: 'src/b/z.ts', text: "import type { X } from '../a/x.ts'" },
    ];
    expect(fileCycles(circle)).toEqual([
      'src/a/x.ts → src/a/y.ts → src/b/z.ts → src/a/x.ts: files must not import in a circle',
    ]);
    expect(fileCycles(circle.slice(0, 3))).toEqual([]);
    expect(fileCycles(of('src/a.ts', "import './a.ts'"))).toHaveLength(1);
  });

  test('a timer that repeats', () => {
    expect(repeatingTimers(of('src/store/a.ts', 'const away = setInterval(() => {}, 1000);'))).toHaveLength(1);
    expect(repeatingTimers(of('src/store/a.ts', '// setInterval\nsetTimeout(() => {}, 1000);'))).toEqual([]);
  });

  test.each([
    'await new Promise((resolve) => setTimeout(resolve, 20));',
    'await new Promise((resolve) => void setTimeout (resolve, 20));',
    'globalThis.setTimeout(done, 5);',
    'const pause = promisify(setTimeout); await pause(20);',
    "import { setTimeout } from 'node:timers/promises'; await setTimeout(20);",
    "import { setImmediate, setTimeout as sleep } from 'timers/promises'; await sleep(20);",
    'await scheduler.wait(20);',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);',
    'const timer = setInterval(look, 5); clearInterval(timer);',
  ])('a test that sleeps: %s', (code) => {
    expect(wrongSleeps(of('test/store/a.test.ts', code))).toHaveLength(1);
    expect(wrongSleeps(of('test/emulator.ts', code))).toEqual([]);
  });

  test('no sleep is a turn of the event loop, a clock that is moved, or another program that sleeps', () => {
    const code = `import { setImmediate as turn } from 'node:timers/promises';
      vi.useFakeTimers({ toFake: ['setTimeout'] }); await vi.advanceTimersByTimeAsync(20);
      await turn(); // setTimeout(resolve, 20)
      open('exec sleep 600');`;
    expect(wrongSleeps(of('test/store/a.test.ts', code))).toEqual([]);
  });

  test('a contract test that looks at the descriptions, by whatever way', () => {
    const limits = {
      path: 'test/contract/limits.ts',
      text: "import { volumes } from '../../src/resources/storage/volumes.ts';",
    };
    const far = { path: 'test/demo/clock.ts', text: "import type { Row } from '../../src/resources/resource.ts';" };
    const by = {
      path: 'test/contract/a.test.ts',
      text: "import { ask } from '../demo/clock.ts'; import './a.test.ts';",
    };
    const fine = { path: 'test/contract/b.test.ts', text: "import { startDemo } from '../../src/demo/server.ts';" };
    expect(wrongContracts([limits, far, by, fine])).toEqual([
      expect.stringContaining('test/contract/limits.ts reaches src/resources/storage/volumes.ts'),
      expect.stringContaining('test/contract/a.test.ts reaches src/resources/resource.ts'),
    ]);
  });

  test.each([
    '// What a list costs.',
    '  /** How many rows there are. */',
    '/* Whoever runs the program. */',
    '/**\n * What is read first.\n */',
    '/** Reads a list. */\n',
    '/**\n * Reads a list.\n */\n',
  ])('a comment that is no sentence: %j', (comment) => {
    expect(wrongComments(of('src/store/a.ts', `const a = 1;\n${comment}\nconst b = 2;`))).toHaveLength(1);
  });

  test.each([
    '// Counts what a list costs.',
    '// However many rows there are, one is read.',
    '/**\n * Reads a list.\n * What is read first is shown.\n */',
    '/** Reads a list. */\n/** Reads a row. */',
    "const b = '// What a list costs.';",
    'const pattern = /.* What is kept/;',
  ])('no such comment is %j', (text) => {
    expect(wrongComments(of('src/store/a.ts', text))).toEqual([]);
  });

  test('a second useInput', () => {
    const one = of('src/screens/a.tsx', "import { useInput } from 'ink'; useInput(() => {});");
    expect(wrongInputs(one)).toEqual([]);
    expect(wrongInputs([...one, ...one])).toHaveLength(2);
  });
});
