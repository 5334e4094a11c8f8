import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInputSplitter } from '../../src/terminal/keys.ts';
import { type Report, reportOf } from '../../src/terminal/reports.ts';

describe('a report', () => {
  it.each<[string, Report]>([
    ['\x1b[I', { kind: 'focus', hasFocus: true }],
    ['\x1b[O', { kind: 'focus', hasFocus: false }],
    ['\x1b]11;rgb:ffff/ffff/dddd\x1b\\', { kind: 'background', isLight: true }],
    ['\x1b]11;rgb:1c/1c/1c\x07', { kind: 'background', isLight: false }],
    ['\x1b]11;rgba:fff/fff/fff/f\x07', { kind: 'background', isLight: true }],
    // Yellow is light, blue is dark.
    ['\x1b]11;rgb:ff/ff/00\x07', { kind: 'background', isLight: true }],
    ['\x1b]11;rgb:00/00/ff\x07', { kind: 'background', isLight: false }],
    ['\x1b]11;whatever\x07', { kind: 'other' }],
    ['\x1b]10;rgb:ff/ff/ff\x07', { kind: 'other' }],
    ['\x1b[?997;1n', { kind: 'background', isLight: false }],
    ['\x1b[?997;2n', { kind: 'background', isLight: true }],
    ['\x1b[?0u', { kind: 'keyboard' }],
    ['\x1b[?62;4;22c', { kind: 'attributes' }],
    ['\x1b[?2026;2$y', { kind: 'other' }],
    ['\x1b[>41;354;0c', { kind: 'other' }],
    ['\x1b[<0;1;1M', { kind: 'mouse', mouse: { action: 'press', row: 0, column: 0 } }],
    ['\x1b[<0;300;120m', { kind: 'mouse', mouse: { action: 'release', row: 119, column: 299 } }],
    ['\x1b[<32;5;6M', { kind: 'mouse', mouse: { action: 'drag', row: 5, column: 4 } }],
    ['\x1b[<64;5;6M', { kind: 'mouse', mouse: { action: 'wheelUp', row: 5, column: 4 } }],
    ['\x1b[<69;5;6M', { kind: 'mouse', mouse: { action: 'wheelDown', row: 5, column: 4 } }],
    ['\x1b[<2;5;6M', { kind: 'other' }],
    ['\x1b[<66;5;6M', { kind: 'other' }],
  ])('%j', (input, report) => {
    expect(reportOf(input)).toEqual(report);
  });

  it.each(['a', '\x1b', '\x1b[A', '\x1b[27u', '\x1b[105;5u', '\x1b[1;5C', '\x1bOA', '\x1bx', '\x1b]', '\x1b[200~x'])(
    'is not %j, a key',
    (input) => {
      expect(reportOf(input)).toBeUndefined();
    },
  );
});

const number = fc.integer({ min: 0, max: 999 });
const anyReport = fc.oneof(
  fc.tuple(number, number, number, fc.constantFrom('M', 'm')).map(([b, x, y, end]) => `\x1b[<${b};${x};${y}${end}`),
  fc
    .tuple(fc.constantFrom('rgb:0000/ffff/1234', '?', ''), fc.constantFrom('\x07', '\x1b\\'))
    .map(([says, end]) => `\x1b]11;${says}${end}`),
  fc.constantFrom('\x1b[?997;1n', '\x1b[?997;2n', '\x1b[?31u', '\x1b[?62;22c', '\x1b[>0;276;0c', '\x1b[I', '\x1b[O'),
);
const anyKey = fc.constantFrom('j', 'G', '\r', '\x1b[A', '\x1b[1;5C', '\x1bOB', '\x1bx', 'é', '漢', '\x1b[27u', '\x7f');

describe('what the terminal says, in chunks that end anywhere', () => {
  it('never becomes a key, and no key is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyReport, anyKey)), fc.array(fc.nat(40)), (inputs, cuts) => {
        const splitter = createInputSplitter();
        const parts: string[] = [];
        let left = inputs.join('');
        for (const cut of cuts) {
          parts.push(...splitter.push(left.slice(0, cut)));
          left = left.slice(cut);
        }
        parts.push(...splitter.push(left));
        expect(parts).toEqual(inputs);
        expect(splitter.held).toBeUndefined();
        expect(parts.filter((part) => !reportOf(part))).toEqual(inputs.filter((input) => !reportOf(input)));
      }),
      { numRuns: 1000 },
    );
  });

  it('is dropped where its end never comes, or something else comes first', () => {
    for (const begun of ['\x1b[<0;1;', '\x1b]11;rgb:00', '\x1b[?99']) {
      const splitter = createInputSplitter();
      expect(splitter.push(begun)).toEqual([]);
      expect(splitter.held).toBe('sequence');
      expect(splitter.release()).toEqual([]);
      expect(splitter.push(`${begun}\x1b[Aj`)).toEqual(['\x1b[A', 'j']);
    }
    const splitter = createInputSplitter();
    expect(splitter.push(`\x1b]11;${'x'.repeat(5000)}`)).toEqual([]);
    expect(splitter.push('j')).toEqual(['j']);
  });

  it('is text within a paste', () => {
    const splitter = createInputSplitter();
    const parts = ['\x1b[20', '0~a\x1b[<0;1;1M', 'b\x1b]11;x\x07\x1b[2', '01', '~\x1b[<0;1;1M'].flatMap(splitter.push);
    expect(parts.join('')).toBe('\x1b[200~a\x1b[<0;1;1Mb\x1b]11;x\x07\x1b[201~\x1b[<0;1;1M');
    expect(parts.at(-1)).toBe('\x1b[<0;1;1M');
  });
});
