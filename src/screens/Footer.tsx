import { useStore } from 'zustand';
import { clean, cut, widthOf } from '../components/cells.ts';
import { Line } from '../components/Line.tsx';
import { ageText } from '../components/looks.ts';
import { marksOf, type Theme, useTheme } from '../components/theme.ts';
import { useShownKeys } from './keyboard.tsx';
import type { Key } from './keymap.ts';
import { useDeck } from './useDeck.ts';

/** The last line: the keys that do something now. */
export function Footer({ width }: { width: number }) {
  const theme = useTheme();
  const keys = useShownKeys().filter(({ key }) => !key.minor);
  // What a layer below does with the same key is out of reach.
  const first = new Map(keys.toReversed().map(({ key }) => [key.keys[0], key]));
  const shown = keys.flatMap(({ key }) => (first.get(key.keys[0]) === key ? [key] : []));
  return <Line text={keysLine(theme, shown, width)} />;
}

/** Keys and what they do, as many as fit, on one line. */
function keysLine(theme: Theme, keys: readonly Key[], width: number): string {
  let used = 1;
  let line = ' ';
  for (const { keys: names, help } of keys) {
    const [name = ''] = names;
    const size = widthOf(name) + widthOf(help) + 3;
    if (used + size > width) break;
    line += `${theme.paint('key', name)} ${help}  `;
    used += size;
  }
  return line;
}

/** What there is to say above the footer: that the API is in trouble, else the newest notice; nothing most of the time. */
export function useBanner(): { tone: 'good' | 'bad' | 'plain'; text: string } | undefined {
  const { session, events, notices, now } = useDeck();
  const trouble = useStore(session, (state) => state.trouble);
  const { error, nextAt, polledAt } = useStore(events);
  const newest = useStore(notices, (state) => state.current);
  if (trouble && error) {
    const age = polledAt === undefined ? '' : ` Data ${ageText(now() - polledAt)} old.`;
    const next = nextAt === undefined ? '' : ` Next try ${new Date(nextAt).toTimeString().slice(0, 8)}; r tries now.`;
    return { tone: 'bad', text: `${trouble.text}.${age}${next}` };
  }
  return newest;
}

/** One line that says how something went. */
export function Banner({ tone, text, width }: { tone: 'good' | 'bad' | 'plain'; text: string; width: number }) {
  const theme = useTheme();
  const mark = tone === 'plain' ? 'i' : marksOf(theme)[tone];
  const line = cut(` ${mark} ${clean(text)}`, width);
  return <Line text={theme.paint(tone === 'plain' ? 'accent' : tone, line)} />;
}
