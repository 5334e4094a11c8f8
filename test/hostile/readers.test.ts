import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/api/responseText.ts';
import { resourceNamed, resources } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { monthlySpending } from '../../src/screens/custom/billing.tsx';
import { copyableTexts } from '../../src/screens/menus/menus.tsx';
import { createCache, queryKey } from '../../src/store/cache.ts';
import { clean } from '../../src/text/cells.ts';
import { shellWord } from '../../src/text/escapes.ts';
import { processorMs } from '../processorTime.ts';
import { knowing } from '../resources/known.ts';
import { fakeApi } from '../store/fakeApi.ts';

describe('what is copied', () => {
  const copied = (name: string, row: Row) =>
    new Map(copyableTexts(resourceNamed(name), row, knowing()).map((copy) => [copy.name, copy.text]));

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['$(reboot)', "'$(reboot)'"],
    ["it's", "'it'\\''s'"],
    ['a\nb', "'a\nb'"],
    [undefined, "''"],
  ])('%j is one word of a command line', (value, word) => expect(shellWord(value)).toBe(word));

  test('an address is no command, and a label no line of one', () => {
    const texts = copied('servers', { id: 1, label: 'web\nreboot\u001b[201~', ipv4: ['192.0.2.1;reboot\u0007'] });
    expect(texts.get('ssh command')).toBe("ssh root@'192.0.2.1;reboot'");
    expect(texts.get('label')).toBe('web reboot[201~');
  });

  test('what a description names is on one line, unless it is a paragraph', () => {
    expect(copied('buckets', { label: 'logs', hostname: 'a.example\nreboot\r\nb' }).get('hostname')).toBe(
      'a.example reboot b',
    );
    expect(copied('stackscripts', { id: 1, script: '#!/bin/sh\nreboot\n' }).get('script')).toBe('#!/bin/sh\nreboot\n');
  });

  test('a value is offered once, whatever the case of its names', () => {
    const twice = resources.flatMap(({ name }) => {
      const names = [...copied(name, { id: 1, label: 'backup', access_key: 'KEY' }).keys()];
      const known = new Set<string>();
      return names.filter((one) => known.size === known.add(one.toLowerCase()).size).map((one) => `${one} of ${name}`);
    });
    expect(twice).toEqual([]);
  });

  test('a time in milliseconds is copied as a date', () => {
    expect(copied('problems', { id: 'x', since: 1_795_332_616_000 }).get('Since')).toBe('2026-11-22T07:30:16.000Z');
  });

  test('texts of several lines keep them', () => {
    expect(copied('stackscripts', { id: 1, label: 'x', script: '#!/bin/sh\necho\t\u0003hi\r\n' }).get('script')).toBe(
      '#!/bin/sh\necho\thi\n',
    );
  });
});

describe('an answer', () => {
  test('hides nothing that every object has', () => {
    const row = parseJson(
      '{"toString":null,"\\u0074oString":1,"__proto__":{"a":1},"tags":[{"toString":2}],"label":"x"}',
    );
    expect(`${row}`).toBe('[object Object]');
    expect(row).toEqual({ tags: [{}], label: 'x' });
  });

  test('that is nested deeper than any is cut, also where it holds numbers that are read exactly', () => {
    const deep = (inner: string) => '['.repeat(100_000) + inner + ']'.repeat(100_000);
    const depth = (value: unknown): number => (Array.isArray(value) ? 1 + depth(value[0]) : 0);
    for (const inner of ['', '9007199254740993']) expect(depth(parseJson(deep(inner), (_, value) => value))).toBe(65);
    expect(parseJson('[[[7]]]')).toEqual([[[7]]]);
  });

  test.each([null, 'text', 7, [], [{}]])('of %j instead of a row says so', async (body) => {
    const api = { ...fakeApi(), send: async () => ({ body, status: 200 }) };
    const cache = createCache(api, Date.now);
    const question = { resource: 'servers', operation: 'view', params: { serverId: '1' } };
    await cache.readAnswer(question);
    const { error, body: kept } = cache.getState().answers[queryKey(question)] ?? {};
    expect(error?.message).toContain('no object');
    expect(kept).toBeUndefined();
  });
});

test('months of which nobody has invoices make no lines', () => {
  const dates = ['0001-01-01', '9999-12-31', '2025-03-04T00:00:00', '2025-05-01', 'never', null, 7, {}];
  const months = monthlySpending(dates.map((date) => ({ date, total: 10, tax_summary: 'none' })));
  expect(months.map(({ month, total }) => [month.year, month.month, total])).toEqual([
    [2025, 5, 10],
    [2025, 4, 0],
    [2025, 3, 10],
  ]);
});

test('marks stand on something of their own, and long texts are cleaned in time', () => {
  expect(clean('\u0301x')).toBe('◌\u0301x');
  const begun = processorMs();
  const text = '👩\u200d'.repeat(100_000);
  clean(text, text.length);
  expect(processorMs() - begun).toBeLessThan(3000);
});
