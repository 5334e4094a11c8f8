import type { Span } from '../../components/spans.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Row } from '../../resources/resource.ts';
import { pooledBytes } from '../../resources/storage/objectStorage.ts';
import { grouped, sizeText } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { amountLine, type HomeData, linkToList, placeholderText, type Tile, type TileLine } from './tile.ts';

const sum = (rows: readonly Row[], field: string) => rows.reduce((all, row) => all + (Number(row[field]) || 0), 0);

/** The number of rows and remarks on all of them. */
interface Totals {
  count: number;
  remarks: readonly Span[];
}

const volumesIn = memoize((rows): Totals => {
  const unattached = rows.filter(({ server_id }) => server_id === null).length;
  return {
    count: rows.length,
    remarks: [
      ...(unattached > 0 ? [{ text: `${grouped(unattached)} unattached`, role: 'warn' } as const] : []),
      { text: sizeText(sum(rows, 'size'), 3) },
    ],
  };
});

const imagesIn = memoize((rows): Totals => {
  const own = rows.filter(({ is_public }) => is_public !== true);
  return { count: own.length, remarks: [{ text: sizeText(sum(own, 'size'), 2) }] };
});

const bucketsIn = memoize(
  (rows): Totals => ({
    count: rows.length,
    remarks: [{ text: sizeText(sum(rows, 'size')) }, { text: `${grouped(sum(rows, 'objects'))} objects`, role: 'dim' }],
  }),
);

/** Volumes, images of the account, buckets, and the outbound traffic of these. */
export function storageTile(data: HomeData): Tile {
  const volumes = volumesIn(data.view.rows('volumes'));
  return {
    name: 'storage',
    title: 'Storage',
    figures: [],
    summary: storageSummary(data, volumes),
    link: linkToList('volumes'),
    lines: [
      totalsLine(data, 'volumes', 'Volumes', volumes),
      totalsLine(data, 'images', 'Images', imagesIn(data.view.rows('images'))),
      totalsLine(data, 'buckets', 'Buckets', bucketsIn(data.view.rows('buckets'))),
      sentOutLine(data),
    ],
  };
}

function storageSummary({ queryState }: HomeData, { count, remarks }: Totals): readonly Span[] {
  const placeholder = placeholderText(queryState('volumes'));
  if (placeholder && count === 0) return [{ text: placeholder, role: 'dim' }];
  return [...remarks, { text: counted(count, 'volume'), role: 'dim' }];
}

function totalsLine({ queryState }: HomeData, name: string, label: string, { count, remarks }: Totals): TileLine {
  const placeholder = count === 0 ? placeholderText(queryState(name)) : undefined;
  const amount: Span = placeholder ? { text: placeholder, role: 'dim' } : { text: grouped(count) };
  return amountLine(`storage:${name}`, linkToList(name), label, amount, count === 0 ? [] : remarks);
}

function sentOutLine({ view, queryState }: HomeData): TileLine {
  const used = view.rows('object-storage')[0]?.used;
  const lineOf = (amount: Span, ...remarks: readonly Span[]) =>
    amountLine('storage:sent', linkToList('object-storage'), 'Sent out', amount, remarks);
  if (typeof used !== 'number')
    return lineOf({ text: placeholderText(queryState('object-storage')) ?? '–', role: 'dim' });
  const share = (used / pooledBytes) * 100;
  const role = share >= 80 ? 'warn' : 'dim';
  return lineOf({ text: sizeText(used) }, { text: `${grouped(Math.round(share))}% of the pool`, role });
}
