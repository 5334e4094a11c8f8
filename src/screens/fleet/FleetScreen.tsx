import { useState } from 'react';
import { useStore } from 'zustand';
import { type Theme, useTheme } from '../../components/theme.ts';
import { dayMs, loadNames, spreadOf } from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize, memoizeOne } from '../../resources/memoize.ts';
import { type Load, loads, none, type Row } from '../../resources/resource.ts';
import { type Fleet, isWithoutReadings, stats } from '../../store/fleet.ts';
import { type ListView, listViewOf } from '../../store/navigation.ts';
import { listQuery } from '../../store/queries.ts';
import { rowIn } from '../../store/rows.ts';
import type { Stores } from '../../store/stores.ts';
import { useKeys } from '../keyboard.tsx';
import { ListPane } from '../list/ListPane.tsx';
import type { ListPage } from '../list/listModel.ts';
import { type Size, useCollection, useNavigation, useStores } from '../useStores.ts';
import {
  cellAt,
  cellMsIn,
  cellUnder,
  dayWidth,
  endOfCell,
  endOfDay,
  figureOf,
  fleetDrawing,
  fleetResource,
  fullScaleOf,
  type HeatMap,
  idOfServer,
  readingsOf,
  stepMoment,
} from './fleetColumns.ts';
import { type FleetMoment, type FleetProgress, fleetLegend, fleetStatus } from './fleetLines.ts';

const servers = resourceNamed('servers');
const list = listQuery(servers);

/** The key of the fleet view; its section is the name of a load. */
const fleetView = `${servers.name}:fleet`;

/** The loads of all servers over the past 24 hours, one line a server. */
export function FleetScreen({ width, height }: Size) {
  const stores = useStores();
  const { fleet, scheduler, navigation } = stores;
  const theme = useTheme();
  const version = useStore(fleet, (state) => state.version);
  const section = useNavigation((state) => listViewOf(state, fleetView).section);
  const moment = useNavigation((state) => listViewOf(state, fleetView).moment);
  const load = loads.find((name) => loadNames[name].name === section) ?? loads[0];
  const all = useCollection(list)?.rows ?? none;
  const [heatMap] = useState(() => createHeatMap(stores));
  const mapOf = (rows: readonly Row[]) => heatMap({ all, rows, load, version, theme, moment });
  const { unit } = loadNames[load];

  function status(page: ListPage): string {
    if (page.rows.length === 0) return '';
    const { map, progress } = mapOf(page.rows);
    const waitMs = scheduler.waitMs(progress.queued, 'next');
    return fleetStatus(theme, { ...progress, waitMs }, unit, width, momentOf(page, map, fleet));
  }

  function openGraphs(row: Row): void {
    const params = { [servers.param]: idOfServer(row) };
    const time = moment === undefined ? undefined : Math.min(moment, stores.now());
    navigation.go({ screen: 'detail', resource: servers.name, params, tab: 'graphs', moment: time });
  }

  return (
    <ListPane
      query={list}
      resource={heatMap.resource(load)}
      viewKey={fleetView}
      sections={loads.map((one) => ({ title: loadNames[one].name, isShown: one === load }))}
      readsAll={stats}
      drawing={(rows) => mapOf(rows).drawing}
      above={status}
      below={({ rows, placed }) => (rows.length > 0 ? fleetLegend(mapOf(rows).map, dayWidth(placed), width) : '')}
      open={(row) => () => openGraphs(row)}
      keys={({ rows, placed }) => <FleetKeys map={mapOf(rows).map} width={dayWidth(placed)} />}
      width={width}
      height={height}
    />
  );
}

/** The keys of the fleet besides those of a list: they switch the load, and step through the day. */
function FleetKeys({ map, width }: { map: HeatMap; width: number }) {
  const { navigation } = useStores();
  const { load, moment } = map;
  const set = (view: Partial<ListView>) => navigation.setListView(fleetView, view);
  const turn = (by: 1 | -1) => () => {
    const scale = scaleIn(map, width);
    const time = stepMoment(moment, by, scale);
    set({ moment: time });
    return cellAt(time, scale) === cellAt(moment, scale) ? 'The day ends here.' : undefined;
  };
  const step = (by: number) => () =>
    set({ section: loadNames[loads[(loads.indexOf(load) + by + loads.length) % loads.length] ?? load].name });
  const isShown = width > 0;
  useKeys('fleet', {
    next: step(1),
    previous: step(-1),
    earlier: isShown ? turn(-1) : noDay,
    later: isShown ? turn(1) : noDay,
    off: moment === undefined ? undefined : () => set({ moment: undefined }),
  });
  return null;
}

const noDay = 'The day is not among the columns.';

interface Drawn {
  all: readonly Row[];
  rows: readonly Row[];
  load: Load;
  /** Of the loads. */
  version: number;
  theme: Theme;
  moment: number | undefined;
}

/** Once for all visits: an order and its values are kept by the column. */
const resourceOf = memoizeOne(fleetResource);

/** Works out the heat map of the servers shown; only what is another one is made anew. */
function createHeatMap({ fleet, now, navigation }: Stores) {
  const measuredOf = memoizeOne((all: readonly Row[], rows: readonly Row[], load: Load, _version: number) =>
    measured(fleet, all, rows, load, now()),
  );
  const mapOf = memoizeOne((theme: Theme, load: Load, fullScale: number, until: number, moment?: number) => {
    const map: HeatMap = { theme, load, fullScale, until, now, moment };
    const point = (cell: number, width: number) =>
      navigation.setListView(fleetView, { moment: endOfCell(cellUnder(cell, width), scaleIn(map, width)) });
    return { map, drawing: fleetDrawing(map, fleet, (id) => whyNot(fleet, id), point) };
  });
  const draw = ({ all, rows, load, version, theme, moment }: Drawn) => {
    const { fullScale, until, progress } = measuredOf(all, rows, load, version);
    return { ...mapOf(theme, load, fullScale, until, moment), progress };
  };
  return Object.assign(draw, { resource: (load: Load) => resourceOf(load, fleet) });
}

const scaleIn = ({ until, now }: HeatMap, width: number) => ({ until, now: now(), cellMs: cellMsIn(width) });

/** Says why a server has no readings. */
function whyNot(fleet: Fleet, id: string): string {
  const failure = fleet.failureOf(id);
  if (failure && !isWithoutReadings(failure)) return failure.message;
  return fleet.isRequested(id) ? 'no readings yet' : '…';
}

/** The time that is looked at, with the reading of the server under the cursor. */
function momentOf({ current, placed }: ListPage, map: HeatMap, fleet: Fleet): FleetMoment | undefined {
  const scale = scaleIn(map, dayWidth(placed));
  const cell = cellAt(map.moment, scale);
  if (cell === undefined || !current) return undefined;
  const to = endOfCell(cell, scale);
  const reading = readingsOf(map, current, fleet.dayOf(idOfServer(current)));
  return {
    from: to - scale.cellMs,
    to,
    label: servers.label(current),
    reading: reading(cell, Math.round(dayMs / scale.cellMs)),
  };
}

const setOf = memoize((rows): ReadonlySet<Row> => new Set(rows));

/** Sums up the servers shown whose statistics were requested: in a large fleet only some. */
function measured(fleet: Fleet, all: readonly Row[], rows: readonly Row[], load: Load, now: number) {
  const requested = [...fleet.requested()].flatMap((id) => {
    const row = rowIn(servers, all, id);
    return row && (rows.length === all.length || setOf(rows).has(row)) ? [{ id, row, day: fleet.dayOf(id) }] : [];
  });
  const failures = requested.flatMap(({ id }) => fleet.failureOf(id) ?? []).filter((one) => !isWithoutReadings(one));
  const days = requested.flatMap(({ day }) => day ?? []);
  const progress: Omit<FleetProgress, 'waitMs'> = {
    loaded: days.length,
    total: rows.length,
    queued: rows.length - requested.length,
    failed: failures.length,
    failure: failures[0]?.message ?? '',
    spread: spreadOf(requested.map(({ row }) => figureOf(fleet, row, load, 'last'))),
  };
  return { fullScale: fullScaleOf(days, load), until: endOfDay(now, days), progress };
}
