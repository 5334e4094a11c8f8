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
