import { audit } from '../resources/account/audit.ts';
import { idIn, isLabel, paramsIn, paramsOf } from '../resources/identity.ts';
import { isSingle, resourceNamed, rowOfEntity } from '../resources/index.ts';
import { ancestorsOf, isAcross } from '../resources/relations.ts';
import { at, isRow, type Params, type Resource, type Row, type Tab } from '../resources/resource.ts';
import { liesIn } from '../resources/wording.ts';
import { type ListView, listViewOf, type Place, placeKey, placeOf } from '../store/navigation.ts';
import type { Notice } from '../store/notices.ts';
import { type Query, viewQuery } from '../store/queries.ts';
import type { Stores } from '../store/stores.ts';

/** The detail of a row, at its first tab. */
export const placeOfRow = ({ name, opensAt = 'overview' }: Resource, params: Params): Place => ({
  screen: 'detail',
  resource: name,
  params,
  tab: opensAt.toLowerCase(),
});

/** The detail of a row that lies under no other. */
export const placeOfOwn = (resource: Resource, row: Row): Place => placeOfRow(resource, paramsOf(resource, row));

/** The list of a resource, or the detail of one that has a single row. */
export const placeOfArea = (resource: Resource): Place =>
  isSingle(resource) ? placeOfRow(resource, {}) : { screen: 'list', resource: resource.name, params: {} };

/** The detail of an entity that an event or ticket names; undefined where its kind has no screen. */
export function placeOfEntity(entity: unknown): Place | undefined {
  const named = rowOfEntity(entity);
  return named && placeOfRow(resourceNamed(named.resource), named.params);
}

/**
 * The place of the object that a row is about: the entity that it names, or the row that its `resource` and `params`
 * name; a sentence where there is none.
 */
export function placeAbout({ view }: Pick<Stores, 'view'>, resource: Resource, row: Row): Place | string {
  const nowhere = `This ${resource.one} leads to no other object.`;
  if (resource.about) return placeOfEntity(at(row, resource.about)) ?? nowhere;
  const { resource: name, params } = row;
  if (!resource.named || typeof name !== 'string' || !isRow(params)) return nowhere;
  const object = resourceNamed(name);
  const own = params as Params;
  const id = idIn(object, own);
  const parents = paramsIn(object.list?.path, own);
  const isGone = id !== undefined && !view.row(name, id, own) && view.isRead(name, parents);
  if (isGone) return `This ${object.one} is there no more.`;
  if (isSingle(object) || (object.view && id !== undefined)) return placeOfRow(object, own);
  return { screen: 'list', resource: name, params: parents };
}

/** Whether rows are about other objects, to which a key leads. */
export const leadsOn = ({ about, named }: Resource): boolean => about !== undefined || named === true;

/** The place of the object of a notice. */
export function placeOfNotice({ resource, params }: NonNullable<Notice['about']>): Place {
  const description = resourceNamed(resource);
  return params ? placeOfRow(description, params) : placeOfArea(description);
}

/** Shows a list in another way: a section of it, what a filter finds. */
export function goToList(
  { navigation }: Pick<Stores, 'navigation'>,
  resource: Resource,
  view: Partial<ListView>,
): void {
  const place = placeOfArea(resource);
  navigation.setListView(placeKey(place), view);
  navigation.go(place);
}

/** Shows the journal: what is under way, or the message on the screen in full, else what was sent; where it is shown already, its next tab. */
export function goToJournal({ navigation, notices }: Pick<Stores, 'navigation' | 'notices'>, isRunning: boolean): void {
  const state = navigation.getState();
  const titles = (audit.sections ?? []).map(({ title }) => title);
  const key = placeKey(placeOfArea(audit));
  const { section = titles[0] ?? '' } = listViewOf(state, key);
  const { current } = notices.getState();
  const wanted =
    placeKey(placeOf(state)) === key ? titles.indexOf(section) + 1 : isRunning ? 1 : current && !current.sent ? 2 : 0;
  // The newest are looked for, wherever the cursor was before.
  goToList({ navigation }, audit, { section: titles[wanted % titles.length] ?? '', cursor: undefined });
}

/** Subscribes to the first query of a place before its screen is loaded; returns an unsubscribe function. */
export function prefetchPlace({ scheduler }: Pick<Stores, 'scheduler'>, place: Place): () => void {
  if (place.screen !== 'list' && place.screen !== 'detail') return () => {};
  const resource = resourceNamed(place.resource);
  const { params } = place;
  if (place.screen === 'detail')
    return scheduler.subscribe(isViewed(resource, params) ? [viewQuery(resource, params)] : []);
  const [{ operation = 'list' } = {}] = resource.sections ?? [];
  if (isAcross(resource, params)) return prefetchPlace({ scheduler }, placeOfArea(resourceNamed(resource.under ?? '')));
  return scheduler.subscribe([{ resource: resource.name, operation, params }]);
}

const isViewed = (resource: Resource, params: Params): boolean =>
  resource.view !== undefined && !isLabel(resource, params[resource.param]);

/** The parameters of a row that the path of a resource's create operation takes. */
export const createParams = (name: string, params: Params): Params =>
  paramsIn(resourceNamed(name).create?.path, params);

/**
 * Where a row lies, as ` in zone example.com`, while the list on the screen has rows of several; else empty.
 * @param isAway it may lie elsewhere than what is on the screen, or is to be said always
 */
export function whereIn({ navigation, view }: Stores, resource: Resource, params: Params, isAway: boolean | 'always') {
  const place = placeOf(navigation.getState());
  const [parent] = ancestorsOf(resource);
  const here = 'params' in place ? place.params : {};
  const isTold = isAway || (place.screen === 'list' && place.resource === resource.name);
  const id = parent && idIn(parent, params);
  const isOther = isAway === 'always' || (parent && idIn(parent, here) !== id);
  const row = isTold && isOther && parent && view.row(parent.name, id);
  return row ? ` ${liesIn(resource, parent, row)}` : '';
}

/** One tab of a detail; `tab` is undefined for overview, history and JSON. */
export interface ShownTab {
  name: string;
  title: string;
  tab?: Tab;
}

/** The tabs of a detail: overview, those of the description, history, and JSON. */
export function tabsOf(resource: Resource): readonly ShownTab[] {
  const described = (resource.tabs ?? []).map((tab) => ({ name: tab.title.toLowerCase(), title: tab.title, tab }));
  const history = resource.local ? [] : [{ name: 'history', title: 'History' }];
  return [{ name: 'overview', title: 'Overview' }, ...described, ...history, { name: 'json', title: 'JSON' }];
}

/** The tab of the parent that lists the rows of a resource. */
export const tabWith = ({ name, under }: Resource): string | undefined =>
  under &&
  tabsOf(resourceNamed(under)).find(({ tab, name: title }) => tab && ('list' in tab ? tab.list : title) === name)?.name;

/** The query for the rows that a tab of a row lists. */
export const tabQuery = (resource: Resource, tab: { list: string; operation?: string }, params: Params): Query =>
  tab.operation
    ? { resource: resource.name, operation: tab.operation, params }
    : { resource: tab.list, operation: 'list', params };
