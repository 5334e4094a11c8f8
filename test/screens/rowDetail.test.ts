import { expect, test } from 'vitest';
import { alignedFacts } from '../../src/screens/form/ReferencePicker.tsx';

test('the facts by which rows are chosen stand below each other, and what no row has takes no room', () => {
  expect(
    alignedFacts([['$5.00', '1 vCPU', '', '25 GiB'], [], ['$96.00', '16 vCPU', '', ''], ['', '', '', '']]),
  ).toEqual([' $5.00   1 vCPU  25 GiB', undefined, '$96.00  16 vCPU        ', undefined]);
});
