import { useStore } from 'zustand';
import { pointerOf, type Theme, useTheme } from '../components/theme.ts';
import type { Notice } from '../store/notices.ts';
import { cell, clean, wrapCells } from '../text/cells.ts';
import { ageText, type Timestamp } from '../text/times.ts';
import { Page } from './page/Page.tsx';
import type { PageLine } from './page/usePage.ts';
import { placeOfNotice } from './places.ts';
import type { Size } from './props.ts';
import { useStores } from './useStores.ts';

/** All notices of this session, the newest first; enter opens the object of a notice. */
export function NoticesPane(size: Size) {
  const { notices, navigation, now } = useStores();
  const theme = useTheme();
  const list = useStore(notices, (state) => state.notices).toReversed();
  const open = (cursor: string | undefined) => {
    const { about } = list.find(({ id }) => String(id) === cursor) ?? list[0] ?? {};
    return about ? () => navigation.go(placeOfNotice(about)) : 'This notice is about no object.';
  };
  return (
    <Page
      {...size}
      layer="notices"
      title="Notices"
      lines={list.flatMap((notice) => noticeLines(theme, notice, now(), size.width))}
      none="There are no notices yet."
      keys={(current) => ({ open: open(current), close: () => navigation.close() })}
    />
  );
}

/** One notice with its age, wrapped. */
const noticeLines = (
  theme: Theme,
  { id, tone, text, at }: Notice,
  now: Timestamp,
  width: number,
): readonly PageLine[] =>
  wrapCells(clean(text, text.length), width - 13).map((line, index) => {
    const said = `${theme.paint('dim', cell(index === 0 ? ageText(now - at) : '', 8, 'right'))}  ${theme.paint(tone, line)}`;
    return index > 0 ? `  ${said}` : { id: String(id), text: (isCurrent) => `${pointerOf(theme, isCurrent)} ${said}` };
  });
