import { Box } from 'ink';
import { useState } from 'react';
import { seriesRoles } from '../../components/graphLegend.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { SeriesGroup } from '../../resources/compute/statistics.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { momentOf, placeOf } from '../../store/navigation.ts';
import { listQuery } from '../../store/queries.ts';
import { listed } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { type CustomProps, type Size, useCollection, useEvents, useNavigation, useStores } from '../useStores.ts';
import { GraphBoard, graphHeader, PointedGraph } from './GraphBoard.tsx';
import { eventMarks, type GraphBoardState, useGraphBoard } from './useGraphBoard.ts';
import { usePeriod } from './usePeriod.tsx';
import { type Drawn, useStatistics } from './useStatistics.ts';

interface ComparisonProps extends Size {
  resource: string;
  ids: readonly string[];
}

/** Rows of a resource by their statistics: up to four on one graph for each load, more of them on one graph each. */
export function Comparison({ resource: name, ids, width, height }: ComparisonProps) {
  const resource = resourceNamed(name);
  const { view } = useStores();
  const theme = useTheme();
  useCollection(listQuery(resource));
  const subjects = ids.map((id) => ({
    params: { [resource.param]: id },
    row: view.row(name, id) ?? { [resource.id]: id },
  }));
  const labels = subjects.map(({ row }, index) => resource.label(row) || (ids[index] ?? ''));
  const chosen = usePeriod(resource, () => dropCrosshair());
  const { members, window, title } = useStatistics(resource, subjects, { ...chosen, kind: 'loads', urgency: 'row' });
  const groups = comparedGroups(members, labels);
  const named = ids.map((id, index) => ({ id, label: labels[index] ?? id }));
  const roles = ids.map((_, index) => seriesRoles[index % seriesRoles.length] ?? 'plain');
  const areSmall = ids.length > maxTogether;
  const marks = eventMarks(resource, named, useEvents(), marksOf(theme).bad, areSmall ? undefined : roles);
  const alone = areSmall || width < wideFrom || height < highFrom;
  const { board, keys, dropCrosshair, event } = useGraphBoard(groups, window, width, height, { marks, alone });
  const pages = usePages(ids.length, board.width, board.height);
  useKeys('graphs', { ...keys, ...chosen.keys, ...(areSmall ? { ...pages.keys, zoom: undefined } : {}) });
  const says = members.every((one) => one.says !== undefined) ? members[0]?.says : undefined;
  const failed = members.findIndex((one) => one.trouble !== '');
  const trouble = says === undefined && failed >= 0 ? `${labels[failed]}: ${members[failed]?.trouble}` : '';
  const small = areSmall ? [groups[board.focus]?.name, pages.text] : [];
  const whole = [title, ...small, listed(labels, 4)].filter(Boolean).join('  ');
  const head = chosen.lineOr(graphHeader(theme, { title: whole, trouble, event, width }), width);
  return (
    <GraphBoard board={board} text={says} head={head}>
      {areSmall ? <SmallGraphs {...{ board, pages, labels, members }} /> : undefined}
    </GraphBoard>
  );
}

/** More lines than these are hard to tell apart on one graph. */
const maxTogether = 4;
/** From this size on all loads are shown at once. */
const wideFrom = 160;
const highFrom = 44;

/**
 * A graph for each load with one line for each member, in their order, then those of the month before.
 * @param labels the names of the members
 */
export function comparedGroups(
  members: readonly Pick<Drawn, 'groups'>[],
  labels: readonly string[],
): readonly SeriesGroup[] {
  const loads = members.find(({ groups }) => groups.length > 0)?.groups ?? [];
  return loads.map(({ name, unit }, place) => {
    const seriesOf = members.map(({ groups }) => groups[place]?.series ?? []);
    return {
      name,
      unit,
      series: [
        ...seriesOf.map(([own], index) => ({ name: labels[index] ?? '', points: own?.points ?? [] })),
        ...seriesOf.flatMap(([, before], index) =>
          before ? [{ ...before, name: `${labels[index]}, month before`, comparedWith: index }] : [],
        ),
      ],
    };
  });
}

interface SmallGraphsProps {
  board: GraphBoardState;
  /** As many in a grid as fit; width and height are those of each, in cells. */
  pages: ReturnType<typeof usePages>;
  labels: readonly string[];
  members: readonly Drawn[];
}

/** A small graph of one load for each member, all with the same scale. */
function SmallGraphs({ board, pages, labels, members }: SmallGraphsProps) {
  const { groups, focus, window, marks, crosshair, point } = board;
  const group = groups[focus];
  if (!group) return null;
  const top = group.series.reduce(
    (most, { points }) => points.reduce((max, [, value]) => Math.max(max, value), most),
    0,
  );
  const places = Array.from({ length: pages.to - pages.from }, (_, index) => pages.from + index);
  const lines = Array.from({ length: Math.ceil(places.length / pages.across) }, (_, line) =>
    places.slice(line * pages.across, (line + 1) * pages.across),
  );
  return lines.map((line) => (
    <Box key={line[0]} columnGap={2}>
      {line.map((place) => (
        <PointedGraph
          key={place}
          graph={{
            title: labels[place] ?? '',
            series: seriesOf(group.series, place),
            unit: group.unit,
            width: pages.width,
            height: pages.height,
            from: window.from,
            to: window.to,
            top,
            brief: true,
            empty: members[place]?.isKnown ? 'no readings' : '…',
            crosshair,
            marks: marks.filter(({ member }) => member === place),
          }}
          point={(time) => point(group, time)}
        />
      ))}
    </Box>
  ));
}

/** The line of one member, and that of its month before. */
const seriesOf = (series: GraphBoardState['groups'][number]['series'], place: number) => [
  ...series.slice(place, place + 1),
  ...series.flatMap((one) => (one.comparedWith === place ? [{ ...one, comparedWith: 0 }] : [])),
];

const minWidth = 36;
const minHeight = 9;
const gap = 2;

/**
 * The grid for so many small graphs: all of them where they fit, as large as possible, with columns before rows.
 * @param width cells of the room
 * @param height lines of the room
 */
export function gridFor(count: number, width: number, height: number) {
  const maxAcross = Math.max(1, Math.floor((width + gap) / (minWidth + gap)));
  const maxDown = Math.max(1, Math.floor(height / minHeight));
  const fitting = Array.from({ length: maxAcross }, (_, index) => index + 1).find(
    (across) => Math.ceil(count / across) <= Math.max(1, Math.min(maxDown, Math.floor(height / (minHeight + 3)))),
  );
  const across = Math.min(count, fitting ?? maxAcross);
  const down = Math.min(maxDown, Math.ceil(count / across));
  return { across, down, width: Math.floor((width - gap * (across - 1)) / across), height: Math.floor(height / down) };
}

/** The page of small graphs that is shown, and the keys that turn it. */
function usePages(count: number, width: number, height: number) {
  const [first, setFirst] = useState(0);
  const { across, down, ...size } = gridFor(count, width, height);
  const each = across * down;
  const from = Math.min(Math.floor(first / each), Math.ceil(count / each) - 1) * each;
  const to = Math.min(count, from + each);
  return {
    /** The indices of the first graph of the page, and of the one after its last. */
    ...{ from, to },
    across,
    ...size,
    /** `1–6 of 20`; empty where all fit. */
    text: each < count ? `${from + 1}–${to} of ${count}` : '',
    keys: {
      pageDown: to < count ? () => setFirst(to) : 'These are the last graphs.',
      pageUp: from > 0 ? () => setFirst(from - each) : 'These are the first graphs.',
    },
  };
}

/** The statistics of one row as graphs: of the last hour up to the last 30 days, or of any month that the API has. */
export function RowGraphs({ resource, params, row, width, height }: CustomProps) {
  const theme = useTheme();
  const chosen = usePeriod(resource, () => dropCrosshair());
  const { members, window, title } = useStatistics(resource, [{ params, row }], {
    ...chosen,
    kind: 'graphs',
    urgency: 'screen',
  });
  const { groups = [], says, trouble = '' } = members[0] ?? {};
  const subject = { id: params[resource.param] ?? '', label: resource.label(row) };
  const marks = eventMarks(resource, [subject], useEvents(), marksOf(theme).bad);
  const moment = useNavigation((state) => momentOf(placeOf(state)));
  const { board, keys, dropCrosshair, event } = useGraphBoard(groups, window, width, height, { marks, moment });
  useKeys('graphs', { ...keys, ...chosen.keys });
  const of = isSingle(resource) ? ` of ${resource.label(row)}` : '';
  const head = chosen.lineOr(graphHeader(theme, { title: `${title}${of}`, trouble, event, width }), width);
  return <GraphBoard board={board} text={says} head={head} />;
}
