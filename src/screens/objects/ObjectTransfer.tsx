import { Box } from 'ink';
import { progressBar } from '../../components/chart.ts';
import { Lines } from '../../components/Line.tsx';
import { type Role, type Theme, useTheme } from '../../components/theme.ts';
import type { Row } from '../../resources/resource.ts';
import { pooledBytes } from '../../resources/storage/objectStorage.ts';
import { cell, clean } from '../../text/cells.ts';
import { sizeText } from '../../text/numbers.ts';
import { failureText } from '../freshness.ts';
import type { Size } from '../props.ts';
import { useCollection } from '../useStores.ts';

interface ObjectTransferProps extends Size {
  /** Object storage as a whole. */
  row: Row;
}

/** Outbound traffic against what object storage adds to the pool, and the size of each bucket. */
export function ObjectTransfer({ row, width, height }: ObjectTransferProps) {
  const theme = useTheme();
  const buckets = useCollection({ resource: 'buckets', operation: 'list', params: {} });
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
  return [
    ` ${theme.paint('title', 'Outbound transfer this month')}`,
    ` ${theme.paint(role, progressBar(share, Math.min(60, width - 10), theme.glyphs))} ${Math.round(share)} %`,
    ` ${cell(`${sizeText(used)} of the ${sizeText(pooledBytes)} that object storage adds to the pool; ${left}.`, width - 2)}`,
  ];
}

const labelWidth = 34;
const amountWidth = 12;

/** The buckets, the largest first, each with its share. */
function bucketLines(theme: Theme, buckets: readonly Row[], width: number): readonly string[] {
  if (buckets.length === 0) return [theme.paint('dim', ' There are no buckets.')];
  const sizeOf = ({ size }: Row) => (typeof size === 'number' ? size : 0);
  const all = buckets.reduce((sum, bucket) => sum + sizeOf(bucket), 0);
  return buckets
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .map((bucket) => {
      const name = cell(clean(`${bucket.cluster || bucket.region}/${bucket.label}`), labelWidth);
      const size = cell(sizeText(sizeOf(bucket)), amountWidth, 'right');
      const room = Math.max(0, Math.min(40, width - labelWidth - amountWidth - 4));
      const bar = progressBar(all === 0 ? 0 : (sizeOf(bucket) / all) * 100, room, theme.glyphs);
      return ` ${name}${size}  ${theme.paint('series1', bar)}`;
    });
}
