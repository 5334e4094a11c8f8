import type { Span } from '../../components/spans.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Row } from '../../resources/resource.ts';
import { pooledBytes } from '../../resources/storage/objectStorage.ts';
import { grouped, sizeText } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { amountLine, type HomeData, linkToList, placeholderText, type Tile, type TileLine } from './tile.ts';

const sum = (rows: readonly Row[], field: string) => rows.reduce((all, row) => all + (Number(row[field]) || 0), 0);

/** The amount of something, and further facts of it. */
interface Totals {
  count: number;
  remarks: readonly Span[];
}

const volumesIn = memoize((rows): Totals => {
  const loose = rows.filter(({ server_id }) => server_id === null).length;
  return {
    count: rows.length,
    remarks: [
      ...(loose > 0 ? [{ text: `${grouped(loose)} unattached`, role: 'warn' } as const] : []),
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

/** Volumes, images of the account, buckets, and what these have sent out. */
export function storageTile(data: HomeData): Tile {
  const { view } = data;
  const volumes = volumesIn(view.rows('volumes'));
  const line = (name: string, label: string, stock: Totals) => totalsLine(data, name, label, stock);
  return {
    name: 'storage',
    title: 'Storage',
    figures: [],
    summary: storageSummary(data, volumes),
    link: linkToList('volumes'),
    lines: [
      line('volumes', 'Volumes', volumes),
      line('images', 'Images', imagesIn(view.rows('images'))),
      line('buckets', 'Buckets', bucketsIn(view.rows('buckets'))),
      sentOutLine(data),
    ],
  };
}

function storageSummary({ queryState }: HomeData, { count, remarks }: Totals): readonly Span[] {
  const unread = placeholderText(queryState('volumes'));
  if (unread && count === 0) return [{ text: unread, role: 'dim' }];
  return [...remarks, { text: counted(count, 'volume'), role: 'dim' }];
}

function totalsLine({ queryState }: HomeData, name: string, label: string, { count, remarks }: Totals): TileLine {
  const unread = count === 0 ? placeholderText(queryState(name)) : undefined;
  return amountLine({
    id: `storage:${name}`,
    label,
    amount: unread ? { text: unread, role: 'dim' } : { text: grouped(count) },
    remarks: count === 0 ? [] : remarks,
    link: linkToList(name),
  });
}

function sentOutLine({ view, queryState }: HomeData): TileLine {
  const used = view.rows('object-storage')[0]?.used;
  const isKnown = typeof used === 'number';
  const share = isKnown ? (used / pooledBytes) * 100 : 0;
  return amountLine({
    id: 'storage:sent',
    label: 'Sent out',
    amount: isKnown
      ? { text: sizeText(used) }
      : { text: placeholderText(queryState('object-storage')) ?? '–', role: 'dim' },
    remarks: isKnown
      ? [{ text: `${grouped(Math.floor(share))} % of the pool`, role: share >= 80 ? 'warn' : 'dim' }]
      : [],
    link: linkToList('object-storage'),
  });
}
