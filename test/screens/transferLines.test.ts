import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { transferFacts, transferLine } from '../../src/screens/transfers/changeLines.ts';
import type { Transfer } from '../../src/store/changes/transfers.ts';

const MiB = 2 ** 20;
const running: Transfer = {
  id: 1,
  what: 'Upload backup.tar',
  bytes: 21 * MiB,
  total: 42 * MiB,
  rate: 3 * MiB,
  startedAt: 0,
  state: 'running',
};

test.each<[string, Partial<Transfer>]>([
  ['50%  21 MiB of 42 MiB  3 MiB/s  7 s left', {}],
  ['0%  0 B of 42 MiB', { bytes: 0, rate: undefined }],
  ['21 MiB  3 MiB/s', { total: undefined }],
  ['100%  0 B of 0 B', { bytes: 0, total: 0, rate: undefined }],
  ['done, 42 MiB of 42 MiB', { bytes: 42 * MiB, state: 'done' }],
  ['cancelled, 21 MiB of 42 MiB', { state: 'cancelled' }],
  ['The disk is full.', { state: 'failed', error: 'The disk is full.' }],
])('tells %s', (says, change) => expect(transferFacts({ ...running, ...change })).toBe(says));

test.each([60, 80, 160])('the line has exactly %i cells, whatever is carried', (width) => {
  const theme = themeNamed('dark', 'unicode', true);
  for (const what of ['Upload a', `Upload ${'very-long-name-'.repeat(20)}`, 'Upload 漢字漢字漢字漢字.tar']) {
    expect(stringWidth(transferLine(theme, [{ ...running, what }], width))).toBe(width);
    expect(stringWidth(transferLine(theme, [{ ...running, what }, running, running], width))).toBe(width);
  }
  expect(transferLine(theme, [running, running, running], 120)).toContain('and 2 more');
});
