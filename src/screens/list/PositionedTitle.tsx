import { useEffect, useState } from 'react';
import { Line } from '../../components/Line.tsx';
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

const restMs = 150;

/** The title of a list with its position, which follows once the list rests: the list itself is not drawn again for it. */
export function PositionedTitle({ title, part, width }: { title: string; part: Part; width: number }) {
  const theme = useTheme();
  const top = useRested(part.top);
  return <Line text={withPosition(theme, title, { ...part, top }, width)} />;
}

/** A value once it has rested, so that a held key does not pay for what follows from it. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (value === rested) return undefined;
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, rested]);
  return rested;
}

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
  const room = width - widthOf(title.replace(/\x1b\[[\d;]*m/g, '')) - text.length - 1;
  return room < 2 ? title : `${title}${' '.repeat(room)}${theme.paint('dim', text)}`;
}
