import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { progressBar } from '../../components/chart.ts';
import { Line, Lines } from '../../components/Line.tsx';
import { barColumn, type CellColumn, cellTable, type TableCell } from '../../components/tableLayout.ts';
import { type Role, type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { pooledBytes } from '../../resources/storage/objectStorage.ts';
import { isPrefix } from '../../resources/storage/objects.ts';
import { type Place, placeKey, tabKey } from '../../store/navigation.ts';
import { listQuery } from '../../store/queries.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { sizeText } from '../../text/numbers.ts';
import { failureText } from '../freshness.ts';
import { useKeys } from '../keyboard.tsx';
import { ListPane } from '../list/ListPane.tsx';
import { Prompt } from '../page/Prompt.tsx';
import { type CustomProps, useCollection, useStores } from '../useStores.ts';

const delimiter = '/';

/**
 * The objects of a bucket, level by level or in one list; pages are read as they are scrolled to. Besides those of the
 * bucket, its parameters are the `prefix` of the level shown, and `flat` for one list without levels.
 */
export function ObjectBrowser({ resource, params, width, height }: CustomProps) {
  const { navigation } = useStores();
  const theme = useTheme();
  const { prefix = '', flat } = params;
  const [typed, setTyped] = useState<string>();
  const objects = useMemo(() => withRelativeNames(resourceNamed('objects'), prefix), [prefix]);
  const at = (change: Params): Place => ({
    screen: 'detail',
    resource: resource.name,
    params: Object.fromEntries(Object.entries({ ...params, ...change }).filter(([, value]) => value !== '')),
    tab: 'objects',
  });
  const go = (change: Params) => navigation.go(at(change));
  /** Goes back where that is one level up, so that esc does not lead down again. */
  const goUp = () => {
    const place = at({ prefix: prefix.slice(0, prefix.lastIndexOf(delimiter, prefix.length - 2) + 1) });
    const { trail, at: here } = navigation.getState();
    const before = trail[here - 1];
    if (before && before.screen === 'detail' && placeKey(before) === placeKey(place)) navigation.back();
    else navigation.go(place);
  };
  const listed = useMemo(() => listedBy(params), [params]);
  useKeys('objects', {
    above: prefix === '' ? 'This is the top of the bucket.' : goUp,
    prefix: () => setTyped(prefix),
    flat: () => go({ flat: flat ? '' : 'yes' }),
  });
  return (
    <Box flexDirection="column" width={width} height={height}>
      {typed === undefined ? (
        <Line text={placeLine(theme, params.bucket ?? '', prefix, Boolean(flat), width)} />
      ) : (
        <Prompt
          label=" begins with: "
          value={typed}
          change={setTyped}
          placeholder="a prefix, e.g. photos/2024/"
          width={width}
          accept={() => {
            setTyped(undefined);
            go({ prefix: typed });
          }}
          cancel={() => setTyped(undefined)}
        />
      )}
      <ListPane
        query={{ resource: objects.name, operation: 'list', params: listed }}
        resource={objects}
        width={width}
        height={height - 1}
        viewKey={tabKey(objects.name, resource.name, listed)}
        open={(row) => (isPrefix(row) ? () => go({ prefix: String(row.name) }) : undefined)}
      />
    </Box>
  );
}

/** The parameters of the list of a level, or of all. */
function listedBy({ prefix, flat, ...bucket }: Params): Params {
  return { ...bucket, ...(prefix && { prefix }), ...(!flat && { delimiter }) };
}

function withRelativeNames(objects: Resource, prefix: string): Resource {
  const level = prefix.lastIndexOf(delimiter) + 1;
  const columns = objects.columns.map((column) =>
    column.value === 'name'
      ? { ...column, value: ({ name }: { name?: unknown }) => String(name).slice(level) }
      : column,
  );
  return { ...objects, columns };
}

/** The bucket and prefix shown, and the keys. */
function placeLine(theme: Theme, bucket: string, prefix: string, flat: boolean, width: number): string {
  const says = [
    'p filter by prefix',
    flat ? 'f by level' : 'f one flat list',
    prefix === '' ? '' : 'backspace one level up',
  ];
  return ` ${theme.paint('accent', cut(clean(`${bucket}/${prefix}`), width - 1))}${theme.paint(
    'dim',
    cut(`   ${says.filter(Boolean).join('   ')}`, Math.max(0, width - bucket.length - prefix.length - 3)),
  )}`;
}

/** Outbound traffic against what object storage adds to the pool, and the size of each bucket. */
export function ObjectTransfer({ row, width, height }: CustomProps) {
  const theme = useTheme();
  const buckets = useCollection(listQuery(resourceNamed('buckets')));
  const says = buckets?.error ? failureText(buckets.error) : 'Reading buckets …';
  const lines = [
    '',
    ...gaugeLines(theme, Number(row.used ?? 0), width),
    '',
    ` ${theme.paint('title', 'Storage by bucket')}`,
    ...(buckets?.loadedAt === undefined ? [theme.paint('dim', ` ${says}`)] : bucketLines(theme, buckets.rows, width)),
  ];
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Lines of={lines.slice(0, height)} />
    </Box>
  );
}

function gaugeLines(theme: Theme, used: number, width: number): readonly string[] {
  const share = (used / pooledBytes) * 100;
  const role: Role = share >= 100 ? 'bad' : share >= 80 ? 'warn' : 'good';
  const left =
    used > pooledBytes
      ? `${sizeText(used - pooledBytes)} over that come from the pool of the account`
      : `${sizeText(pooledBytes - used)} left`;
  const says = ` ${sizeText(used)} of the ${sizeText(pooledBytes)} that object storage adds to the pool; ${left}.`;
  return [
    ` ${theme.paint('title', 'Outbound transfer this month')}`,
    ` ${theme.paint(role, progressBar(share, Math.min(60, width - 10), theme.glyphs))} ${Math.round(share)}%`,
    ...wrapCells(says, width - 1, 1),
  ];
}

const bucketColumns: readonly CellColumn[] = [
  { title: 'BUCKET', maxWidth: 34 },
  { title: 'SIZE', align: 'right' },
  barColumn,
];

/** The buckets, the largest first, each with its share. */
function bucketLines(theme: Theme, buckets: readonly Row[], width: number): readonly string[] {
  if (buckets.length === 0) return [theme.paint('dim', ' There are no buckets.')];
  const sizeOf = ({ size }: Row) => (typeof size === 'number' ? size : 0);
  const all = buckets.reduce((sum, bucket) => sum + sizeOf(bucket), 0);
  const cells = buckets
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .map((bucket): readonly TableCell[] => {
      const share = all === 0 ? 0 : (sizeOf(bucket) / all) * 100;
      return [
        { text: `${bucket.cluster || bucket.region}/${bucket.label}` },
        { text: sizeText(sizeOf(bucket)) },
        { text: '', draw: (room) => theme.paint('series1', progressBar(share, room, theme.glyphs)) },
      ];
    });
  const { line } = cellTable(theme, bucketColumns, cells, width);
  return cells.map((_, nth) => line(nth));
}
