import { expect, test } from 'vitest';
import { reasonOf } from '../../src/text/errno.ts';

test.each([
  [{ code: 'EACCES' }, undefined, 'permission denied'],
  [{ code: 'EACCES' }, 'the network failed', 'permission denied'],
  [{ code: 'EBADF' }, undefined, 'EBADF'],
  [{ code: 'EBADF' }, 'the network failed', 'the network failed'],
  [new Error('without a code'), undefined, 'unknown error'],
])('the reason of %o, else %s, is %s', (error, otherwise, wanted) => expect(reasonOf(error, otherwise)).toBe(wanted));
