import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './main/program.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** Runs these scripts, of a package of their own, together. */
function together(scripts: Record<string, string>, folder = temporaryFolder('together')) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  const there = `process.chdir(${JSON.stringify(folder)})`;
  const args = ['--import', `data:text/javascript,${there}`, resolve('scripts/together.ts'), ...Object.keys(scripts)];
  return run(args, process.env);
}

test('scripts run at the same time, and what each one says stays in one piece', async () => {
  const folder = temporaryFolder('together');
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
  // Each one writes what the other one waits for.
  const { code, stdout } = await together({ a: 'echo one; cat pipe', b: 'echo two; echo three > pipe' }, folder);
  expect(stdout).toMatch(/^(one\nthree\ntwo|two\none\nthree)\n$/);
  expect(code).toBe(0);
});

test.each([
  ['exit 3', '3'],
  ['kill -9 $$', 'SIGKILL'],
  ['no-such-program', '127'],
  ['echo wrong >&2; false', '1'],
])('one that fails among others fails all, and says what it has to say: %s', async (bad, end) => {
  const { code, stdout } = await together({ before: 'echo before', bad, behind: 'echo behind' });
  const lines = stdout.split('\n');
  expect(lines).toEqual(expect.arrayContaining(['before', 'behind', `bad failed: ${end}`]));
  expect(lines.includes('wrong')).toBe(bad.includes('wrong'));
  expect(code).toBe(1);
});

test('a name that no script has fails', async () => {
  const { code, stderr } = await run(['scripts/together.ts', 'no-such-script'], process.env);
  expect(stderr).toContain('package.json has no script no-such-script');
  expect(code).toBe(1);
});
