import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Relations } from '../../src/resources/relations.ts';
import type { ListReading } from '../../src/screens/overview/reads.ts';
import { relatedBlock } from '../../src/screens/overview/relatedBlock.ts';
import { knowing } from '../resources/known.ts';

const reading = (list: string, more: Partial<ListReading> = {}): ListReading => ({
  resource: resourceNamed(list),
  queries: [],
  left: 0,
  ...more,
});

/** The lines about a server that these rows name, by what is read of the lists. */
function linesOf(
  readings: readonly ListReading[],
  groups: readonly unknown[] = [],
  width = 80,
): readonly string[] | undefined {
  const relations = { groups } as unknown as Relations;
  const block = relatedBlock({
    subject: resourceNamed('servers'),
    label: 'web-1',
    params: { serverId: '1' },
    relations,
    readings,
    view: knowing(),
    events: [],
  });
  const pen = { theme: themeNamed('dark', 'unicode', false), width, now: 0 };
  return block?.lines.map(({ draw }) =>
    draw(pen as never, false)
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
}

test('nothing uses a row only where every list was read', () => {
  expect(linesOf([reading('volumes'), reading('domains')])).toEqual(['Nothing uses it.']);
  expect(linesOf([reading('volumes', { placeholder: '…' }), reading('domains')])).toEqual(['Volumes …']);
  expect(linesOf([reading('volumes', { placeholder: 'not allowed' })])).toEqual(['Volumes: not allowed']);
  expect(linesOf([])).toBeUndefined();
});

test('of the lists below many rows it is told below how many they were read', () => {
  const queries = Array.from({ length: 20 }, (_, index) => ({
    resource: 'records',
    operation: 'list',
    params: { domainId: String(index) },
  }));
  expect(linesOf([reading('records', { queries, left: 17 })])).toEqual(['Records of 20 of 37 domains']);
});

test('of the status of a related row more is shown than its mark, or nothing', () => {
  const rows = [{ row: { id: 12, domain: 'example.com', status: 'active' }, params: { domainId: '12' } }];
  const group = { side: 'used by', resource: resourceNamed('domains'), rows };
  expect(linesOf([], [group], 40)).toEqual(['domain  example.com  ● active  –']);
  expect(linesOf([], [group], 26)).toEqual(['domain  example.com']);
});
