import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import {
  monthTable,
  quotaLine,
  quotaRow,
  quotaUsage,
  trafficChange,
} from '../../src/screens/custom/ServerTransfer.tsx';

const theme = themeNamed('dark', 'unicode', true);
const gigabyte = 2 ** 30;

describe('the transfer of the current month', () => {
  test.each([
    [500, 80, '50% of the quota, the alert at 80%'],
    [900, 80, '90% of the quota, above the alert at 80%'],
    [1200, 0, '120% of the quota, no alert is set'],
  ])('%i of 1000 GB with the alert at %i', (used, alert, says) => {
    const line = quotaLine(theme, quotaUsage({ used: used * gigabyte, quota: 1000, billable: 0 }), alert, 80);
    expect(stripVTControlCharacters(line)).toContain(says);
    expect(stringWidth(line)).toBeLessThanOrEqual(80);
  });

  test('is a row of amounts; what is left is never below nothing', () => {
    expect(quotaRow(quotaUsage({ used: 1200 * gigabyte, quota: 1000, billable: 200 }), theme)).toEqual({
      Used: '1.2 TiB',
      Quota: '1 000 GiB',
      Left: '0 B',
      'Over quota, billed': '200 GiB',
    });
  });

  test('leaves open what the API leaves out', () => {
    expect(Object.values(quotaRow(quotaUsage({ used: null }), theme))).toEqual(['–', '–', '–', '–']);
    expect(stripVTControlCharacters(quotaLine(theme, quotaUsage({ used: 5, quota: 0 }), 80, 80))).toBe(
      'The API reports no quota.',
    );
  });
});

describe('the transfer of any month', () => {
  const query = { resource: 'servers', operation: 'transferOfMonth', params: {} };
  const may = {
    month: { year: 2026, month: 5 },
    answer: { query, loading: false, body: { bytes_in: 1024, bytes_out: 3072, bytes_total: 4096 } },
  };
  const june = { month: { year: 2026, month: 6 }, answer: undefined };

  test('is a line with a bar that is full for the most', () => {
    const april = { month: { year: 2026, month: 4 }, answer: { ...may.answer, body: { bytes_total: 3072 } } };
    const { head, line } = monthTable(theme, [june, may, april], june.month, 80);
    const [title, full, part] = [head, line(1, true), line(2)].map(stripVTControlCharacters);
    expect(title).toMatch(/^ {2}MONTH +IN +OUT +TOTAL {2}CHANGE/);
    expect(full).toMatch(/^❯ May 2026 +1 KiB +3 KiB +4 KiB +\+33% {2}█+$/);
    expect(part).toMatch(/^ {2}April 2026 +– +– +3 KiB {10}█+░+$/);
    for (const one of [full, part]) expect(stringWidth(one ?? '')).toBe(80);
    // Where there is no room, the bar and the change go first.
    expect(stripVTControlCharacters(monthTable(theme, [june, may, april], june.month, 56).line(1))).toMatch(/4 KiB$/);
  });

  test('says how much more or less it is than the month before, where both are whole', () => {
    const current = { year: 2026, month: 6 };
    const bytes = (month: number, total: unknown) => ({
      month: { year: 2026, month },
      answer: { query, loading: false, body: { bytes_total: total } },
    });
    expect(trafficChange(may, bytes(4, 3072), current)).toBe('+33%');
    expect(trafficChange(may, bytes(4, 8192), current)).toBe('-50%');
    expect(trafficChange(may, bytes(3, 3072), current)).toBe('');
    expect(trafficChange(may, bytes(4, 0), current)).toBe('');
    expect(trafficChange(may, bytes(4, null), current)).toBe('');
    expect(trafficChange(may, undefined, current)).toBe('');
    expect(trafficChange(bytes(6, 5), may, current)).toBe('');
  });

  test('says that it is being read', () => {
    expect(stripVTControlCharacters(monthTable(theme, [june], june.month, 80).line(0))).toContain('Reading 2026-06 …');
  });
});
