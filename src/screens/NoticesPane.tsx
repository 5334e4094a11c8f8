import { useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../components/Line.tsx';
import { pointerOf, type Theme, useTheme } from '../components/theme.ts';
import type { Notice } from '../store/notices.ts';
import { cell, clean, wrapCells } from '../text/cells.ts';
import { ageText } from '../text/times.ts';
import { useKeys } from './keyboard.tsx';
import { Pane, placeIn } from './Pane.tsx';
import { placeOfNotice } from './places.ts';
import { moveHandlers, useScroll } from './useScroll.ts';
import { useStores } from './useStores.ts';

interface PaneSize {
  width: number;
  height: number;
}

/** All notices of this session, the newest first; enter opens the object of a notice. */
export function NoticesPane({ width, height }: PaneSize) {
  const { notices, navigation, now } = useStores();
  const theme = useTheme();
  const list = useStore(notices, (state) => state.notices).toReversed();
  const [wanted, setWanted] = useState<number>();
  const cursor = Math.max(
    0,
    list.findIndex(({ id }) => id === wanted),
  );
  const current = list[cursor];
  const lines = list.map((notice) => noticeLines(theme, notice, { isCurrent: notice === current, now: now(), width }));
  const body = Math.max(1, height - 1);
  const end = lines.slice(0, cursor + 1).flat().length;
  const top = useScroll(lines.flat().length, end - 1, body);
  const { about } = current ?? {};
  useKeys('notices', {
    ...moveHandlers(cursor, list.length, body, (index) => setWanted(list[index]?.id)),
    open: about ? () => navigation.go(placeOfNotice(about)) : 'This notice is about no object.',
    close: () => navigation.close(),
  });
  return (
    <Pane title="Notices" note={placeIn(theme, top, body, lines.flat().length)} width={width} height={height}>
      {list.length === 0 ? <Line text="  There are no notices yet." /> : null}
      {lines
        .flat()
        .slice(top, top + body)
        .map((line, index) => (
          <Line key={index} text={line} />
        ))}
    </Pane>
  );
}

/** One notice with its age, wrapped. */
function noticeLines(
  theme: Theme,
  { tone, text, at }: Notice,
  { isCurrent, now, width }: { isCurrent: boolean; now: number; width: number },
): readonly string[] {
  return wrapCells(clean(text, text.length), width - 13).map((line, index) => {
    const age = cell(index === 0 ? ageText(now - at) : '', 8, 'right');
    return `${pointerOf(theme, isCurrent && index === 0)} ${theme.paint('dim', age)}  ${theme.paint(tone, line)}`;
  });
}

interface ScrolledPaneProps extends PaneSize {
  title: string;
  lines: readonly string[];
  close: () => void;
}

/** A pane of lines that scrolls. */
export function ScrolledPane({ title, lines, width, height, close }: ScrolledPaneProps) {
  const theme = useTheme();
  const [wanted, setTop] = useState(0);
  const body = Math.max(1, height - 1);
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wanted, lowest);
  useKeys('pane', {
    ...moveHandlers(top, lowest + 1, body, setTop),
    close,
  });
  const shown = lines.slice(top, top + body);
  return (
    <Pane title={title} note={placeIn(theme, top, body, lines.length)} width={width} height={height}>
      {shown.map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Pane>
  );
}
