import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/snapshotSchemas.ts';
import { configJsonSchema } from '../../src/config/jsonSchema.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { configChecks } from '../../src/program/config/checks.ts';
import { keyNames } from '../../src/screens/keys/userKeys.ts';
import { mistakesIn } from '../main/schema.ts';

const sample = readFileSync('test/config/sample.toml', 'utf8');
const text = configJsonSchema(keyNames());
const { $defs } = JSON.parse(text) as { $defs: Readonly<Record<string, Schema>> };
const schema = JSON.parse(text, (_, value: { $ref?: string } | null) =>
  typeof value?.$ref === 'string' ? { ...value, ...$defs[value.$ref.replace('#/$defs/', '')] } : value,
) as Schema;
const wrongBySchema = (source: string) => mistakesIn(parse(source), schema);

describe('the JSON Schema of the configuration', () => {
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
    command('request = { method = "POST", path = "/v4/server/instances/{id}/reboot", body = { a = 1 } }'),
    command(`${get} }`),
  ])('takes %j, as the program does', (right) => {
    expect(parseConfig(right, configChecks).mistakes).toEqual([]);
    expect(wrongBySchema(right)).toEqual([]);
  });
});
