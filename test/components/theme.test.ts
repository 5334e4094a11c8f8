import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';

test.each([
  ['mono', 'accent'],
  ['high-contrast', 'title'],
] as const)('the %s theme puts no line under padding', (name, role) => {
  const theme = themeNamed(name, 'unicode', true);
  expect(theme.paint(role, '  api 1   ')).toMatch(/^ {2}\x1b\[[^ ]*api 1[^ ]*m {3}$/);
  expect(theme.paint(role, '   ')).toBe('   ');
  expect(theme.paint(role, '')).toBe('');
});

test('warnings of the light theme are orange where there are 256 colours, and follow the palette of 16', () => {
  const painted = (depth: number) => JSON.stringify(themeNamed('light', 'unicode', true, depth).paint('warn', 'full'));
  expect([4, 8, 24].map(painted)).toEqual([
    JSON.stringify('\x1b[35mfull\x1b[39m'),
    ...[8, 24].map(() => JSON.stringify('\x1b[38;5;166mfull\x1b[39m')),
  ]);
});
