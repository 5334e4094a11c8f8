import { Box } from 'ink';
import { Line } from '../../components/Line.tsx';
import { useLateEnd } from '../../components/lateBox.ts';
import { type Theme, useTheme } from '../../components/theme.ts';
import { widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';

/** The part of a list that is on the screen. */
interface Part {
  /** The index of the first row shown. */
  top: number;
  /** The number of lines for rows. */
  body: number;
  /** The number of rows. */
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
