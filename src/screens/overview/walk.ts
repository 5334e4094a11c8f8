/** A line that the cursor can stand on, and its place on the page. */
interface Stop {
  id: string;
  at: number;
}

/** A page that scrolls, and the cursor on one of its lines, or on none. */
export interface WalkState {
  /** In the order of the cursor. */
  stops: readonly Stop[];
  cursor?: string;
  /** The first line shown. */
  top: number;
  /** The lines shown. */
  shown: number;
  /** All lines. */
  total: number;
}

export type Step = 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last';

/**
 * Moves over the lines that lead somewhere, and scrolls where there are none further on. The cursor appears with the first
 * step down, and goes with the last one up.
 */
export function walk(state: WalkState, step: Step): Pick<WalkState, 'top' | 'cursor'> {
  const { stops, cursor, top, shown, total } = state;
  const lowest = Math.max(0, total - shown);
  const within = (line: number) => Math.max(0, Math.min(lowest, line));
  const isShown = ({ at }: Stop) => at >= top && at < top + shown;
  const to = (stop: Stop) => ({
    cursor: stop.id,
    top: within(Math.max(Math.min(top, stop.at), stop.at - shown + 1)),
  });
  const scrolled = (by: number) => {
    const next = within(top + by);
    const stays = stops.find(({ id, at }) => id === cursor && at >= next && at < next + shown);
    return { cursor: stays?.id, top: next };
  };
  const index = stops.findIndex(({ id }) => id === cursor);
  switch (step) {
    case 'down': {
      const next = index < 0 ? stops.find(isShown) : stops[index + 1];
      if (next) return to(next);
      return { cursor, top: within(top + 1) };
    }
    case 'up': {
      const stop = stops[index];
      if (!stop || !isShown(stop)) return { cursor, top: within(top - 1) };
      const next = stops[index - 1];
      if (next) return to(next);
      return top > 0 ? { cursor, top: within(top - 1) } : { cursor: undefined, top };
    }
    case 'pageDown':
      return scrolled(shown);
    case 'pageUp':
      return scrolled(-shown);
    case 'first':
      return { cursor: undefined, top: 0 };
    case 'last':
      return scrolled(total);
  }
}
