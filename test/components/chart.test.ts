import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { progressBar, sparkline } from '../../src/components/chart.ts';

describe('sparkline', () => {
  test('rises with its values', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8], 9, 'unicode')).toBe('▁▁▂▃▄▅▆▇█');
    expect(sparkline([0, 4, 8], 3, 'ascii')).toBe('_-#');
  });

  test('is measured against the value that fills it', () => {
    expect(sparkline([25, 50], 2, 'unicode', 100)).toBe('▂▄');
  });

  test('keeps a peak among many values', () => {
    const values = Array.from({ length: 288 }, (_, index) => (index === 150 ? 90 : 1));
    expect(sparkline(values, 8, 'unicode')).toBe('▁▁▁▁█▁▁▁');
  });

  test('leaves a space where a value is missing', () => {
    expect(sparkline([8, null, Number.NaN, 8], 6, 'unicode')).toBe('  █  █');
  });

  test('is always as wide as asked', () => {
    fc.assert(
      fc.property(fc.array(fc.double()), fc.integer({ min: 0, max: 50 }), (values, width) => {
        expect(sparkline(values, width, 'unicode')).toHaveLength(width);
      }),
    );
  });
});

describe('progress bar', () => {
  test.each([
    [0, '░░░░░░░░░░'],
    [25, '██▌░░░░░░░'],
    [100, '██████████'],
    [250, '██████████'],
    [undefined, '··········'],
    [Number.NaN, '··········'],
  ])('of %s percent', (percent, wanted) => {
    expect(progressBar(percent, 10, 'unicode')).toBe(wanted);
  });

  test('in ASCII', () => {
    expect(progressBar(45, 10, 'ascii')).toBe('####=.....');
  });
});
