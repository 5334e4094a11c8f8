import { rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { addedCommand, commandText, type MissingCommand, missingCommands } from '../../src/config/missingCommands.ts';
import { addToCommandsFile } from '../../src/program/config/besideFiles.ts';
import { readConfig } from '../../src/program/config/readConfig.ts';
import { changeNamed } from '../../src/program/replaceFile.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

let home: string;
let folder: string;
let config: string;
let file: string;
beforeEach(async () => {
  home = temporaryFolder('commands');
  folder = join(home, '.config', 'skydeck');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  config = join(folder, 'config.toml');
  file = join(folder, 'commands.toml');
});

const named = (name: string): MissingCommand => {
  const command = missingCommands.find((one) => one.name === name);
  if (!command) throw new Error(`there is no ${name}`);
  return addedCommand(command);
};
const reboot = commandText(named('Reboot'));
const read = () => readConfig(config, false);
const says = async () =>
  (await read()).mistakes.map(({ file = config, says }) => `${file.slice(folder.length + 1)}, ${says}`);
const namesIn = async () => (await read()).config.commands.map(({ name }) => name);
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const saidBy = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

test('commands of the file beside count like those of the configuration, and guards know their names', async () => {
  await writeFile(config, `[profiles.work]\n[[profiles.work.guards]]\nactions = ["reboot"]\ndeny = true\n`);
  expect(await says()).toEqual([expect.stringContaining('config.toml, line 3: ')]);
  await writeFile(file, reboot);
  expect(await says()).toEqual([]);
  expect(await namesIn()).toEqual(['Reboot']);
  await rm(config);
  expect(await namesIn()).toEqual(['Reboot']);
  const { stdout } = await skydeck(['config', 'check'], environment(home));
  expect(stdout).toBe(`${file} has no mistakes: 1 command.\n`);
  await writeFile(config, '[profiles.work]\n');
  const both = await skydeck(['config', 'check'], environment(home));
  expect(both.stdout).toBe(`${config} with ${file} has no mistakes: 1 profile, 1 command.\n`);
});

test('a mistake there is told with its own file and line, and stops the start as in the configuration', async () => {
  await writeFile(config, `# mine\n${reboot}`);
  await writeFile(file, `# one\n\n${reboot.replace('"x"', '"q"')}`);
  expect(await says()).toEqual(['commands.toml, line 4: commands[1].name is that of another command for servers.']);
  await writeFile(file, '[profiles.work]\nread_only = true\n');
  expect(await says()).toEqual([
    'commands.toml, line 1: profiles has no place in this file, which has [[commands]] alone.',
  ]);
  await writeFile(file, 'commands = 3\n');
  expect(await says()).toEqual(['commands.toml, line 1: commands must be tables: [[commands]].']);
  await writeFile(file, '[[commands]]\nname = "Reboot\n');
  const [mistake] = (await read()).mistakes;
  expect(mistake).toMatchObject({ file, line: 2, stops: 'start' });
  const { stdout, code } = await skydeck(['config', 'check'], environment(home));
  expect(code).toBe(2);
  expect(stdout).toMatch(/commands\.toml:2:\d+: "name" is not valid TOML/);
});

test('a file that others may write, or that lies where they may, is refused with the way out', async () => {
  await writeFile(config, '');
  await writeFile(file, reboot);
  await chmod(file, 0o666);
  await expect(read()).rejects.toThrow(/commands\.toml can be changed by others .*chmod go-w .*commands\.toml/);
  expect(saidBy(() => addToCommandsFile(config, named('Boot')))).toMatch(/chmod go-w/);
  expect(await readFile(file, 'utf8')).toBe(reboot);
  await rm(file);
  await chmod(folder, 0o777);
  expect(saidBy(() => addToCommandsFile(config, named('Boot')))).toMatch(
    /lies in .* can be changed by others .*chmod go-w/,
  );
  await expect(stat(file)).rejects.toThrow();
});

test('a command is added as it was shown, in a file of its owner alone', async () => {
  await rm(folder, { recursive: true });
  addToCommandsFile(config, named('Reboot'));
  expect(await readFile(file, 'utf8')).toBe(reboot);
  expect(await mode(file)).toBe('600');
  expect(await mode(folder)).toBe('700');
  for (const { name } of missingCommands) if (name !== 'Reboot') addToCommandsFile(config, named(name));
  expect(await says()).toEqual([]);
  expect(await namesIn()).toEqual([
    'Reboot',
    ...missingCommands.map(({ name }) => name).filter((name) => name !== 'Reboot'),
  ]);
});

const written =
  '# mine \u00e4\r\n[[commands]] # a comment\r\nname = "Look"\nfor =   "servers"\nchanges=false\nrun = ["true"]';

test.each([
  ['without a last line break', written],
  ['with one', `${written}\n`],
  ['with Windows line breaks', `${written}\r\n`],
  ['of comments alone', '# nothing yet'],
  ['that is empty', ''],
])('what a person wrote stays byte by byte: a file %s', async (_, before) => {
  await writeFile(file, before);
  await chmod(file, 0o640);
  addToCommandsFile(config, named('Reboot'));
  const after = await readFile(file);
  expect(after.subarray(0, Buffer.byteLength(before)).equals(Buffer.from(before))).toBe(true);
  expect(after.subarray(Buffer.byteLength(before)).toString().trimStart()).toBe(reboot);
  expect(await mode(file)).toBe('640');
  expect(await says()).toEqual([]);
});

test('a link stays one, and a file that its owner has closed stays as it is', async () => {
  const real = join(home, 'dotfiles.toml');
  await writeFile(real, written);
  await symlink(real, file);
  addToCommandsFile(config, named('Reboot'));
  expect(await readFile(real, 'utf8')).toContain('name = "Reboot"');
  expect(await readFile(file, 'utf8')).toContain('name = "Reboot"');
  await rm(real);
  expect(saidBy(() => addToCommandsFile(config, named('Boot')))).toMatch(
    /cannot be written: it is a link that leads nowhere\.$/,
  );
  await rm(file);
  await mkdir(file);
  expect(saidBy(() => addToCommandsFile(config, named('Boot')))).toMatch(/it is a directory/);
});

test('a file of a person that is called like a new one stays', async () => {
  await writeFile(`${file}.new`, written);
  await utimes(`${file}.new`, 1, 1);
  addToCommandsFile(config, named('Reboot'));
  expect(await readFile(`${file}.new`, 'utf8')).toBe(written);
});

test('nothing is added twice, or to what has a mistake, or while another session writes', async () => {
  addToCommandsFile(config, named('Reboot'));
  const once = await readFile(file, 'utf8');
  addToCommandsFile(config, named('Reboot'));
  expect(await readFile(file, 'utf8')).toBe(once);

  const broken = `${once}\n[[commands]]\nname = "Look"\n`;
  await writeFile(file, broken);
  expect(saidBy(() => addToCommandsFile(config, named('Boot')))).toMatch(
    /^commands\.toml, line \d+: commands\[2\]\..*Nothing is written until that is mended\.$/,
  );
  expect(await readFile(file, 'utf8')).toBe(broken);

  await writeFile(file, once);
  await writeFile(`${file}.skydeck-writes`, '');
  expect(saidBy(() => addToCommandsFile(config, named('Boot')))).toMatch(
    /something else writes it at this moment; do it again\.$/,
  );
  // That of a session that died is in nobody's way.
  await utimes(`${file}.skydeck-writes`, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
  addToCommandsFile(config, named('Boot'));
  expect(await namesIn()).toEqual(['Reboot', 'Boot']);
  await expect(stat(`${file}.skydeck-writes`)).rejects.toThrow();
  expect(saidBy(() => addToCommandsFile(file, named('Clone')))).toMatch(
    /called commands\.toml itself.*write the command there\.$/,
  );
});

test('what another session has taken for dead puts no text of that one in place', async () => {
  await writeFile(file, written);
  const lock = `${file}.skydeck-writes`;
  const change = (before: string) => {
    rmSync(lock);
    writeFileSync(lock, 'half of it');
    return `${before}\n`;
  };
  expect(saidBy(() => changeNamed(file, { called: 'The file' }, change))).toMatch(
    /something else writes it at this moment; do it again\.$/,
  );
  expect(await readFile(file, 'utf8')).toBe(written);
  expect(await readFile(lock, 'utf8')).toBe('half of it');
});

test('a key that the menu has otherwise is left out', () => {
  expect(addedCommand({ ...named('Reboot'), key: 'z' }).key).toBeUndefined();
  expect(commandText(named('Rebuild as it was'))).toBe(`[[commands]]
name = "Rebuild as it was"
key = "u"
for = "servers"
ask = "ALL disks of {label} are deleted, and it is made anew from {image}. Its data is lost. Rebuild it?"
destroys = true
form = ["root_pass"]
# The password is typed each time, and kept nowhere.
request = { method = "POST", path = "${resourceNamed('servers').list?.path}/{id}/rebuild", body = { image = "{image}" } }
`);
});
