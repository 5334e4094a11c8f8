import fc from 'fast-check';
import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { useListRows } from '../../src/screens/list/useListRows.ts';
import { filterOf } from '../../src/store/filter.ts';
import { sorted } from '../../src/store/sorting.ts';
import { columns, known, servers, step, versionsOf } from '../store/changingLists.ts';

const resource = { ...servers, columns };
let shown: readonly Row[] = [];

function Rows({ all, filter }: { all: readonly Row[]; filter: string }) {
  shown = useListRows(resource, all, { filter, sort: 'Label' }, known).rows;
  return <Text>{shown.length}</Text>;
}

test('as a list changes, its filter leaves what it leaves of the list as it is', () => {
  const filter = fc.constantFrom('', 'w', 'we', 'web', 'label:web', '!web', 'size:1');
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 8 }),
      fc.array(filter, { minLength: 9, maxLength: 9 }),
      (steps, filters) => {
        const { rerender, unmount } = render(<Rows all={[]} filter="" />);
        for (const [index, all] of [...versionsOf(steps)].entries()) {
          for (const text of new Set([filters[index] ?? '', filters[index + 1] ?? ''])) {
            rerender(<Rows all={all} filter={text} />);
            const compiled = filterOf(text, columns, known);
            if ('error' in compiled) throw new Error(compiled.error);
            expect(shown).toEqual(sorted([...all], 'Label', columns, known).filter(compiled.matches));
          }
        }
        unmount();
      },
    ),
    { numRuns: 15 },
  );
});
