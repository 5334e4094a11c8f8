import type { Span } from '../../components/spans.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Row } from '../../resources/resource.ts';
import { pooledBytes } from '../../resources/storage/objectStorage.ts';
import { grouped, sizeText } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { figureLine, type HomeData, type Tile, type TileLine, towardsArea, unreadWords } from './tile.ts';

const sum = (rows: readonly Row[], field: string) => rows.reduce((all, row) => all + (Number(row[field]) || 0), 0);

/** The amount of something, and further facts of it. */
interface Stock {
  count: number;
  remarks: readonly Span[];
}

const volumesIn = memoize((rows): Stock => {
  const loose = rows.filter(({ server_id }) => server_id === null).length;
  return {
    count: rows.length,
    remarks: [
      ...(loose > 0 ? [{ text: `${grouped(loose)} unattached`, role: 'warn' } as const] : []),
      { text: sizeText(sum(rows, 'size'), 3) },
    ],
  };
});

const imagesIn = memoize((rows): Stock => {
  const own = rows.filter(({ is_public }) => is_public !== true);
  return { count: own.length, remarks: [{ text: sizeText(sum(own, 'size'), 2) }] };
});

const bucketsIn = memoize(
  (rows): Stock => ({
    count: rows.length,
    remarks: [{ text: sizeText(sum(rows, 'size')) }, { text: `${grouped(sum(rows, 'objects'))} objects`, role: 'dim' }],
  }),
);

/** Volumes, images of the account, buckets, and what these have sent out. */
export function storageTile(data: HomeData): Tile {
  const { view } = data;
  const volumes = volumesIn(view.rows('volumes'));
  const line = (name: string, label: string, stock: Stock) => stockLine(data, name, label, stock);
  return {
    name: 'storage',
    title: 'Storage',
    figures: [],
    brief: briefStorage(data, volumes),
    towards: towardsArea('volumes'),
    lines: [
      line('volumes', 'Volumes', volumes),
      line('images', 'Images', imagesIn(view.rows('images'))),
      line('buckets', 'Buckets', bucketsIn(view.rows('buckets'))),
      sentOutLine(data),
    ],
  };
}

function briefStorage({ reading }: HomeData, { count, remarks }: Stock): readonly Span[] {
  const unread = unreadWords(reading('volumes'));
  if (unread && count === 0) return [{ text: unread, role: 'dim' }];
  return [...remarks, { text: counted(count, 'volume'), role: 'dim' }];
}

function stockLine({ reading }: HomeData, name: string, label: string, { count, remarks }: Stock): TileLine {
  const unread = count === 0 ? unreadWords(reading(name)) : undefined;
  return figureLine({
    id: `storage:${name}`,
    label,
    amount: unread ? { text: unread, role: 'dim' } : { text: grouped(count) },
    remarks: count === 0 ? [] : remarks,
    towards: towardsArea(name),
  });
}

function sentOutLine({ view, reading }: HomeData): TileLine {
  const used = view.rows('object-storage')[0]?.used;
  const isKnown = typeof used === 'number';
  const share = isKnown ? (used / pooledBytes) * 100 : 0;
  return figureLine({
    id: 'storage:sent',
    label: 'Sent out',
    amount: isKnown ? { text: sizeText(used) } : { text: unreadWords(reading('object-storage')) ?? '–', role: 'dim' },
    remarks: isKnown
      ? [{ text: `${grouped(Math.floor(share))} % of the pool`, role: share >= 80 ? 'warn' : 'dim' }]
      : [],
    towards: towardsArea('object-storage'),
  });
}
