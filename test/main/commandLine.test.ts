import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/program/arguments.ts';
import { commandNames } from '../../src/program/commandLine/commands.ts';
import { optionNames, optionsOf } from '../../src/program/commandLine/options.ts';
import { bundle } from '../build.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere } from './here.ts';
import { environment, skydeck } from './program.ts';

let home: string;
let file: string;

beforeEach(async () => {
  home = temporaryFolder('words');
  await mkdir(join(home, '.config', 'skydeck'), { recursive: true });
  file = join(home, '.config', 'skydeck', 'config.toml');
});

const config = (text: string) => writeFile(file, text);

/** The words that are offered behind these, as the shells ask for them. */
async function offered(...typed: string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await skydeck(['complete', '--', ...typed], environment(home));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toBe(':4');
  return lines.slice(0, -1).map((line) => line.split('\t')[0] ?? '');
}

describe('skydeck config', () => {
  it('checks the configuration or another file, and says each mistake in one line', async () => {
    await config('[profiles.work]\nbase_url = "https://api.example.com"\n[views.one]\narea = "servers"\n');
    expect(await skydeckHere(['config', 'check'], environment(home))).toEqual({
      code: 0,
      stdout: `${file} has no mistakes: 1 profile, 1 view.\n`,
      stderr: '',
    });
    await config('[audit]\nkeep = 3\n');
    expect((await skydeckHere(['config', 'check'], environment(home))).stdout).toBe(
      `${file} has no mistakes: the audit log.\n`,
    );
    const other = join(home, 'other.toml');
    await writeFile(other, '[profiles.work]\ntheme = "drak"\nread-only = true\n[[hooks]]\non = ["critical"]\n');
    const { code, stdout, stderr } = await skydeckHere(['config', 'check', other], environment(home));
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      `${other}:2:1: profiles.work.theme must be one of dark, light, high-contrast, mono; it is "drak"; did you mean dark?`,
      expect.stringContaining(
        `${other}:3:1: profiles.work.read-only is unknown; did you mean read_only? The settings are `,
      ),
      `${other}:4:3: hooks[1].run is missing.`,
    ]);
  });

  it('warns of a word that never stands in its column, and ends with 2 where a guard can therefore never hold', async () => {
    const wordOf = (area: string) => `${area}]]\nfor = "servers"\nwhere = "watchdog:oof"\n`;
    await config(`${wordOf('[[rules')}severity = "notice"\nsays = "{label}"\n`);
    expect(await skydeckHere(['config', 'check'], environment(home))).toEqual({
      code: 0,
      stdout: `${file} has no mistakes: 1 rule.\n${file}:3:1: warning: rules[1].where watchdog is never oof; it is yes and no.\n`,
      stderr: '',
    });
    await config(`${wordOf('[[profiles.work.guards')}actions = ["delete"]\ndeny = true\n`);
    expect(await skydeckHere(['config', 'check'], environment(home))).toEqual({
      code: 2,
      stdout: `${file}:3:1: profiles.work.guards[1].where can never hold: watchdog is never oof; it is yes and no.\n`,
      stderr: '',
    });
  });

  it.each(['', 'relative'])(
    'looks for it in the own home where HOME is %j, which would be another in each directory',
    async (HOME) => {
      const { stdout } = await skydeckHere(['config', 'path'], { ...environment(home), HOME });
      expect(stdout).toBe(`${join(userInfo().homedir, '.config', 'skydeck', 'config.toml')}\n`);
    },
  );

  it('says where the configuration is, and prints its schema', async () => {
    expect((await skydeckHere(['config', 'path'], environment(home))).stdout).toBe(`${file}\n`);
    const named = await skydeckHere(['config', 'path', '--config', 'mine.toml'], environment(home));
    expect(named.stdout).toBe('mine.toml\n');
    expect((await skydeckHere(['config', 'check'], environment(home))).stdout).toBe(
      `There is no configuration: ${join(home, '.config', 'skydeck', 'config.toml')} does not exist.\n`,
    );
    const { code, stdout } = await skydeckHere(['config', 'schema'], environment(home));
    expect({ code, schema: JSON.parse(stdout).$schema }).toEqual({
      code: 0,
      schema: 'https://json-schema.org/draft/2020-12/schema',
    });
  });

  it.each([
    ['config', 'skydeck config needs a word after it: check, show, edit, init, path, schema.'],
    [
      'config chek',
      'skydeck config does not know "chek"; did you mean check? It knows check, show, edit, init, path, schema.',
    ],
    ['config path a', 'skydeck config path needs no "a"; leave it out.'],
    ['config check a b', 'skydeck config check needs no "b"; leave it out.'],
    ['config check --theme dark', 'skydeck config check takes no --theme, so leave it out.'],
    ['config check --latency 5', 'skydeck config takes no --latency; its options are --config, --json, --profile'],
    ['config init --json', 'skydeck config init takes no --json, so leave it out.'],
    ['completion', 'skydeck completion needs a word after it: bash, zsh, fish, powershell.'],
    ['completion bahs', 'did you mean bash?'],
    ['completion bash zsh', 'Only one shell can be named; leave out "zsh".'],
    ['completion bash --demo', 'skydeck completion takes no --demo.'],
  ])('refuses %s', (line, says) => {
    expect(() => parseArguments(line.split(' '))).toThrow(says);
  });
});

describe('a profile', () => {
  it.each([
    ['base_url = "http://api.example.com"', 'base_url is not encrypted'],
    ['token_env = "MY TOKEN"', 'token_env must be the name of a variable'],
    ['vocabulary = { server = "acme", kube = "acme" }', 'must not be the word of'],
    ['vocabulary = { server = "monitor" }', 'vocabulary.server must not be the word of monitor as well'],
    ['vocabulary = { server = "my-cloud" }', 'vocabulary.server must be a word of lower-case letters and digits'],
  ])('with %s is a mistake before it is used', async (line, says) => {
    await config(`[profiles.work]\n${line}\n`);
    const { code, stdout } = await skydeckHere(['config', 'check'], environment(home));
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining(says) });
  });

  it('that no option can name is a mistake', async () => {
    await config('[profiles."a,b"]\n[profiles.""]\n');
    const { stdout } = await skydeckHere(['config', 'check'], environment(home));
    expect(stdout.match(/cannot be named by --profile/g)).toHaveLength(2);
  });
});

describe('completion', () => {
  it('offers commands, areas, options and their values', async () => {
    const first = await offered('');
    expect(first).toEqual(expect.arrayContaining([...commandNames, 'home', 'servers', 'volumes']));
    expect(first).not.toContain('complete');
    expect(await offered('snap')).toEqual(['snapshot']);
    expect(await offered('snapshot', '--fo')).toEqual(['--format']);
    for (const words of [['snapshot'], ['plan', 'show']])
      expect(await offered(...words, '--format', '')).toEqual(['text', 'json', 'jsonl', 'csv', 'tsv']);
    const taken = ['terraform-import', 'ansible', 'prometheus', 'ssh-config', 'zone', 'csv', 'json'];
    expect(await offered('export', '--format', '')).toEqual(taken);
    expect(await offered('--profile=work', 'watch', 'fle')).toEqual(['fleet']);
    expect(await offered('watch', 'home', 'prob')).toEqual(['problems']);
    expect(await offered('config', 'check', `${home}/.config/sky`)).toEqual([`${home}/.config/skydeck/`]);
  });

  it('offers the options of a command and no other', async () => {
    for (const command of ['snapshot', 'demo-api', 'config'] as const)
      expect((await offered(command, '--')).toSorted()).toEqual(
        optionsOf(command)
          .map((name) => `--${name}`)
          .toSorted(),
      );
    expect(optionsOf('watch')).not.toContain('format');
    const owned = new Set((['dashboard', ...commandNames] as const).flatMap(optionsOf));
    expect(optionNames.filter((name) => !owned.has(name))).toEqual([]);
  });

  it('offers profiles and views by the names that a shell takes as they are, and runs nothing', async () => {
    const gone = join(home, 'gone');
    await config(
      `[profiles.work]\ntoken_command = ["touch", "${gone}"]\n[profiles.wall]\n[profiles."$(touch ${gone})"]\n[profiles."two words"]\n[views.mine]\narea = 3\n`,
    );
    expect(await offered('--profile', '')).toEqual(['work', 'wall']);
    await writeFile(join(home, '.config', 'skydeck', 'views.toml'), '[views.mint]\narea = "servers"\n');
    expect(await offered('mi')).toEqual(['mint', 'mine']);
    expect(await offered('watch', 'mi')).toEqual(['mint', 'mine']);
    expect(await offered('snapshot', 'mi')).toEqual(['mint', 'mine']);
    await config('not toml');
    expect(await offered('--profile', '')).toEqual([]);
    await config('[profiles.work]');
    await chmod(file, 0o666);
    expect(await offered('--profile', '')).toEqual([]);
    expect(spawnSync('ls', [gone]).status).not.toBe(0);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await skydeck(['completion', shell], environment(home));
    expect(code).toBe(0);
    expect(stdout).toMatch(/skydeck complete '?--/);
    // In a list of zsh, what follows a colon describes the word.
    if (shell === 'zsh') expect(stdout).toContain(String.raw`{comp//:/\\:}`);
  });

  /** Parts a script of PowerShell into its code, without comments, and its texts. */
  const readPowerShell = (script: string) => {
    const texts: string[] = [];
    const token = /'(?:[^']|'')*'|"(?:[^"`]|`[\s\S]|"")*"|#.*/g;
    const code = script.replace(token, (found) => {
      if (!found.startsWith('#')) texts.push(found);
      return '';
    });
    return { code, texts };
  };

  it('prints a script for powershell that is whole, and runs nothing of the line that it completes', async () => {
    const { stdout } = await skydeck(['completion', 'powershell'], environment(home));
    const { code, texts } = readPowerShell(stdout);
    const open: string[] = [];
    for (const bracket of code.match(/[()[\]{}]/g) ?? [])
      if ('([{'.includes(bracket)) open.push(bracket);
      else expect(`${open.pop()}${bracket}`).toMatch(/^(?:\(\)|\[\]|\{\})$/);
    expect(open).toEqual([]);
    expect(code).not.toMatch(/['"]/);
    // A variable before a colon would be taken for a drive.
    expect(texts.filter((text) => text.startsWith('"') && /\$\w+:(?!:)/.test(text.replace(/\$env:/g, '')))).toEqual([]);
    const defined = [...code.matchAll(/(?:function|filter) (\w+)/g)].map(([, name]) => name);
    expect(new Set(code.match(/\b__skydeck_\w+/g))).toEqual(new Set(defined));
    expect(code).toMatch(/Register-ArgumentCompleter -CommandName {2}-ScriptBlock \$__skydeckCompleterBlock\s*$/);
    expect(code.match(/Invoke-Expression/g)).toHaveLength(1);
    // Each typed word is between single quotes, of which PowerShell takes four more for one.
    expect(stdout).toContain(String.raw`"'" + ($_ -replace "['\u2018-\u201b]", '$&$&') + "'"`);
    expect(stdout).toContain(`"& skydeck complete '--' $QuotedArgs"`);
  });

  it('completes in bash', async () => {
    await config('[profiles.work]\n[profiles.wall]\n');
    const { stdout: script } = await skydeck(['completion', 'bash'], environment(home));
    const session = `compopt() { :; }
skydeck() { "${process.execPath}" "${bundle}" "$@"; }
${script}
press_tab() { COMP_WORDS=(skydeck "$@"); COMP_CWORD=$#; COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}; __skydeck_complete; echo "\${COMPREPLY[@]}"; }
complete -p skydeck
press_tab snap
press_tab --profile w
press_tab snapshot --fail-on ''
press_tab vol`;
    const { stdout, stderr } = spawnSync('bash', ['-c', session], { env: environment(home), encoding: 'utf8' });
    expect({ lines: stdout.trimEnd().split('\n'), stderr }).toEqual({
      lines: ['complete -F __skydeck_complete skydeck', 'snapshot', 'work wall', 'problem critical', 'volumes'],
      stderr: '',
    });
  });
});
