import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/snapshotSchemas.ts';
import { sampleConfig } from '../../src/config/configTexts.ts';
import { configJsonSchema } from '../../src/config/jsonSchema.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { configChecks } from '../../src/program/config/checks.ts';
import { schemaNames } from '../../src/program/config/commands.ts';
import { seed } from '../draw.ts';
import { mistakesIn } from '../main/schema.ts';

const sample = sampleConfig;
const text = configJsonSchema(schemaNames());
const { $defs } = JSON.parse(text) as { $defs: Readonly<Record<string, Schema>> };
const schema = JSON.parse(text, (_, value: { $ref?: string } | null) =>
  typeof value?.$ref === 'string' ? { ...value, ...$defs[value.$ref.replace('#/$defs/', '')] } : value,
) as Schema;
const wrongBySchema = (source: string) => mistakesIn(parse(source), schema);

/** Values of keys that are right or wrong, by their tables; what needs a filter or a column is checked by the program alone. */
const values: Readonly<
  Record<string, Readonly<Record<string, readonly (readonly [value: string, isRight: boolean])[]>>>
> = {
  '[profiles.a]': {
    base_url: [
      ['"https://api.example.com"', true],
      ['"https://api.example.com/v4"', false],
      ['"ftp://x"', false],
      ['3', false],
    ],
    token_env: [
      ['"TOKEN"', true],
      ['"MY TOKEN"', false],
      ['""', false],
    ],
    critical: [
      ['true', true],
      ['"yes"', false],
    ],
    refresh: [
      ['30', true],
      ['0', false],
      ['"30"', false],
    ],
    theme: [
      ['"mono"', true],
      ['"drak"', false],
    ],
    colors: [
      ['"256"', true],
      ['256', false],
    ],
    vocabulary: [
      ['{ server = "acme" }', true],
      ['{ srver = "acme" }', false],
      ['{ server = "Acme" }', false],
    ],
    ssh: [
      ['{ user = "me", address = "private" }', true],
      ['{ run = [] }', false],
      ['{ user = "-x" }', false],
      ['{ user = "a b" }', false],
      ['{ when = [{ user = "x" }] }', false],
    ],
    guards: [
      ['[{ actions = ["*"], deny = true }]', true],
      ['[{ actions = ["*"] }]', false],
      ['[{ actions = [], deny = true }]', false],
      ['[{ for = "serverz", actions = ["*"], deny = true }]', false],
      ['[{ for = "regions", actions = ["*"], deny = true }]', false],
      ['[{ actions = ["*"], at_most = 0 }]', false],
    ],
    tok: [['"x"', false]],
  },
  '[defaults]': {
    theme: [
      ['"light"', true],
      ['"drak"', false],
    ],
    base_url: [['"https://api.example.com"', false]],
    guards: [
      ['[{ for = "volumes", actions = ["*"], ask = "label" }]', true],
      ['[{ for = "volumz", actions = ["*"], ask = "label" }]', false],
      ['[{ actions = ["*"], ask = "lable" }]', false],
    ],
  },
  '[keys.list]': {
    sort: [
      ['"f3"', true],
      ['["alt-r", "ß"]', true],
      ['"f13"', false],
      ['"escape"', false],
    ],
    srot: [['"s"', false]],
  },
  '[views.v]': {
    area: [
      ['"servers"', true],
      ['"Servers"', true],
      ['"serverz"', false],
      ['"records"', false],
      ['"account"', false],
    ],
    key: [
      ['"f2"', true],
      ['"f1"', false],
    ],
    columns: [
      ['["label", { value = "specs.gpus", width = 5 }]', true],
      ['[]', false],
      ['[{ title = "x" }]', false],
      ['[{ value = "x", width = 0 }]', false],
    ],
  },
  '[[commands]]\nname = "X"\nfor = "servers"\nrun = ["a"]': {
    key: [
      ['"J"', true],
      ['"JJ"', false],
    ],
    show: [
      ['"notice"', true],
      ['"popup"', false],
    ],
    ask: [
      ['"Really?"', true],
      ['3', false],
    ],
    timeout: [
      ['60', true],
      ['0', false],
      ['1.5', false],
    ],
    form: [['["label"]', false]],
    request: [['{ method = "GET", path = "/v4/volumes" }', false]],
  },
  '[[rules]]\nwhere = "label:a"\nsays = "x"': {
    for: [
      ['"servers"', true],
      ['"serverz"', false],
      ['"problems"', false],
    ],
    severity: [
      ['"notice"', true],
      ['"bad"', false],
    ],
  },
  '[[hooks]]\nrun = ["a"]': {
    on: [
      ['["critical"]', true],
      ['["gone"]', false],
      ['[]', false],
    ],
    timeout: [
      ['10', true],
      ['601', false],
    ],
  },
  '[audit]': {
    keep: [
      ['3', true],
      ['0', false],
    ],
  },
  '[dns]': {
    resolve: [
      ['true', true],
      ['"yes"', false],
    ],
    resolver: [
      ['"192.0.2.53"', true],
      ['"192.0.2.53:5353"', true],
      ['"2001:db8::53"', true],
      ['"[2001:db8::53]:53"', true],
      ['"dns.example.com"', false],
      ['""', false],
    ],
  },
};

/** A file without mistakes draws of the right values alone, where a key has one. */
const inFileOf = (areAllRight: boolean, some: readonly (readonly [string, boolean])[]) =>
  areAllRight && some.some(([, isRight]) => isRight) ? some.filter(([, isRight]) => isRight) : some;

/** A file in which all keys are right and those that a part needs are there, or most. */
const filesOf = (areAllRight: boolean) =>
  fc
    .tuple(
      ...Object.entries(values).map(([header, keys]) =>
        fc
          .tuple(
            fc.boolean(),
            ...Object.entries(keys).map(([key, some]) =>
              fc
                .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...inFileOf(areAllRight, some)))
                .map(
                  ([luck, [value, isRight]]) =>
                    (areAllRight ? isRight : isRight ? luck < 8 : luck === 0) && `${key} = ${value}`,
                ),
            ),
          )
          .map(([isThere, ...lines]) => (isThere ? [header, ...lines.filter(Boolean)].join('\n') : '')),
      ),
    )
    .map((parts) => parts.filter(Boolean).join('\n'));

/** As many files of one kind as of the other, so that each kind is seen by any seed. */
const files = fc.boolean().chain(filesOf);

describe('the JSON Schema of the configuration', () => {
  it('says of generated files what the program says of them', () => {
    const told = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(files, (source) => {
        const isWrong = parseConfig(source, configChecks).mistakes.length > 0;
        told[isWrong ? 'wrong' : 'right']++;
        expect({ source, isWrong: wrongBySchema(source).length > 0 }).toEqual({ source, isWrong });
      }),
      { numRuns: 300, seed },
    );
    expect(Math.min(told.right, told.wrong)).toBeGreaterThan(20);
  });

  it('accepts the sample of its page, as the program does', () => {
    expect(parseConfig(sample, configChecks).mistakes).toEqual([]);
    expect(wrongBySchema(sample)).toEqual([]);
  });

  it.each([
    ['critical = true', 'critical = "yes"'],
    ['critical = true', 'critcal = true'],
    ['refresh = 30', 'refresh = 0'],
    ['theme = "high-contrast"', 'theme = "drak"'],
    ['base_url = "https://api.example.com"', 'base_url = "api.example.com"'],
    ['actions = ["delete", "resize"]', 'actions = []'],
    ['ask = "label"', ''],
    ['area = "servers"\nfilter', 'filter'],
    ['run = ["mtr", "--report", "{ipv4.0}"]', ''],
    ['severity = "critical"', 'severity = "bad"'],
    ['on = ["critical", "recovered"]', 'on = ["gone"]'],
    ['[views.production]', '[view.production]'],
  ])('refuses it where %j is %j, as the program does', (before, after) => {
    const wrong = sample.replace(before, after);
    expect(wrong).not.toBe(sample);
    expect(wrongBySchema(wrong)).not.toEqual([]);
    expect(parseConfig(wrong, configChecks).mistakes).not.toEqual([]);
  });

  const command = (more: string) => `[[commands]]\nname = "X"\nfor = "servers"\n${more}\n`;
  const get = 'request = { method = "GET", path = "/v4/server/instances/{id}"';

  it.each([
    '[keys.lst]\nsort = "s"',
    '[keys.list]\nsrot = "s"',
    '[keys.list]\nsort = "shift-s"',
    '[keys.list]\nsort = ["s", "f13"]',
    '[views.a]\narea = "serverz"',
    '[[rules]]\nfor = "serverz"\nwhere = "cpu>1"\nseverity = "notice"\nsays = "x"',
    '[[profiles.a.guards]]\nfor = "serverz"\nactions = ["*"]\ndeny = true',
    '[profiles.a]\ntoken_env = "A"\ntoken_file = "b"',
    '[profiles.a]\nbase_url = "https://api.example.com/v4"',
    '[profiles.a]\nbase_url = "https://me:secret@api.example.com"',
    '[profiles.a]\nbase_url = "https://api.example.com?a=b"',
    command('run = ["a"]').replace('"servers"', '"serverz"'),
    command(`show = "pane"\n${get} }`),
    command(`${get}, body = { a = 1 } }`),
    command(`destroys = true\n${get} }`),
    command('run = ["a"]\ndestroys = true\nask = false'),
    command('run = ["a"]\ndestroys = true\nchanges = false'),
    '[[hooks]]\non = ["critical"]\nrun = ["a"]\nwhere = "web"',
    '[[hooks]]\non = ["critical"]\nrun = ["a"]\nfor = "serverz"',
    command('run = ["a", "{b}"]\nask = [{ name = "b", kind = "choice" }]'),
    command('run = ["a", "{b}"]\nask = [{ name = "b", kind = "text", of = "regions" }]'),
    command('run = ["a", "{b}"]\nask = [{ name = "b", kind = "row", of = "regionz" }]'),
  ])('refuses %j, as the program does', (wrong) => {
    expect(parseConfig(wrong, configChecks).mistakes).not.toEqual([]);
    expect(wrongBySchema(wrong)).not.toEqual([]);
  });

  it.each([
    '[keys]\npreset = "vim"\n[keys.list]\nsort = ["f1", "alt-r", "ß"]\nmark = ""\n[keys.everywhere]\nhelp = "ctrl-^"',
    '[views.a]\narea = "servers"\n[views.b]\narea = "Servers"\n[views.c]\narea = "NodeBalancer"\n[views.d]\narea = "bills"',
    '[profiles.a]\nbase_url = "https://api.example.com/v4/east/"',
    '[profiles.a]\nbase_url = "http://localhost:8080/@east/v4x"',
    command('run = ["a"]\ndestroys = true\nask = true'),
    command('run = ["a", "{b}"]\nask = ["Sure?", { name = "b", kind = "row", of = "regions" }]'),
    command('request = { method = "POST", path = "/v4/server/instances/{id}/reboot", body = { a = 1 } }'),
    command(`${get} }`),
  ])('takes %j, as the program does', (right) => {
    expect(parseConfig(right, configChecks).mistakes).toEqual([]);
    expect(wrongBySchema(right)).toEqual([]);
  });
});
