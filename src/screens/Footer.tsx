import { useStore } from 'zustand';
import { Line } from '../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../components/theme.ts';
import type { EventsState } from '../store/events.ts';
import type { NoticeContent } from '../store/notices.ts';
import { clean, cut, widthOf, wrapCells } from '../text/cells.ts';
import { ageText } from '../text/times.ts';
import { useIsShown, useSaid, useShownKeys } from './keyboard.tsx';
import type { Key } from './keys/layer.ts';
import { useStores } from './useStores.ts';

/** The last line: the keys that are active now, or for a while why the last one did nothing. */
export function Footer({ width }: { width: number }) {
  const theme = useTheme();
  const said = useSaid();
  const keys = useShownKeys().filter(({ key }) => !key.minor);
  // A key has the meaning of the topmost layer.
  const first = new Map(keys.toReversed().map(({ key }) => [key.keys[0], key]));
  const shown = keys.flatMap(({ key }) => (first.get(key.keys[0]) === key ? [key] : []));
  return <Line text={said === '' ? keysLine(theme, shown, width) : theme.paint('accent', cut(` ${said}`, width))} />;
}

/** Keys and their help on one line: those marked `always`, and of the others as many as fit. */
function keysLine(theme: Theme, keys: readonly Key[], width: number): string {
  // The line begins with a space, and the last key has no gap after it.
  let room = width + 1 - keys.reduce((sum, key) => sum + (key.always ? keyWidth(key) : 0), 0);
  const fitting = keys.filter((key) => {
    if (!key.always) room -= keyWidth(key);
    return key.always || room >= 0;
  });
  return ` ${fitting.map(({ keys: [name = ''], help }) => `${theme.paint('key', name)} ${help}`).join('  ')}`;
}

/** Cells of a key in the footer, with the gap after it. */
const keyWidth = ({ keys: [name = ''], help }: Key) => widthOf(name) + widthOf(help) + 3;

const noError: Partial<EventsState> = {};

/** The newest notice for a while, else that the API does not answer; mostly nothing. */
export function useBanner(): NoticeContent | undefined {
  const { session, events, notices, now } = useStores();
  const trouble = useStore(session, (state) => state.trouble);
  // Without an error every poll gives the same object, so nothing is drawn again.
  const { error, nextAt, polledAt } = useStore(events, (state) => (state.error ? state : noError));
  const newest = useStore(notices, (state) => state.current);
  const isRefreshable = useIsShown('refresh');
  if (newest) return newest;
  if (trouble && error) {
    const age = polledAt === undefined ? '' : ` Data ${ageText(now() - polledAt)} old.`;
    const way = isRefreshable ? '; r tries now' : '';
    const next =
      nextAt === undefined ? ' Trying now.' : ` Next try ${new Date(nextAt).toTimeString().slice(0, 8)}${way}.`;
    return { tone: 'bad', text: `${trouble.text}.${age}${next}` };
  }
  return undefined;
}

/** A notice above the footer in at most three lines; the list of notices has all of it. */
export const bannerLines = (text: string, width: number): readonly string[] => {
  const lines = wrapCells(clean(text), width - 4);
  return lines.length <= maxBannerLines
    ? lines
    : [...lines.slice(0, maxBannerLines - 1), cut(lines.slice(maxBannerLines - 1).join(' '), width - 4)];
};

const maxBannerLines = 3;

/** The lines of a notice, with a mark for its tone. */
export function Banner({ tone, lines }: { tone: NoticeContent['tone']; lines: readonly string[] }) {
  const theme = useTheme();
  const mark = { ...marksOf(theme), warn: '!', plain: 'i' }[tone];
  return lines.map((line, index) => (
    <Line key={index} text={theme.paint(tone === 'plain' ? 'accent' : tone, ` ${index === 0 ? mark : ' '} ${line}`)} />
  ));
}
