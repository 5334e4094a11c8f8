import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundle } from '../build.ts';
import { environment, skydeck } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty, type Pty } from './pty.ts';

let home: string;
let work: string;
let bash: Pty | undefined;

beforeEach(async () => {
  home = temporaryFolder('tab');
  work = join(home, 'work');
  await mkdir(work);
  await mkdir(join(home, '.config', 'skydeck'), { recursive: true });
  const profiles = '[profiles.work]\n[profiles.wall]\n[profiles.default]\n';
  await writeFile(join(home, '.config', 'skydeck', 'config.toml'), profiles, { mode: 0o600 });
});
afterEach(() => {
  bash?.kill('SIGKILL');
});

/** A bash that has read the script twice, with what it complained about in a file. */
async function openBash(before = ''): Promise<Pty> {
  const { stdout: script } = await skydeck(['completion', 'bash'], environment(home));
  await writeFile(join(home, 'script.sh'), script);
  const rc = [
    "PS1='$ '",
    'bind "set bell-style none"',
    'bind "set show-all-if-ambiguous on"',
    'bind "set completion-query-items 1000"',
    'bind "set enable-bracketed-paste off"',
    `skydeck() { "${process.execPath}" "${resolve(bundle)}" "$@"; }`,
    before,
    `. ${home}/script.sh 2>>${home}/complaints`,
    `. ${home}/script.sh 2>>${home}/complaints`,
    `cd ${work}`,
    'echo ready',
  ];
  await writeFile(join(home, 'rc'), `${rc.join('\n')}\n`);
  bash = openPty('bash', ['--noprofile', '--rcfile', join(home, 'rc'), '-i'], {
    columns: 120,
    rows: 30,
    env: environment(home),
  });
  await bash.waitFor(/^ready\n\$/m);
  expect(await readFile(join(home, 'complaints'), 'utf8')).toBe('');
  return bash;
}

test('the line that is completed is never run, and no file is touched', async () => {
  const terminal = await openBash();
  await writeFile(join(work, 'important.json'), 'kept');
  for (const words of ['> important.json', '>> append.log', '2> errors', '>| forced', '$(touch made)']) {
    await terminal.type(`skydeck snapshot servers --format json ${words} --fai`);
    await terminal.press('tab');
    await terminal.waitFor(`${words} --fail-on`);
    await terminal.press('ctrl-u', 'ctrl-l');
    await terminal.waitFor((text) => !text.includes('--fail-on'));
  }
  expect(await readdir(work)).toEqual(['important.json']);
  expect(await readFile(join(work, 'important.json'), 'utf8')).toBe('kept');
});

const lines = [
  ['skydeck snap', 'skydeck snapshot'],
  ['skydeck --theme=hi', 'skydeck --theme=high-contrast'],
  ['skydeck snapshot --profile=wo', 'skydeck snapshot --profile=work'],
  ['skydeck --profile wa', 'skydeck --profile wall'],
  ['skydeck watch --profile work,d', 'skydeck watch --profile work,default'],
  ['skydeck watch --profile=work,wal', 'skydeck watch --profile=work,wall'],
  ['skydeck snapshot >all.txt vol', 'skydeck snapshot >all.txt volumes'],
  ['echo $HOME; skydeck snapshot vol', 'echo $HOME; skydeck snapshot volumes'],
  ['skydeck config check my-fi', 'skydeck config check my-file.toml'],
  ['skydeck snapshot servers > my-fi', 'skydeck snapshot servers > my-file.toml'],
] as const;

test.each([
  ['as it comes', ''],
  ['where = and : break no words', `COMP_WORDBREAKS=$' \\t\\n"\\'@><;|&('`],
])('words, options and their values are completed %s', async (_, before) => {
  const terminal = await openBash(before);
  await writeFile(join(work, 'my-file.toml'), '');
  for (const [typed, completed] of lines) {
    await terminal.type(typed);
    await terminal.press('tab');
    await terminal.waitFor(`$ ${completed}`);
    await terminal.press('ctrl-u', 'ctrl-l');
    await terminal.waitFor((text) => !text.includes(completed));
  }
});

test('the names of its functions and variables are its own', async () => {
  const terminal = await openBash('compgen -A function >$HOME/functions; compgen -v >$HOME/variables');
  await terminal.type('comm -13 <(sort $HOME/functions) <(compgen -A function | sort) >$HOME/new; echo listed');
  await terminal.press('enter');
  await terminal.waitFor(/^listed/m);
  expect(await readFile(join(home, 'new'), 'utf8')).toMatch(/^(__skydeck\w*\n)+$/);
});
