import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { bucketEnd, bucketMs, dayMs, type Load, loadNames, loads, spreadOf } from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import { at, type CacheView, type Row, viewWith } from '../../resources/resource.ts';
import { idOf } from '../../store/cache.ts';
import { type Fleet, isWithoutReadings, stats as statsOperation } from '../../store/fleet.ts';
import { rowIn } from '../../store/rows.ts';
import { sorted } from '../../store/sorting.ts';
import { targetsOf } from '../actions.ts';
import { compare } from '../graphs/compare.ts';
import { useKeys } from '../keyboard.tsx';
import { EmptyState } from '../list/EmptyState.tsx';
import { FilterLine } from '../list/FilterLine.tsx';
import { filterHeight } from '../list/filterLines.ts';
import { createListRows } from '../list/listRows.ts';
import { listTitle } from '../list/listTitle.ts';
import { markRange } from '../list/marking.ts';
import { useAskedProgress } from '../list/useAskedRows.ts';
import { useVisibleRows } from '../list/useLazyAnswers.ts';
import { createListWindow } from '../page/listWindow.ts';
import { PositionedTitle } from '../page/PositionedTitle.tsx';
import { useRegion } from '../terminal/mouse.tsx';
import { useCacheView } from '../useCacheView.ts';
import { useCollection, useNavigation, useStores, useView } from '../useStores.ts';
import {
  cellMsOf,
  cellReading,
  cellUnder,
  createFleetLines,
  type FleetProgress,
  fleetHead,
  fleetLayout,
  fleetLegend,
  fleetStatus,
  type Moment,
} from './fleetLines.ts';
import {
  dayReader,
  divisorOf,
  fleetOrders,
  fullScaleOf,
  isDescending,
  labelWidths,
  normalized,
  sortServers,
} from './fleetRows.ts';
import { cellAt, endOfCell, stepMoment } from './moments.ts';
import { useFleetStatistics } from './useFleetStatistics.ts';

const servers = resourceNamed('servers');
const list = { resource: servers.name, operation: 'list', params: {} };
const idOfServer = (row: Row) => idOf(servers, row);

/** The key of the fleet view; its section is the name of a load. */
const fleetView = `${servers.name}:fleet`;

/** The loads of all servers over the past 24 hours, one line a server. */
export function FleetScreen({ width, height }: { width: number; height: number }) {
  const stores = useStores();
  const { fleet, scheduler, navigation } = stores;
  const theme = useTheme();
  const version = useStore(fleet, (state) => state.version);
  const view = useCacheView(servers);
  const collection = useCollection(list);
  const [listView, setView] = useView(fleetView);
  const filtering = useNavigation(({ overlays }) => overlays.at(-1)?.kind === 'filter');
  const load = loads.find((name) => loadNames[name].name === listView.section) ?? loads[0];
  const order = listView.sort ?? fleetOrders[0] ?? '';
  const all = collection?.rows ?? noRows;
  const [rowsOf] = useState(createListRows);
  const isFiltered = listView.filter !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a filter by load looks at what has come in
  const answeredView = useMemo(() => (isFiltered ? viewWith(view, {}) : view), [view, isFiltered && version]);
  const filtered = rowsOf(servers, all, { filter: listView.filter, sort: 'Label' }, answeredView);
  const { rows: byLabel, error } = filtered;
  const sought = filtered.asked.find(({ operation }) => operation === statsOperation)?.rows ?? byLabel;
  const progressOfFilter = useAskedProgress(servers);
  const dayOf = useMemo(() => dayReader(servers, load, fleet.dayOf), [load, fleet]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the loads
  const asked = useMemo(() => queriedServers(fleet, all, byLabel, view), [fleet, version, all, byLabel, view]);
  const { rows, fullScale, progress } = useMemo(
    () => ({
      rows: sortServers(byLabel, order, load, dayOf, servers, view, asked),
      fullScale: fullScaleOf(asked, load, dayOf),
      progress: progressOf(fleet, asked, byLabel.length, load),
    }),
    [byLabel, asked, order, load, dayOf, view, fleet],
  );

  const filterLines = filterHeight(listView.filter, filtering, error, width);
  const body = Math.max(1, height - 4 - filterLines);
  const [windowOf] = useState(createListWindow<Row>);
  const [drawn] = useState(createFleetLines);
  const { current, cursor, top, visible, movesTo } = windowOf(rows, listView.cursor, idOfServer, body);
  useFleetStatistics(visible, sought);
  useVisibleRows(servers, visible);
  const marked = new Set(listView.marks);

  const [label = 0, region = 0] = widestTexts(all);
  const layout = useMemo(() => fleetLayout(width, label, Math.min(maxRegionCells, region)), [width, label, region]);
  const days = visible.map((row) => fleet.dayOf(idOfServer(row)));
  // The current half hour may have no reading yet.
  const until = Math.max(bucketEnd(stores.now()) - bucketMs, ...days.map((day) => day?.until ?? 0));
  const unit = loadNames[load].unit;
  const scale = { until, cellMs: cellMsOf(layout), now: stores.now() };
  const time = cellAt(listView.moment, scale);
  const style = { theme, layout, fullScale, unit, cell: time };

  /** Steps through the day, or tells that it ends. */
  const turn = (by: 1 | -1) => () => {
    const moment = stepMoment(listView.moment, by, scale);
    setView({ moment });
    return moment === listView.moment ? 'The day ends here.' : undefined;
  };
  const step = (by: number) => () =>
    setView({ section: loadNames[loads[(loads.indexOf(load) + by + loads.length) % loads.length] ?? load].name });
  const chosen = marked.size > 0 ? rows.filter((row) => marked.has(idOfServer(row))) : current ? [current] : [];
  const handlers = {
    ...movesTo((row) => setView({ cursor: idOfServer(row) })),
    open: current ? () => openGraphs(current) : noServer,
    earlier: layout.heat > 0 ? turn(-1) : tooNarrow,
    later: layout.heat > 0 ? turn(1) : tooNarrow,
    off: time === undefined ? undefined : () => setView({ moment: undefined }),
    compare: rows.length > 0 ? compareMarked : noServer,
    mark: current ? () => mark(current) : noServer,
    markRange: current ? markTo : noServer,
    next: step(1),
    previous: step(-1),
    sort: () => navigation.open({ kind: 'sort', viewKey: fleetView, resource: servers.name, orders: fleetOrders }),
    filter: () => navigation.open({ kind: 'filter', viewKey: fleetView }),
    clear: listView.filter !== '' || listView.marks.length > 0 ? () => setView({ filter: '', marks: [] }) : undefined,
  };
  const markedCount = marked.size > 0 ? chosen.length : 0;
  useKeys('fleet', handlers, {
    marked: useMemo(() => (markedCount > 0 ? { count: markedCount, keys: [] } : undefined), [markedCount]),
    subject: { resource: servers, targets: targetsOf(servers, chosen, {}), params: {} },
  });

  const rowsRegion = useRegion('fleet', {
    onClick: ({ line, column, press }) => {
      const row = visible[line];
      if (row && row === current && cellUnder(layout, column) === undefined) press('enter');
      else if (row) setView({ cursor: idOfServer(row) });
    },
    onDrag: ({ column }) => {
      const cell = cellUnder(layout, column);
      if (cell !== undefined) setView({ moment: endOfCell(cell, scale) });
    },
  });
  const title = listTitle(theme, {
    resource: { ...servers, many: 'Fleet' },
    collection: undefined,
    shown: rows.length,
    view: listView,
    sort: isDescending(order) ? `-${order}` : order,
    sections: loads.map((one) => ({ title: loadNames[one].name, isShown: one === load })),
    progress: progressOfFilter(filtered.asked),
    width,
  });
  const part = { top, body, count: rows.length };
  return (
    <Box flexDirection="column" width={width} height={height}>
      <PositionedTitle title={title} part={part} width={width} />
      <Line
        text={
          byLabel.length > 0
            ? fleetStatus(
                theme,
                { ...progress, waitMs: scheduler.waitMs(progress.queued, 'next') },
                unit,
                width,
                moment(),
              )
            : ''
        }
      />
      {filterLines > 0 ? (
        <FilterLine
          viewKey={fleetView}
          list={{ resource: servers, rows: all, cacheView: view }}
          editing={filtering}
          error={error}
          width={width}
        />
      ) : null}
      {rows.length === 0 ? (
        <EmptyState
          resource={servers}
          collection={collection}
          filter={listView.filter}
          width={width}
          height={body + 2}
        />
      ) : (
        <>
          <Line text={fleetHead(theme, layout, until, time)} />
          <Box ref={rowsRegion} flexDirection="column" width={width} height={body}>
            {visible.map((row) => (
              <Line key={idOfServer(row)} text={lineOf(row, row === current)} />
            ))}
          </Box>
          <Line text={fleetLegend(style, width)} />
        </>
      )}
    </Box>
  );

  function lineOf(row: Row, isCurrent: boolean): string {
    const id = idOfServer(row);
    const whole = fleet.dayOf(id);
    return drawn(id, style, {
      label: servers.label(row),
      region: String(at(row, 'region') ?? ''),
      isCurrent,
      isMarked: marked.has(id),
      day: dayOf(row),
      says: whyNot(id),
      shift: whole ? Math.round((until - whole.until) / bucketMs) : 0,
      divisor: divisorOf(row, load),
    });
  }

  /** The time that is looked at, with the reading of the server under the cursor. */
  function moment(): Moment | undefined {
    if (time === undefined || !current) return undefined;
    const day = fleet.dayOf(idOfServer(current));
    const shift = day ? Math.round((until - day.until) / bucketMs) : 0;
    const reading = day ? cellReading(day[load], time, Math.round(dayMs / scale.cellMs), shift) : Number.NaN;
    const to = endOfCell(time, scale);
    return { from: to - scale.cellMs, to, label: servers.label(current), reading: reading / divisorOf(current, load) };
  }

  function whyNot(id: string): string {
    const failure = fleet.failureOf(id);
    if (failure && !isWithoutReadings(failure)) return failure.message;
    return fleet.isRequested(id) ? 'no readings yet' : '…';
  }

  /** Compares the marked servers, or else the one under the cursor. */
  function compareMarked(): void {
    const those = marked.size > 0 ? rows.filter((row) => marked.has(idOfServer(row))) : current ? [current] : [];
    compare(stores, { resource: servers, ids: those.map(idOfServer) });
  }

  function openGraphs(row: Row): void {
    setView({ cursor: idOfServer(row) });
    const params = { [servers.param]: idOfServer(row) };
    const moment = time === undefined ? undefined : Math.min(endOfCell(time, scale), scale.now);
    navigation.go({ screen: 'detail', resource: servers.name, params, tab: 'graphs', moment });
  }

  function markTo(): string | undefined {
    return markRange(rows.map(idOfServer), listView.marks, cursor, (marks) => setView({ marks }));
  }

  function mark(row: Row): void {
    const id = idOfServer(row);
    const marks = marked.has(id) ? listView.marks.filter((one) => one !== id) : [...listView.marks, id];
    const below = rows[cursor + 1] ?? row;
    setView({ marks, cursor: idOfServer(below) });
  }
}

const noRows: readonly Row[] = [];
const noServer = 'There is no server to do this to.';
const tooNarrow = 'The window is too narrow for the day.';

const widestTexts = labelWidths(servers);
/** Longer regions are cut, in cells. */
const maxRegionCells = 16;

const setOf = memoize((rows): ReadonlySet<Row> => new Set(rows));

/** The servers whose statistics were requested, by label; in a large fleet only some. */
function queriedServers(fleet: Fleet, all: readonly Row[], shown: readonly Row[], view: CacheView): readonly Row[] {
  const requested = [...fleet.requested()].map((id) => rowIn(servers, all, id)).filter((row) => row !== undefined);
  const isWhole = shown.length === all.length;
  const those = isWhole ? requested : requested.filter((row) => setOf(shown).has(row));
  return sorted(those, 'Label', servers.columns, view);
}

/** Counts the loaded servers and summarizes their newest readings. */
function progressOf(fleet: Fleet, asked: readonly Row[], total: number, load: Load): Omit<FleetProgress, 'waitMs'> {
  const ids = asked.map(idOfServer);
  const failures = ids.flatMap((id) => fleet.failureOf(id) ?? []).filter((failure) => !isWithoutReadings(failure));
  const dayOf = dayReader(servers, load, fleet.dayOf);
  return {
    loaded: ids.filter((id) => fleet.dayOf(id) !== undefined).length,
    total,
    queued: total - ids.length,
    failed: failures.length,
    failure: failures[0]?.message ?? '',
    spread: spreadOf(asked.map((row) => normalized(row, load, dayOf(row)?.last))),
  };
}
