import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Day, emptyView, type LoadDay, type Row, viewWith } from '../../src/resources/resource.ts';
import { fleetResource } from '../../src/screens/fleet/fleetColumns.ts';
import { valueIn } from '../../src/store/filter/fields.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { sorted } from '../../src/store/sorting.ts';

const servers = resourceNamed('servers');
const load: LoadDay = { buckets: new Float32Array(48).fill(12), last: 12, mean: 12, max: 90 };
const day: Day = { until: 0, cpu: load, networkIn: load, networkOut: load, io: load };
const view = viewWith(emptyView, { day: () => day });
const server = (id: number, status: string): Row => ({ id, label: `batch-${id}`, status, specs: { vcpus: 1 } });
const rows = [server(1, 'offline'), server(2, 'running'), server(3, 'stopped'), server(4, 'rebooting')];

test.each(['CPU', 'Net in', 'Net out', 'I/O'])(
  '%s of a server that is off is not known, whatever it was before',
  (title) => {
    const column = servers.columns.find((one) => one.title === title);
    if (!column) throw new Error(`there is no column ${title}`);
    expect(rows.map((row) => valueIn(row, column, view))).toEqual([undefined, 12, undefined, 12]);
  },
);

test('filters and orders by load leave it out', () => {
  const filter = parseFilter('cpu>1', servers.columns, view);
  expect(rows.filter((row) => 'matches' in filter && filter.matches(row)).map(({ id }) => id)).toEqual([2, 4]);
  expect(
    sorted(rows, '-CPU', servers.columns, view)
      .map(({ id }) => id)
      .slice(0, 2),
  ).toEqual([2, 4]);
  const { columns, sort } = fleetResource('cpu', { dayOf: () => day });
  expect(sorted(rows, sort, columns, view).map(({ id }) => id)).toEqual([2, 4, 1, 3]);
  // The past day is that of any server.
  const figures = columns.filter(({ title }) => ['Last', 'Mean', 'Max'].includes(title));
  expect(figures.map((column) => valueIn(server(1, 'offline'), column, view))).toEqual([undefined, 12, 90]);
});

test('the graphs of its day say that their last reading is past', () => {
  const graphs = servers.overview?.graphs?.of({ cpu: [[0, 50]] }, server(1, 'offline'));
  expect(graphs?.map(({ isPast }) => isPast)).toEqual([true, true, true, true]);
});
