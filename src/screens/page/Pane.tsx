import { Box } from 'ink';
import { createContext, type ReactNode, useContext } from 'react';
import { useLateEnd } from '../../components/boxes.ts';
import { Line } from '../../components/Line.tsx';
import { type Hue, marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import type { Size } from '../useStores.ts';

interface Part {
  /** The index of the first row shown. */
  top: number;
  /** The number of lines for rows. */
  body: number;
  count: number;
  /** More of them exist than were loaded. */
  isPartial?: boolean;
}

/** The title of a list with its position, which follows once the screen rests: a held key does not pay for it. */
export function PositionedTitle({ title, part, width }: { title: string; part: Part; width: number }) {
  const theme = useTheme();
  const end = useLateEnd(cellsOf(title) + 1);
  return (
    <Box ref={end} width={width} height={1} flexShrink={0}>
      <Line text={withPosition(theme, title, part, width)} />
    </Box>
  );
}

/** The cells of a text with its colours. */
export const cellsOf = (title: string): number => widthOf(title.replace(/\x1b\[[\d;]*m/g, ''));

/** A title with `12–36 of 40` at its end, where not all rows are on the screen and there is room. */
export function withPosition(
  theme: Theme,
  title: string,
  { top, body, count, isPartial = false }: Part,
  width: number,
): string {
  if (count <= body) return title;
  const from = Math.max(0, Math.min(top, count - body));
  const text = `${grouped(from + 1)}–${grouped(from + body)} of ${grouped(count)}${isPartial ? '+' : ''}`;
  const room = width - cellsOf(title) - text.length - 1;
  return room < 2 ? title : `${title}${' '.repeat(room)}${theme.paint('dim', text)}`;
}

interface PaneProps extends Size {
  title: string;
  /** At the right end of the title line, where it fits. */
  note?: string;
  /** A popup is as high as its lines, but at least so high. */
  minHeight?: number;
  /** It asks about something that destroys data or stops a service. */
  isDanger?: boolean;
  children: ReactNode;
}

/** The account in which something is to be changed, where several are open. */
export const NamedAccountContext = createContext<{ profile: string; hue: Hue | undefined } | undefined>(undefined);

/** The columns of the screen over which a popup lies; undefined where a pane takes its whole place. */
export const PopupContext = createContext<number | undefined>(undefined);

/** The width of a popup whose lines take so many cells: the whole screen where its frame has no room. */
export const popupWidth = (wanted: number, screen: number): number => (wanted + 2 <= screen ? wanted : screen);

/** A titled box for an overlay; as a popup it is as high as its lines, with a frame where it is narrower than the screen. */
export function Pane({ title, width, height, minHeight, isDanger = false, note = '', children }: PaneProps) {
  const theme = useTheme();
  const screen = useContext(PopupContext);
  const isFramed = screen !== undefined && width < screen;
  const { dash } = marksOf(theme);
  const line = isDanger ? 'bad' : 'dim';
  const account = useContext(NamedAccountContext);
  const where = account ? ` in ${cut(clean(account.profile), Math.floor(width / 3))}` : '';
  const heading = cell(clean(title), Math.min(widthOf(clean(title)), Math.max(1, width - 6 - widthOf(where))));
  const room = Math.max(0, width - widthOf(heading + where) - 4);
  const parts = [note, /\S+\u2013\S+ of \S+/.exec(note)?.[0] ?? '', note.split('  ').at(-1) ?? ''];
  const told = parts.find((one) => one !== '' && widthOf(one) + 4 <= room);
  const end = told ? ` ${told} ${dash}` : '';
  const rule = `${dash.repeat(room - widthOf(end))}${end}`;
  const named = account?.hue ? theme.hue(account.hue, where) : where && theme.paint('title', where);
  return (
    <Box
      flexDirection="column"
      width={isFramed ? width + 2 : width}
      height={screen === undefined ? height : undefined}
      minHeight={screen === undefined || minHeight === undefined ? undefined : minHeight + Number(isFramed)}
      flexShrink={0}
      borderStyle={isFramed ? (theme.glyphs === 'ascii' ? 'classic' : 'single') : undefined}
      borderDimColor={!isDanger || theme.lossFrame === undefined}
      borderColor={isFramed && isDanger ? theme.lossFrame : undefined}
      // Blanks, so that nothing of what lies below shows through.
      backgroundColor={screen === undefined ? undefined : 'blank'}
    >
      <Box marginTop={isFramed ? -1 : 0} height={1} flexShrink={0}>
        <Line
          text={`${theme.paint(line, dash + dash)} ${theme.paint('title', heading)}${named} ${theme.paint(line, rule)}`}
        />
      </Box>
      {children}
    </Box>
  );
}

/** The width from which a row is shown beside its list or tab, in cells. */
export const previewFrom = 150;

/** The width that a list or tab keeps beside a row: at 138 cells servers show their curves beside all their columns. */
export const widthBeside = (width: number): number => Math.max(76, Math.floor(width * 0.66), Math.min(width - 62, 138));

/** A panel at the right of a list or tab, behind a thin line; the rest of its width is given to what it shows. */
export function SidePanel({ width, height, children }: Size & { children: (room: number) => ReactNode }) {
  const { glyphs } = useTheme();
  return (
    <Box
      flexDirection="column"
      width={width}
      height={height}
      flexShrink={0}
      borderStyle={glyphs === 'ascii' ? 'classic' : 'single'}
      borderDimColor
      borderTop={false}
      borderRight={false}
      borderBottom={false}
    >
      {children(width - 3)}
    </Box>
  );
}

/** For the end of a pane's title: the number of items above and below the visible ones, and these or what is told between. */
export function placeIn(theme: Theme, { top, body, count }: Part, told?: string): string {
  const { up, down } = marksOf(theme);
  const below = count - top - body;
  const shown = count > body ? `${top + 1}–${Math.min(count, top + body)} of ${count}` : '';
  return [top > 0 ? `${up} ${top}` : '', told ?? shown, below > 0 ? `${down} ${below}` : ''].filter(Boolean).join('  ');
}
