import { Box } from 'ink';
import { useState } from 'react';
import { Line, Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { capitalized } from '../../text/words.ts';
import { drawTiles, followLink, type LineCache, lineAt } from '../home/drawTiles.ts';
import { headingLine, type TileLine } from '../home/tile.ts';
import { useKeys } from '../keyboard.tsx';
import { goToList, placeOfRow } from '../places.ts';
import { useProblemKeys } from '../problems/problemKeys.tsx';
import { useRegion } from '../terminal/mouse.tsx';
import { type CustomProps, useStores, useView } from '../useStores.ts';
import { heightOf, placeParts } from './layout.ts';
import { useListsBelow } from './listsBelow.ts';
import { useOverview } from './useOverview.ts';

/** The overview of one row: what tells most, what happens to it, what it is related to, and all its fields. */
export function Overview({ resource, params, row, width, height }: CustomProps) {
  const stores = useStores();
  const theme = useTheme();
  const body = height - 1;
  const { listed, placed, nearest } = usePlaced({ resource, params, row, width, height: body });
  const total = heightOf(placed);
  const [view, setView] = useView(`overview:${resource.name}:${JSON.stringify(params)}`);
  const [wanted, setWanted] = useState(0);
  const [cache] = useState((): LineCache => new WeakMap());
  const shown = total <= body ? body : body - 1;
  const top = Math.max(0, Math.min(wanted, total - shown));
  const linked = placed.flatMap(({ region, lines }) =>
    lines.flatMap((line, index) => (line.link ? [{ id: line.id, at: region.top + index, line }] : [])),
  );
  const current = linked.find(({ id }) => id === view.cursor)?.line;
  const draw = drawTiles(placed, { theme, now: stores.now(), width, height: total, cache });
  const lines = draw(current).slice(top, top + shown);

  const isStill = total <= shown && linked.length === 0;
  const move = (by: Step) => () => {
    if (isStill) return 'All of it is shown.';
    const step = walk(state, by);
    const isThere = step.top === top && step.cursor === current?.id;
    setWanted(step.top);
    if (step.cursor !== view.cursor) setView({ cursor: step.cursor });
    return isThere ? 'There is no more of it.' : undefined;
  };
  const state = { stops: linked, cursor: current?.id, top, shown, total };
  useKeys('overview', {
    open: current ? () => open(current) : 'Nothing here leads further.',
    ...Object.fromEntries(steps.map((by) => [by, move(by)])),
  });
  const page = useRegion('overview', {
    onClick: ({ line, column, press }) => {
      const hit = lineAt(placed, top + line - 1, column);
      if (!hit?.link) return;
      if (hit === current) press(keyLabel('overview.open', 'enter'));
      else setView({ cursor: hit.id });
    },
  });
  const problem = current?.problem;
  useProblemKeys(problem, problem && listed.some(({ id }) => id === problem.id) ? [problem] : []);
  const hidden = total - top - shown;
  return (
    <Box ref={page} flexDirection="column" width={width} height={height} paddingTop={1}>
      <Lines of={lines} />
      {total > shown ? <Line text={hidden > 0 ? theme.paint('dim', ` … ${hidden} more below`) : ''} /> : null}
      {nearest ? <Glance {...nearest} width={width} height={body - total} /> : null}
    </Box>
  );

  /** A problem of the row itself leads to the list of problems: its object is here. */
  function open({ link, problem }: TileLine): void {
    if (problem && problem.resource === resource.name)
      goToList(stores, problemList, { cursor: problem.id, filter: '' });
    else if (link) followLink(stores, link);
  }
}

/** Fewer lines beneath the lists of a page are left blank. */
const leastNearest = 14;

/**
 * The parts of the overview of a row at their places, and where lines are left beneath them the row that it is related to
 * first, below the heading that leads to it.
 * @param isGlance it stands beneath another page itself
 */
function usePlaced({ without, isGlance, ...page }: CustomProps & { without?: string; isGlance?: boolean }) {
  const { width, height } = page;
  const { listed, isSettled, nearest, ...parts } = useOverview(page);
  const before = parts.before.filter(({ name }) => name !== without);
  const own = placeParts({ ...parts, before }, width, height, parts.isFacts);
  const used = heightOf(own);
  // They wait, so that what is still being read does not push them down.
  const below = useListsBelow(page, used + 1, isSettled ? height - used - 1 : 0);
  const placed = [...own, ...(below ?? [])];
  const top = heightOf(placed) + 1;
  const found = !isGlance && isSettled && below && height - top >= leastNearest && nearest();
  if (!found) return { listed, placed };
  const { resource, row, params } = found;
  const link = { place: placeOfRow(resource, params) };
  const figures = [{ text: resource.label(row) }];
  const lines = [headingLine({ name: 'nearest', title: capitalized(resource.one), figures, link })];
  return { listed, placed: [...placed, { region: { left: 0, top, width, height: 1 }, lines }], nearest: found };
}

/** The overview of one row beneath another page, as far as there is room; without keys. `without` names a block that is left out. */
export function Glance(page: CustomProps & { without?: string }) {
  const { width, height } = page;
  const { placed } = usePlaced({ ...page, isGlance: true });
  const [cache] = useState((): LineCache => new WeakMap());
  return <Lines of={drawTiles(placed, { theme: useTheme(), now: useStores().now(), width, height, cache })()} />;
}

/** A line that the cursor can stand on, and its place on the page. */
interface Stop {
  id: string;
  at: number;
}

/** A page that scrolls, and the cursor on one of its lines, or on none. */
interface WalkState {
  /** In the order of the cursor. */
  stops: readonly Stop[];
  cursor?: string;
  /** The first line shown. */
  top: number;
  shown: number;
  total: number;
}

const steps = ['up', 'down', 'pageUp', 'pageDown', 'first', 'last'] as const;
type Step = (typeof steps)[number];

/**
 * Moves over the lines that lead somewhere, and scrolls where there are none further on. The cursor appears with the first
 * step down, and goes with the last one up.
 */
export function walk(state: WalkState, step: Step): Pick<WalkState, 'top' | 'cursor'> {
  const { stops, cursor, top, shown, total } = state;
  const lowest = Math.max(0, total - shown);
  const within = (line: number) => Math.max(0, Math.min(lowest, line));
  const isShown = ({ at }: Stop) => at >= top && at < top + shown;
  const to = (stop: Stop) => ({ cursor: stop.id, top: within(Math.max(Math.min(top, stop.at), stop.at - shown + 1)) });
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
