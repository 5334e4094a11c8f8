import { Box, useWindowSize } from 'ink';
import { useStore } from 'zustand';
import { Line, Lines } from '../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../components/theme.ts';
import type { EventsState } from '../store/events.ts';
import type { NoticeContent } from '../store/notices.ts';
import { clean, cut, widthOf, wrapCells } from '../text/cells.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { ageText, clockTime } from '../text/times.ts';
import { useIsShown, useSaid, useShownKeys } from './keyboard.tsx';
import type { Marked } from './keys/keyboard.ts';
import type { Key } from './keys/layer.ts';
import { useRegion } from './terminal/mouse.tsx';
import { useStores } from './useStores.ts';

/**
 * The last line: the keys that are active now, or for a while why the last one did nothing, where it has room for that.
 * @param running changes and transfers under way
 */
export function Footer({ width, running = 0 }: { width: number; running?: number }) {
  const theme = useTheme();
  const sentence = useSaid();
  const said = isLong(sentence, width) ? '' : sentence;
  const { keys, marked } = useShownKeys();
  const shown = marked ? keysOfMarked(keys, marked) : keysOfPlace(keys);
  const journal = keys.find(({ name }) => name === 'journal');
  const all =
    journal && running > 0 ? [...shown, { ...journal.key, help: `${running} running`, always: true as const }] : shown;
  const lead = marked ? ` ${marked.count} marked${marked.hidden} ` : '';
  const fitting = said === '' ? fittingKeys(theme, all, width - lead.length) : [];
  const region = useRegion(undefined, {
    onClick: ({ column, press }) => {
      const key = keyAt(theme, fitting, column - lead.length);
      if (key !== undefined) press(key);
    },
  });
  const text = said === '' ? keysLine(theme, fitting, theme.paint('mark', lead)) : theme.paint('accent', ` ${said}`);
  return (
    <Box ref={region} width={width} height={1}>
      <Line text={text} />
    </Box>
  );
}

type ShownKey = ReturnType<typeof useShownKeys>['keys'][number];

/** The keys of a place or an overlay that are worth a word; each has the meaning of the topmost layer. */
function keysOfPlace(all: readonly ShownKey[]): readonly Key[] {
  const keys = all.flatMap(({ key }) => (key.minor ? [] : [key]));
  return keys.filter(({ keys: [name] }, at) => keys.findIndex((one) => one.keys[0] === name) === at);
}

/** The keys for marked rows: what can be done to all of them, how to unmark them, and what always is in the footer. */
function keysOfMarked(all: readonly ShownKey[], { keys }: Marked): readonly Key[] {
  const [direct, inMenu] = [false, true].map((isInMenu) =>
    keys.filter((key) => isInMenu === key.keys[0]?.includes(' ')),
  );
  const named = (...names: readonly string[]) => all.flatMap(({ name, key }) => (names.includes(name) ? [key] : []));
  return [
    ...(direct ?? []),
    ...named('acknowledge', 'compare', 'compareRelated'),
    ...(inMenu ?? []),
    ...named('clear').map((key) => ({ ...key, help: 'unmark', always: true as const })),
    ...named('stopSending', 'help'),
  ];
}

/** Cells of a key in the footer, with the gap after it. */
const widthIn = (theme: Theme, key: Key): number => widthOf(nameIn(theme, key)) + widthOf(key.help) + 3;

/** The keys marked `always`, and of the others as many as fit. */
function fittingKeys(theme: Theme, keys: readonly Key[], width: number): readonly Key[] {
  // The line begins with a space, and the last key has no gap after it.
  let room = width + 1 - keys.reduce((sum, key) => sum + (key.always ? widthIn(theme, key) : 0), 0);
  return keys.filter((key) => {
    if (!key.always) room -= widthIn(theme, key);
    return key.always || room >= 0;
  });
}

const keysLine = (theme: Theme, keys: readonly Key[], lead: string): string =>
  `${lead} ${keys.map((key) => `${theme.paint('key', nameIn(theme, key))} ${key.help}`).join('  ')}`;

/** The key that a cell of the footer stands for; of two in a row, such as `a R`, the first, which opens their menu. */
function keyAt(theme: Theme, keys: readonly Key[], column: number): string | undefined {
  let end = 1;
  const pointed = keys.find((key) => {
    end += widthIn(theme, key);
    return column < end - 2;
  });
  const [name = ''] = pointed?.keys ?? [];
  // Many keys or an arrow are no single one.
  return column < 1 || name === 'up' || name === 'A-Z' ? undefined : name.split(' ')[0];
}

/** A key as the footer names it; ↑ stands for both arrows. */
const nameIn = (theme: Theme, { keys: [name = ''] }: Key): string =>
  name !== 'up' ? name : theme.glyphs === 'ascii' ? 'up/down' : '↑↓';

const noError: Partial<EventsState> = {};

/** Whether the last line has no room for a sentence, which is then said above it. */
const isLong = (said: string, width: number): boolean => widthOf(said) >= width;

/** The sentence that the last line has no room for, else the newest notice for a while, else that the API does not answer; mostly nothing. */
export function useBanner(): NoticeContent | undefined {
  const said = useSaid();
  const { columns } = useWindowSize();
  const { session, events, notices, now } = useStores();
  const trouble = useStore(session, (state) => state.trouble);
  // Without an error every poll gives the same object, so nothing is drawn again.
  const { error, nextAt, polledAt } = useStore(events, (state) => (state.error ? state : noError));
  const newest = useStore(notices, (state) => state.current);
  const isRefreshable = useIsShown(trouble && error ? 'refresh' : undefined);
  if (isLong(said, columns)) return { tone: 'plain', text: said };
  if (newest) return newest.stays ? { ...newest, text: `${newest.text} (esc closes this)` } : newest;
  if (trouble && error) {
    const age = polledAt === undefined ? '' : ` Data ${ageText(now() - polledAt)} old.`;
    const way = isRefreshable ? ` (${keyLabel('everywhere.refresh', 'ctrl-r')} now)` : '';
    const next = nextAt === undefined ? ' Trying now.' : ` Next try ${clockTime(nextAt, 8)}${way}.`;
    return { tone: 'bad', text: `${trouble.text}.${age}${next}` };
  }
  return undefined;
}

/** A notice above the footer in at most three lines, or as many as there is room for; the journal has all of it. */
export const bannerLines = (text: string, width: number, most = 3): readonly string[] => {
  const lines = wrapCells(clean(text), width - 4);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cut(lines.slice(most - 1).join(' '), width - 4)];
};

/** The lines of a notice, with a mark for its tone. */
export function Banner({ tone, lines }: { tone: NoticeContent['tone']; lines: readonly string[] }) {
  const theme = useTheme();
  const mark = { ...marksOf(theme), warn: '!', plain: 'i' }[tone];
  const role = tone === 'plain' ? 'accent' : tone;
  return <Lines of={lines.map((line, index) => theme.paint(role, ` ${index === 0 ? mark : ' '} ${line}`))} />;
}
