import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../scripts/snapshotSchemas.ts';
import { configJsonSchema } from '../../src/config/jsonSchema.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { mistakesIn } from '../main/schema.ts';

const sample = readFileSync('test/config/sample.toml', 'utf8');
const schema = JSON.parse(configJsonSchema()) as Schema;
const wrongBySchema = (source: string) => mistakesIn(parse(source), schema);

describe('the JSON Schema of the configuration', () => {
  it('accepts the sample of its page, as the program does', () => {
    expect(parseConfig(sample).mistakes).toEqual([]);
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
    expect(parseConfig(wrong).mistakes).not.toEqual([]);
  });
});
