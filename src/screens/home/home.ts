import { statusRole } from '../../components/looks.ts';
import { resourceNamed, resources } from '../../resources/index.ts';
import type { Column, Known, Resource, Row } from '../../resources/resource.ts';
import { type Event, isInProgress } from '../../store/events.ts';
import { valueIn } from '../../store/filter.ts';
import type { Place } from '../../store/navigation.ts';
import { idOf } from '../../store/records.ts';
import { placeOfEntity, placeOfRow } from '../places.ts';

/** One value of a column and how many rows have it. */
export interface Count {
  value: string;
  count: number;
}

/** A resource whose rows are counted by the values of a column. */
export interface Board {
  resource: Resource;
  column: Column;
}

const boardOf = (name: string, title: string): Board => {
  const resource = resourceNamed(name);
  const column = resource.columns.find((column) => column.title === title);
  if (!column) throw new Error(`${name} has no column ${title}`);
  return { resource, column };
};

/** What the home screen counts, the most important first. */
export const boards: readonly Board[] = [
  boardOf('servers', 'Status'),
  boardOf('volumes', 'Status'),
  boardOf('servers', 'Region'),
];

/** How many rows have each value of a column; the most frequent first, then by value. */
export function countsOf(rows: readonly Row[], column: Column, known: Known): readonly Count[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = String(valueIn(row, column, known) ?? 'unknown');
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || one.value.localeCompare(other.value));
}

/** Rows of one resource that share a status that says something is wrong. */
export interface Problem {
  resource: Resource;
  status: string;
  rows: readonly Row[];
}

/** What is wrong among all that is loaded; nothing is asked for. */
export function problemsOf(known: Known): readonly Problem[] {
  return resources.flatMap((resource) => {
    const { status, under, list, name } = resource;
    if (!status || under || !list || name === 'events') return [];
    const troubled = known.rows(name).filter((row) => statusRole(status(row) ?? '') === 'bad');
    const groups = Map.groupBy(troubled, (row) => status(row) ?? '');
    return [...groups].map(([word, rows]) => ({ resource, status: word, rows }));
  });
}

/** Where a line of the home screen leads. */
export interface Destination {
  place: Place;
  /** The filter that the list is looked at with. */
  filter?: string;
}

const listOf = ({ name }: Resource): Place => ({ screen: 'list', resource: name, params: {} });

/** The filter that leaves the rows that have this value in a column. */
export const filterFor = ({ title }: Column, value: string): string =>
  `${title.toLowerCase().replaceAll(' ', '-')}:${/\s/.test(value) ? `"${value}"` : value}`;

/** All rows of a board, or those with one value. */
export const towardsCount = ({ resource, column }: Board, value?: string): Destination => ({
  place: listOf(resource),
  filter: value === undefined ? '' : filterFor(column, value),
});

/** The row that has the problem, or the list of all that have it. */
export function towardsProblem({ resource, status, rows }: Problem): Destination {
  const [row, ...others] = rows;
  if (row && others.length === 0 && resource.view) {
    const params = { [resource.param]: idOf(resource, row) };
    return { place: placeOfRow(resource, params) };
  }
  const column = resource.columns.find(({ look }) => look === 'status');
  return { place: listOf(resource), filter: column ? filterFor(column, status) : '' };
}

/** What an event is about; the event itself where that is gone or has no screen. */
export function towardsEvent(event: Event): Destination {
  const entity = /_delete$/.test(event.action) && !isInProgress(event) ? undefined : placeOfEntity(event.entity);
  const events = resourceNamed('events');
  return {
    place: entity ?? placeOfRow(events, { [events.param]: String(event.id) }),
  };
}

/** The seconds that an event still takes, written `h:m:s`; undefined where that is something else. */
export function secondsLeft(remaining: unknown): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+)$/.exec(String(remaining ?? '')) ?? [];
  if (hours === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
