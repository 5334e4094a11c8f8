import fc from 'fast-check';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Column, emptyView, type Row } from '../../src/resources/resource.ts';
import { type Changes, replaceRows, rowIn, withChanges } from '../../src/store/rows.ts';

export const servers = resourceNamed('servers');
export const view = emptyView;
export const columns: readonly Column[] = [
  { title: 'Label', value: 'label' },
  { title: 'Size', value: 'size' },
];

export const id = fc.integer({ min: 1, max: 60 });
const row = fc.record({
  label: fc.constantFrom('web-2', 'web-10', 'Web-2', 'db', 'é', '', null, 'web-002'),
  size: fc.constantFrom(1, 2, 3, null, undefined),
});
const change = fc.array(fc.tuple(id, fc.option(row, { nil: undefined })), { minLength: 1, maxLength: 5 });
/** A change of a list: by changes of some rows, or by a reading that has found others. */
export const step = fc.oneof(
  { weight: 4, arbitrary: change.map((changes) => ({ changes })) },
  { weight: 1, arbitrary: fc.tuple(fc.uniqueArray(id, { maxLength: 60 }), row).map(([ids, row]) => ({ ids, row })) },
);

/** A list of rows of these ids, and all that it becomes. */
export function* versionsOf(steps: readonly Step[]): Generator<readonly Row[]> {
  let rows: readonly Row[] = Array.from({ length: 50 }, (_, index) => ({
    id: index + 1,
    label: `web-${index}`,
    size: 1,
  }));
  yield rows;
  for (const step of steps) {
    rows =
      'changes' in step
        ? withChanges(servers, rows, changesIn(step.changes))
        : replaceRows(servers, rows, readIn(rows, step));
    yield rows;
  }
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const changesIn = (changes: readonly (readonly [number, Row | undefined])[]): Changes =>
  new Map(changes.map(([id, row]) => [String(id), row && { id, ...row }]));

const readIn = (rows: readonly Row[], { ids, row }: { ids: readonly number[]; row: Row }): readonly Row[] =>
  ids.map((id) => rowIn(servers, rows, String(id)) ?? { id, ...row });
