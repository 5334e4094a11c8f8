import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/api/responseText.ts';
import { formatValue } from '../../src/components/format.ts';
import { actionsOf, resourceNamed, resources } from '../../src/resources/index.ts';
import { type CacheView, emptyView, type Resource, type Row } from '../../src/resources/resource.ts';
import { confirmPhrase } from '../../src/screens/form/confirmation.ts';
import { valueIn } from '../../src/store/filter/fields.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { sorted } from '../../src/store/sorting.ts';
import { lineOf } from '../../src/terminal/frameLine.ts';
import { createPainter } from '../../src/terminal/painter.ts';
import type { CellFormat } from '../../src/text/cellFormat.ts';
import { cell } from '../../src/text/cells.ts';
import { seed } from '../draw.ts';
import { Emulator } from '../emulator.ts';
import { processorMs } from '../processorTime.ts';
import { hostileText, hostileValue, hugeText } from './corpus.ts';
import { foreignIn, misplacedOn } from './glass.ts';

describe('what is harmless', () => {
  test.each(['\u001b[31mred\u001b[39m', '\u001b[2;5H日本 e\u0301 👩‍👩‍👧\r\n', '\u001b[?2026h'])('%j is', (bytes) =>
    expect(foreignIn(bytes)).toBeUndefined(),
  );
  test.each([
    '\u001b[31',
    '\u001b[?1049$p',
    '\u001b]0;x\u0007',
    '\u001bc',
    '\u009b2J',
    'a\tb',
    '\u0000',
    'x\u202ey',
    '\u200b',
    'half \ud83d',
    '\u2028',
    '\u001b[5n',
  ])('%j is not', (bytes) => expect(foreignIn(bytes)).toBeDefined());
});

describe(`a text on the glass (seed ${seed})`, () => {
  test('takes the room it was given and no more, whatever was there before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(hostileText, fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 3 }),
        fc.array(hostileText, { minLength: 1, maxLength: 3 }),
        async (cells, raw) => {
          const emulator = new Emulator(120, 4, true);
          const painter = createPainter();
          const line = cells.map(([text, width]) => `${cell(text, width)}|`).join('');
          for (const frame of [`${line}\nbelow`, `.${line}\n${raw.join('|')}`, `${line}\nbelow`]) {
            const bytes = painter.paint(frame, { columns: 120, rows: 4 });
            expect(foreignIn(bytes)).toBeUndefined();
            await new Promise<void>((resolve) => emulator.terminal.write(bytes, resolve));
          }
          expect(misplacedOn(emulator, `${line}\nbelow`)).toBeUndefined();
          let end = -1;
          const ends = cells.map(([, width]) => {
            end += width + 1;
            return end;
          });
          const { text } = lineOf(line, 200);
          expect(ends.map((end) => text[end])).toEqual(ends.map(() => '|'));
        },
      ),
      { seed, numRuns: 60 },
    );
  });

  const formats: readonly (CellFormat | undefined)[] = [
    ...(['text', 'status', 'number', 'bytes', 'megabytes', 'gigabytes', 'money', 'percent', 'date', 'age'] as const),
    ...(['duration', 'health', 'boolean', 'mark', 'tags', 'list', 'paragraph', 'id', 'dim', undefined] as const),
  ];

  test('any value is written in any format, on one line', () => {
    fc.assert(
      fc.property(hostileValue, fc.constantFrom(...formats), (value, as) => {
        const { text } = formatValue(value, as, { now: 1.7e12, glyphs: 'unicode' });
        expect(foreignIn(text)).toBeUndefined();
        expect(text).not.toMatch(/[\r\n\b\x1b]/);
        expect(text.length).toBeLessThan(20_000);
      }),
      { seed, numRuns: 800 },
    );
  });

  test('a megabyte is no more work than a line of it', () => {
    const begun = processorMs();
    for (let times = 0; times < 50; times++)
      cell(formatValue(hugeText, 'text', { now: 0, glyphs: 'unicode' }).text, 20);
    expect(processorMs() - begun).toBeLessThan(1000);
  });
});

test(`what has to be typed before something is lost can be read and typed, and is never nothing (seed ${seed})`, () => {
  const servers = resourceNamed('servers');
  fc.assert(
    fc.property(hostileText, hostileText, fc.integer({ min: 60, max: 200 }), (label, id, width) => {
      const phrase = confirmPhrase(servers, [{ row: { id, label }, params: {} }], width);
      expect(phrase).toMatch(/\S/);
      expect(phrase.trim()).toBe(phrase);
      expect(cell(`  Type ${phrase} to confirm`, width)).toContain(' to confirm');
      expect(foreignIn(phrase)).toBeUndefined();
    }),
    { seed, numRuns: 400 },
  );
  const phraseFor = (label: string, width = 60) =>
    confirmPhrase(servers, [{ row: { id: 7, label }, params: {} }], width);
  expect(phraseFor('web-1')).toBe('web-1');
  for (const unreadable of ['', ' ', ' web-1', 'web\u200b-1', 'web\n1', 'w'.repeat(60)])
    expect(phraseFor(unreadable)).toBe('7');
});

/** The dotted paths that the columns and fields of a resource name. */
const pathsOf = ({ columns, card = [], fields, id }: Resource): readonly string[] => [
  id,
  ...[...columns, ...card].flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  ...Object.keys(fields),
];

/** Rows in which the fields that a resource knows hold anything, or are missing. */
function rowsFor(resource: Resource): fc.Arbitrary<Row> {
  const names = [...new Set(pathsOf(resource).map((path) => path.split('.')[0] ?? path))];
  const further = ['label', 'status', 'ipv4', 'backups', 'specs', 'entity', 'tags', 'alerts', 'devices', 'interfaces'];
  const fieldsOf = Object.fromEntries([...names, ...further].map((name) => [name, hostileValue]));
  return fc.record(fieldsOf, { requiredKeys: [] }).map((row) => parseJson(JSON.stringify(row)) as Row);
}

describe.each(resources.map((resource) => [resource.name, resource] as const))(
  `the rules of %s (seed ${seed})`,
  (_name, resource) => {
    test('take any row', () => {
      fc.assert(
        fc.property(fc.array(rowsFor(resource), { minLength: 1, maxLength: 4 }), (rows) => {
          const view: CacheView = {
            ...emptyView,
            rows: () => rows,
            row: () => rows[0],
            deleted: () => rows,
            now: 1.7e12,
          };
          const columns = [...resource.columns, ...(resource.card ?? [])];
          for (const row of rows) {
            expect(typeof resource.label(row)).toBe('string');
            for (const column of columns) formatValue(valueIn(row, column, view), 'text', { now: 0, glyphs: 'ascii' });
            for (const { refuse, start, ask } of actionsOf(resource)) {
              expect(['string', 'undefined']).toContain(typeof refuse?.(row, view));
              const { warning, question, note, together } = ask || {};
              for (const said of [warning, question, note])
                if (typeof said === 'function')
                  expect(['string', 'undefined']).toContain(typeof said(row, view, {}, {}));
              if (typeof together === 'function') expect(typeof together(rows, view, {})).toBe('string');
              start?.(row, view, {});
            }
            for (const read of Object.values(resource.copies ?? {})) read(row, view);
            for (const { refuse, start } of resource.shortcuts ?? []) {
              refuse?.(row, view);
              start(row, view, {}, rows);
            }
          }
          for (const { title } of columns) expect(sorted(rows, title, columns, view)).toHaveLength(rows.length);
          const filter = parseFilter('web status:running !x id>5 created<2h /a/', columns, view);
          if ('matches' in filter) for (const row of rows) filter.matches(row);
        }),
        { seed, numRuns: 10 },
      );
    });
  },
);
