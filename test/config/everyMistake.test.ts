/** A file with several mistakes is told of all of them at once, and of none that it does not have. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleConfig } from '../../src/config/configTexts.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { configChecks } from '../../src/program/config/checks.ts';
import { seed } from '../draw.ts';

/** The key that each mistake is about, without what is said of it. */
const keysOf = (source: string): readonly string[] =>
  parseConfig(source, configChecks).mistakes.map(({ says }) => /^line \d+: (\S+)/.exec(says)?.[1] ?? says);

describe('all mistakes of a part are told at once', () => {
  it.each([
    [
      'a profile',
      `[profiles.work]
thmee = "dark"
base_url = "http://example.com"
[profiles.work.ssh]
run = ["ssh", "{usr}", "{adress}"]
[[profiles.work.guards]]
for = "servers"
actions = ["delet", "rebot"]
deny = "yes"`,
      [
        'profiles.work.thmee',
        'profiles.work.base_url',
        'profiles.work.ssh.run',
        'profiles.work.ssh.run',
        'profiles.work.guards[1].actions',
        'profiles.work.guards[1].actions',
        'profiles.work.guards[1].deny',
      ],
    ],
    [
      'a command',
      `[[commands]]
name = "Trace"
key = "b"
for = "servers"
chagnes = false
run = ["echo", "{lable}"]
request = { method = "PSOT", path = "/v4/server/instances/{id}//{lable}" }`,
      [
        'commands[1].key',
        'commands[1].chagnes',
        'commands[1].changes',
        'commands[1].run[2]',
        'commands[1].request.method',
        'commands[1].request',
        'commands[1].request.path',
        'commands[1].request.path',
      ],
    ],
    [
      'a view',
      `[views.x]
area = "servers"
key = "f99"
columns = ["lable"]
sort = "cpuu"
filter = "tga:x"`,
      ['views.x.key', 'views.x.columns[1]', 'views.x.sort', 'views.x.filter'],
    ],
    [
      'a rule',
      `[[rules]]
for = "servers"
where = "cpuu>3"
severity = "bad"
says = "{lable}"`,
      ['rules[1].where', 'rules[1].severity', 'rules[1].says'],
    ],
    [
      'the keys',
      `[keys]
preset = "emcas"
[keys.list]
sort = 3
srot = "O"
remove = "ctrl-d"`,
      ['keys.preset', 'keys.list.sort', 'keys.list.srot', 'keys.list.remove'],
    ],
    [
      'two sources of a token beside a misspelt key',
      `[profiles.a]
token_env = "A"
token_file = "a"
red_only = true`,
      ['profiles.a.token_file', 'profiles.a.red_only'],
    ],
  ])('of %s', (_name, source, expected) => {
    expect(keysOf(source).toSorted()).toEqual(expected.toSorted());
  });
});

describe('a mistake makes no other one up', () => {
  it.each([
    [
      'a guard names a command that has a mistake',
      `[[commands]]
name = "Reboot gently"
for = "servers"
tmeout = 3
run = ["x"]
[profiles.a]
[[profiles.a.guards]]
for = "servers"
actions = ["reboot-gently"]
deny = true`,
      ['commands[1].tmeout'],
    ],
    [
      'and one of which nothing else can be read',
      `[[commands]]
name = "Reboot gently"
[profiles.a]
[[profiles.a.guards]]
actions = ["reboot-gently"]
deny = true`,
      ['commands[1].for'],
    ],
    ['a misspelt key is the one that is needed', '[profiles.a]\nbase_url = "http://x.example"\ninsecure_htp = true', 1],
    ['and one of another kind', '[profiles.a]\nbase_url = "http://x.example"\ninsecure_http = 1', 1],
    ['a guard has a misspelt effect', '[profiles.a]\n[[profiles.a.guards]]\nactions = ["*"]\ndenny = true', 1],
    [
      'a view is sorted by a column that cannot be read',
      '[views.a]\narea = "servers"\ncolumns = ["label", { value = "specs.gpus", width = "x" }]\nsort = "gpus"',
      1,
    ],
    ['a key changes places with one that cannot be read', '[keys.list]\ncopy = 3\nsort = "c"', 1],
    ['a way out has no key of any kind', '[keys.list]\nopen = "enter"\n[keys.form]\nclose = 3', 1],
    [
      'a part has no mistake behind one that has',
      '[[rules]]\nfor = "servers"\n[[rules]]\nfor = "servers"\nwhere = "tag:a"\nseverity = "notice"\nsays = "{label}"',
      3,
    ],
    [
      'nor a guard behind another',
      '[profiles.a]\n[[profiles.a.guards]]\ndeny = true\n[[profiles.a.guards]]\nactions = ["*"]\ndeny = true',
      1,
    ],
  ])('where %s', (_name, source, expected) => {
    const keys = keysOf(source);
    if (typeof expected === 'number') expect(keys).toHaveLength(expected);
    else expect(keys).toEqual(expected);
  });
});

/** Each makes one mistake of the sample, whatever the others do. */
const slips: readonly (readonly [string, string])[] = [
  ['critical = true', 'critcal = true'],
  ['refresh = 30', 'refresh = 0'],
  ['user = "root"', 'user = "-root"'],
  ['run = ["ssh", "{user}@{address}"]', 'run = ["ssh", "{adress}"]'],
  ['where = "tag:prod"\n', 'where = "tga:prod status:running (a"\n'],
  ['actions = ["delete", "resize"]', 'actions = ["delete", "rezise-all"]'],
  ['ask = "label"', 'ask = "lable"'],
  ['theme = "high-contrast"', 'theme = "drak"'],
  ['token_file = "/etc', 'token_fiel = "/etc'],
  ['filter = "tag:prod"', 'filter = "cpu>much"'],
  ['sort = "-cpu"', 'sort = "-cpuu"'],
  ['[views.production]', '[views.production]\nkey = "f1"'],
  ['changes = false', 'chagnes = false'],
  ['run = ["mtr", "--report", "{ipv4.0}"]', 'run = ["mtr", "--report", "{}"]'],
  ['where = "tag:prod !status:running"', 'where = ""'],
  ['severity = "critical"', 'severity = "bad"'],
  ['on = ["critical", "recovered"]', 'on = ["gone"]'],
];

it(`any slips together are told as each alone (seed ${seed})`, () => {
  const sample = sampleConfig;
  const withSlips = (some: readonly (readonly [string, string])[]) =>
    some.reduce((source, [before, after]) => source.replace(before, () => after), sample);
  const without = (source: string) =>
    parseConfig(source, configChecks).mistakes.map(({ says }) => says.replace(/^line \d+: /, ''));
  for (const slip of slips) expect([slip, without(withSlips([slip]))]).toEqual([slip, [expect.any(String)]]);
  fc.assert(
    fc.property(fc.subarray([...slips], { minLength: 2 }), (some) => {
      expect(without(withSlips(some)).toSorted()).toEqual(
        some.flatMap((slip) => without(withSlips([slip]))).toSorted(),
      );
    }),
    { seed, numRuns: 200 },
  );
});
