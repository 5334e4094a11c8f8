import { useStore } from 'zustand';
import { Line } from '../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../components/theme.ts';
import type { EventsState } from '../store/events.ts';
import type { NoticeContent } from '../store/notices.ts';
import { clean, cut, widthOf, wrapCells } from '../text/cells.ts';
import { ageText } from '../text/times.ts';
import { useShownKeys } from './keyboard.tsx';
import type { Key } from './keys/layer.ts';
import { useStores } from './useStores.ts';

/** The last line: the keys that do something now. */
export function Footer({ width }: { width: number }) {
  const theme = useTheme();
  const keys = useShownKeys().filter(({ key }) => !key.minor);
  // The same key's meaning in a layer below is out of reach.
  const first = new Map(keys.toReversed().map(({ key }) => [key.keys[0], key]));
  const shown = keys.flatMap(({ key }) => (first.get(key.keys[0]) === key ? [key] : []));
  return <Line text={keysLine(theme, shown, width)} />;
}

/** Keys and what they do on one line: those that are never left out, and of the others as many as fit. */
function keysLine(theme: Theme, keys: readonly Key[], width: number): string {
  // A blank stands before the first and no gap after the last.
  let room = width + 1 - keys.reduce((sum, key) => sum + (key.always ? sizeOf(key) : 0), 0);
  const fitting = keys.filter((key) => {
    if (!key.always) room -= sizeOf(key);
    return key.always || room >= 0;
  });
  return ` ${fitting.map(({ keys: [name = ''], help }) => `${theme.paint('key', name)} ${help}`).join('  ')}`;
}

/** Cells that a key takes in the footer, with the gap after it. */
const sizeOf = ({ keys: [name = ''], help }: Key) => widthOf(name) + widthOf(help) + 3;

const untroubled: Partial<EventsState> = {};

/** Says above the footer the newest notice for a while, else that the API is in trouble; mostly nothing. */
export function useBanner(): NoticeContent | undefined {
  const { session, events, notices, now } = useStores();
  const trouble = useStore(session, (state) => state.trouble);
  // As long as all is well, no poll concerns it.
  const { error, nextAt, polledAt } = useStore(events, (state) => (state.error ? state : untroubled));
  const newest = useStore(notices, (state) => state.current);
  if (newest) return newest;
  if (trouble && error) {
    const age = polledAt === undefined ? '' : ` Data ${ageText(now() - polledAt)} old.`;
    const next =
      nextAt === undefined ? ' Trying now.' : ` Next try ${new Date(nextAt).toTimeString().slice(0, 8)}; r tries now.`;
    return { tone: 'bad', text: `${trouble.text}.${age}${next}` };
  }
  return undefined;
}

/** The sentence above the footer, over as many lines as it takes; the notices have what would take more. */
export const bannerLines = (text: string, width: number): readonly string[] => {
  const lines = wrapCells(clean(text), width - 4);
  return lines.length <= mostBannerLines
    ? lines
    : [...lines.slice(0, mostBannerLines - 1), cut(lines.slice(mostBannerLines - 1).join(' '), width - 4)];
};

const mostBannerLines = 3;

/** A few lines that say how something went. */
export function Banner({ tone, lines }: { tone: NoticeContent['tone']; lines: readonly string[] }) {
  const theme = useTheme();
  const mark = { ...marksOf(theme), warn: '!', plain: 'i' }[tone];
  return lines.map((line, index) => (
    <Line key={index} text={theme.paint(tone === 'plain' ? 'accent' : tone, ` ${index === 0 ? mark : ' '} ${line}`)} />
  ));
}
