import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { jsonLines } from '../../src/components/jsonLines.ts';
import { painted, textOfSpans } from '../../src/components/spans.ts';
import { themeNamed } from '../../src/components/theme.ts';

const server = {
  id: 7,
  label: 'web-1',
  image: null,
  tags: ['a', 'b'],
  specs: { disk: 81920 },
  alerts: {},
  ipv4: [],
  up: true,
};

describe('JSON lines', () => {
  test('are the value, indented', () => {
    const lines = jsonLines(server, 60);
    expect(lines.map(textOfSpans).join('\n')).toBe(JSON.stringify(server, null, 2));
  });

  test('are coloured by what they are, and read the same with and without colour', () => {
    const [, id, label, image] = jsonLines(server, 60);
    expect(id).toEqual([
      { text: '  ' },
      { text: '"id"', role: 'accent' },
      { text: ': ' },
      { text: '7', role: 'series2' },
      { text: ',' },
    ]);
    expect(label).toContainEqual({ text: '"web-1"', role: 'good' });
    expect(image).toContainEqual({ text: 'null', role: 'dim' });
    expect(painted(themeNamed('mono', 'unicode', false), label?.filter(({ role }) => role !== 'accent') ?? [])).toBe(
      '  : "web-1",',
    );
  });

  test('write hostile characters as escapes', () => {
    const lines = jsonLines({ label: '\u001b[31m\u202eevil\u0085\u200b' }, 80);
    expect(textOfSpans(lines[1] ?? [])).toBe('  "label": "\\u001b[31m\\u202eevil\\u0085\\u200b"');
  });

  test('are never too wide, and have no character that a terminal would carry out', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.integer({ min: 10, max: 60 }), (value, width) => {
        for (const text of jsonLines(value, width).map(textOfSpans)) {
          expect(stringWidth(text)).toBeLessThanOrEqual(width);
          expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        }
      }),
    );
  });

  test('name what is too long or too deep instead of writing it', () => {
    const long = jsonLines({ script: 'x'.repeat(1_000_000) }, 100);
    expect(long.length).toBeLessThan(800);
    expect(textOfSpans(long.at(-2) ?? [])).toContain('934464 more');
    expect(
      jsonLines(
        Array.from({ length: 50_000 }, () => 1),
        100,
      ),
    ).toHaveLength(20_001);
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = { inner: deep };
    expect(jsonLines(deep, 40).some((spans) => textOfSpans(spans).includes('{... 1}'))).toBe(true);
  });
});
