import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { emptyView, type Row } from '../../src/resources/resource.ts';
import { comparedFields, compareLines } from '../../src/screens/history/ComparisonPane.tsx';
import { changeSpans } from '../../src/screens/history/changeSpans.ts';
import { widthOf } from '../../src/text/cells.ts';
import { hostileTexts } from '../hostile/corpus.ts';

const theme = themeNamed('mono', 'unicode', false);
const plain = themeNamed('mono', 'ascii', false);
const servers = resourceNamed('servers');
const compared = (one: Row, other: Row, of = servers) =>
  comparedFields(one, other, { resource: of, view: emptyView, theme });
const differing = (one: Row, other: Row, of = servers) =>
  compared(one, other, of).flatMap((field) => (field.isSame ? [] : [[field.name, field.one, field.other]]));

describe('two rows field by field', () => {
  test('are written as their list writes them, and then by the fields of the API', () => {
    const one = { id: 1, label: 'web-1', status: 'running', specs: { memory: 1024 }, extra: { deep: [{ port: 80 }] } };
    const other = {
      id: 1,
      label: 'web-1',
      status: 'offline',
      specs: { memory: 2048 },
      extra: { deep: [{ port: 81 }] },
    };
    expect(differing(one, other)).toEqual([
      ['Status', '● running', '○ offline'],
      ['RAM', '1 GiB', '2 GiB'],
      ['extra.deep.0.port', '80', '81'],
    ]);
    expect(compared(one, other).filter(({ isSame }) => isSame).length).toBeGreaterThan(10);
  });

  test('tell a part of a field once where a column has it already', () => {
    const backups = (last_successful: string | null, enabled = true, day = 'Monday') => ({
      backups: { enabled, last_successful, schedule: { day } },
    });
    const [one, other] = [backups('2026-01-02T03:04:05'), backups('2026-01-03T03:04:05', true, 'Friday')];
    expect(differing(one, other)).toEqual([
      ['Backup', '2026-01-02 03:04', '2026-01-03 03:04'],
      ['Backup day', 'Monday', 'Friday'],
    ]);
    const names = differing(one, backups(null, false)).map(([name]) => name);
    expect(names).toEqual(['Backup', 'backups.enabled', 'backups.last_successful']);
    // Another column may have the same two values by chance.
    const watched = differing({ ...one, watchdog_enabled: true }, { ...backups(null, false), watchdog_enabled: false });
    expect(watched.map(([name]) => name)).toContain('backups.enabled');
  });

  test('tell apart what is written alike, and what is absent from what is empty', () => {
    expect(differing({ id: 1, label: 'a', group: null }, { id: 1, label: 'a', group: '' })).toEqual([
      ['Group', 'null', ''],
    ]);
    expect(differing({ id: 1, label: 'a', odd: null }, { id: 1, label: 'a' })).toEqual([['odd', 'null', 'absent']]);
    const created = ['2024-05-13T14:05:00', '2024-05-14T14:05:00'] as const;
    expect(differing({ id: 1, created: created[0] }, { id: 1, created: created[1] })).toEqual([
      ['Created', '2024-05-13 14:05', '2024-05-14 14:05'],
    ]);
  });

  test('write exact numbers with their unit where rounded ones are alike', () => {
    expect(
      differing({ id: 1, label: 'a', size: 2500 }, { id: 1, label: 'a', size: 2507 }, resourceNamed('images')),
    ).toEqual([['Size', '2500 MiB', '2507 MiB']]);
  });

  test('tell no field twice, of which a column is made', () => {
    const records = resourceNamed('records');
    const record = { id: 1, type: 'A', name: 'www', target: '192.0.2.1', ttl_sec: 300 };
    expect(differing(record, { ...record, ttl_sec: 3600 }, records).map(([name]) => name)).toEqual([
      'TTL',
      'Zone-file line',
    ]);
  });

  test('tell no secret', () => {
    expect(JSON.stringify(compared({ id: 1, root_pass: 'hunter2' }, { id: 1, root_pass: 'hunter3' }))).not.toContain(
      'hunter',
    );
  });

  test.each([60, 120])('stand in lines of %i cells, whatever they hold', (width) => {
    for (const text of hostileTexts) {
      const lines = compareLines(
        compared({ id: 1, label: text, [text]: 1 }, { id: 2, label: `${text}x` }),
        plain,
        width,
      );
      for (const line of lines)
        expect(widthOf(line.replace(/\x1b\[[\d;]*m/g, '')), JSON.stringify(text)).toBeLessThanOrEqual(width);
    }
  });
});

describe('a value that changed', () => {
  const text = (before: unknown, after: unknown, path = 'label') =>
    changeSpans(servers, { path: path.split('.'), before, after }, theme)
      .map((span) => span.text)
      .join('');

  test('is written before and after, as its column writes it; of a list what came and went', () => {
    expect(text('web-3', 'web-3-old')).toBe('web-3 → web-3-old');
    expect(text(1024, 2048, 'specs.memory')).toBe('1 GiB → 2 GiB');
    expect(text(['old', 'a'], ['a', 'new'], 'tags')).toBe('+new −old');
    expect(text(['a'], [], 'tags')).toBe('−a');
    expect(text(['a', 'b'], ['b', 'a'], 'ipv4')).toBe('a, b → b, a');
    expect(text(null, '', 'group')).toBe('null → ""');
    expect(text(undefined, null, 'group')).toBe('absent → null');
  });
});
