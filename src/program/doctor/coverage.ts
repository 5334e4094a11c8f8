import type { Api } from '../../api/client.ts';
import type { Configuration } from '../../config/configuration.ts';
import { actionsOf, isSingle, resourceCalled, resourceNamed, resources } from '../../resources/index.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Action, Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { unexaminedPart } from '../../screens/problems/unexamined.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { fittingResources, type Guard, levelsOf } from '../../store/guards/concern.ts';
import { guardFilter } from '../../store/guards/guardFilter.ts';
import { sameRequests } from '../../store/guards/requests.ts';
import { userRules } from '../../store/problems/userRules.ts';
import { isGradual } from '../../store/reading.ts';
import { userView } from '../../store/views/userViews.ts';
import { clean } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { columned, counted, listed } from '../../text/words.ts';
import { createSnapshotReader, type SnapshotReader } from '../snapshotReader.ts';
import { readBeside, rowsOfView } from '../views/viewRows.ts';

/** The actions of an area that a guard concerns. */
interface Covered {
  resource: Resource;
  actions: readonly Action[];
  /** The areas by whose rows it is decided: its own, the servers of a disk, or either. */
  by: readonly Resource[];
}

/** All that a guard concerns, area by area, in the order in which they are offered. */
export const coverageOf = (guard: Guard): readonly Covered[] =>
  resources.flatMap((resource) => {
    const levels = (action: Action) =>
      sameRequests({ resource, action, params: {} }, (path) => path).flatMap((subject) => levelsOf(guard, subject));
    const actions = actionsOf(resource).filter((action) => levels(action).length > 0);
    const [first] = actions;
    if (!first) return [];
    return [{ resource, actions, by: levels(first).map((level) => level.resource) }];
  });

const headings = ['ACTIONS', 'AREA', 'WHERE', 'HOW', 'REASON'];

/** More actions than these are counted. */
const maxNamed = 4;

/** Tells which operations are guarded how: a line for each guard, and a table of all areas. */
export function guardLines(guards: readonly Guard[]): { each: readonly string[]; table: readonly string[] } {
  const covered = guards.map(coverageOf);
  const each = guards.map((guard, index) => {
    const count = (covered[index] ?? []).reduce((sum, { actions }) => sum + actions.length, 0);
    return clean(`${howOf(guard)}: ${counted(count, 'operation')}${guard.reason ? `, ${guard.reason}` : ''}`);
  });
  const rows = guards.flatMap((guard, index) => (covered[index] ?? []).map((area) => rowOf(guard, area)));
  return { each, table: columned([headings, ...rows]) };
}

function rowOf(guard: Guard, { resource, actions, by }: Covered): readonly string[] {
  const names = actions.map(({ name }) => name);
  const named = names.length > maxNamed ? `all ${names.length}` : names.join(', ');
  const above = by.filter((one) => one !== resource).map(({ name }) => `of ${name}`);
  const area = [resource.name, ...above].join(by.includes(resource) ? ', also ' : ' ');
  return [named, area, guard.where ?? 'all', howOf(guard), guard.reason ?? ''].map((text) => clean(text));
}

/** The strictness of a guard in a few words. */
function howOf({ deny, ask, at_most }: Guard): string {
  if (deny) return 'denied';
  return [at_most === undefined ? '' : `at most ${at_most} at once`, ask ? `type the ${ask}` : '']
    .filter(Boolean)
    .join(', ');
}

/** On how many rows something of the configuration holds now; `isOn` is undefined where that is not known. */
interface Holding {
  /** `guard 2`, `rule 1`, `view prod`. */
  name: string;
  isOn: boolean | undefined;
  says: string;
}

/** Rows that a filter finds, of all that were read. */
interface Count {
  resource: Resource;
  found: number;
  of: number;
  /** Rows of which it is not known, because the API does not tell the field. */
  unknown: number;
}

/** Reads the rows that guards, rules and views are about, and counts those that each finds now. */
export async function holdings(
  { guards, rules, views }: Pick<Configuration, 'guards' | 'rules' | 'views'>,
  api: Api,
  now: number,
): Promise<readonly Holding[]> {
  const reader = createSnapshotReader(api, now, () => false);
  const found: Holding[] = [];
  for (const [index, guard] of guards.entries())
    if (guard.where !== undefined) found.push(await ofGuard(guard, guard.where, `guard ${index + 1}`, reader));
  found.push(...(await ofRules(rules, reader)));
  for (const name of Object.keys(views)) found.push(...(await ofView(views, name, reader)));
  return found;
}

async function ofGuard(guard: Guard, where: string, name: string, reader: SnapshotReader): Promise<Holding> {
  const { for: area, actions } = guard;
  const named = area === undefined ? undefined : resourceCalled(area);
  const all = named ? [named] : [...fittingResources(where)];
  const counts: Count[] = [];
  for (const resource of all.filter(isCountable)) counts.push(...(await countOf(where, resource, reader)));
  const about = `${actions.includes('*') ? 'all actions' : listed(actions)} of ${named ? plural(named) : 'all rows'} with ${where}`;
  if (counts.length === 0) return { name, isOn: undefined, says: `${about}: its rows are not counted` };
  const sum = counts.reduce((total, { found }) => total + found, 0);
  const unknown = counts.reduce((total, one) => total + one.unknown, 0);
  const hits = counts.filter(({ found }) => found > 0);
  const told = (hits.length > 0 ? hits : counts).map(({ found, of, resource }) => ofAll(found, of, resource));
  const doubt = unknown > 0 ? `; of ${grouped(unknown)} it is not known` : '';
  return { name, isOn: sum > 0 || undefined, says: `${about} holds on ${listed(told, 4)}${doubt}` };
}

/** Whether all rows of a resource are read at once, and can be changed. */
const isCountable = ({ list, under, local, catalogue }: Resource): boolean =>
  list !== undefined && !under && !local && !catalogue && !isGradual(list);

async function countOf(where: string, resource: Resource, reader: SnapshotReader): Promise<readonly Count[]> {
  const rows = await reader.list(resource);
  await readBeside(reader, resource);
  const filter = guardFilter(where, resource, reader.cache);
  if (!rows || 'error' in filter) return [];
  const told = rows.map((row) => filter.find(row));
  const found = told.filter((one) => one === 'yes').length;
  return [{ resource, found, of: rows.length, unknown: told.filter((one) => typeof one === 'object').length }];
}

const ofAll = (found: number, of: number, resource: Resource): string =>
  `${found === 0 ? 'none' : grouped(found)} of ${of === 1 ? `1 ${resource.one}` : `${grouped(of)} ${plural(resource)}`}`;

async function ofRules(rules: Configuration['rules'], reader: SnapshotReader): Promise<readonly Holding[]> {
  const own = userRules(rules);
  if (own.length === 0) return [];
  const { problems, unexamined } = await reader.examine(own);
  const byRule = Map.groupBy(problems, ({ rule }: Problem) => rule);
  return own.map((rule, index): Holding => {
    const resource = resourceNamed(rule.of);
    const found = byRule.get(rule.name)?.length ?? 0;
    const asked = unexamined.filter((one) => one.own && [rule.fetches ?? []].flat().includes(one.operation));
    const left = asked.length > 0 ? `; not examined: ${listed(asked.map((one) => unexaminedPart(one)))}` : '';
    const of = isSingle(resource) ? 1 : reader.cache.rows(resource.name).length;
    const says = `${rules[index]?.where} finds ${ofAll(found, of, resource)}${left}`;
    return { name: `rule ${index + 1}`, isOn: found > 0 || undefined, says };
  });
}

async function ofView(
  views: Configuration['views'],
  name: string,
  reader: SnapshotReader,
): Promise<readonly Holding[]> {
  const view = userView(views, name);
  if (!view || view.filter === '' || !isCountable(view.resource)) return [];
  const rows = await reader.list(view.resource);
  if (!rows || 'error' in parseFilter(view.filter, view.resource.columns, reader.cache)) return [];
  const found = await rowsOfView(view, rows, reader);
  const says = `${view.filter} shows ${ofAll(found.length, rows.length, view.resource)}`;
  return [{ name: `view ${name}`, isOn: found.length > 0 || undefined, says }];
}
