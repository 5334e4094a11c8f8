import { themeNamed } from '../../../src/components/theme.ts';
import { idOf, paramsOf } from '../../../src/resources/identity.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Resource } from '../../../src/resources/resource.ts';
import { createListModel } from '../../../src/screens/list/listModel.ts';
import type { ListView } from '../../../src/store/navigation.ts';
import { listQuery, queryKey } from '../../../src/store/queries.ts';
import { drawn } from '../../draw.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { type Item, type Row, rowAt } from '../cloud/items.ts';
import { kinds } from '../cloud/kinds.ts';
import type { Desk } from '../desk.ts';
import { servedAt } from './costing.ts';
import { type Doing, thinking } from './doing.ts';
import { enterChosen } from './entering.ts';
import { readList } from './hands.ts';

/** A filter, and which rows it keeps. */
interface Kept {
  filter: string;
  keeps: (row: Row) => boolean;
}

const tagsOf = ({ tags }: Row): readonly string[] => (Array.isArray(tags) ? tags : []);
const all: Kept = { filter: '', keeps: () => true };
const filters: readonly Kept[] = [
  all,
  { filter: 'tags=prod', keeps: (row) => tagsOf(row).includes('prod') },
  { filter: '!tags=prod', keeps: (row) => !tagsOf(row).includes('prod') },
  { filter: 'tags:none', keeps: (row) => tagsOf(row).length === 0 },
];

const theme = themeNamed('mono', 'ascii', false);

/** The page of a list as the screen makes it, by whatever the list and its view are at that time. */
function pageOf({ stores }: Desk, resource: Resource) {
  const model = createListModel();
  const key = queryKey(listQuery(resource));
  return (listView: ListView) =>
    model({
      ...{ resource, theme, width: 120, height: 30, listView, isFiltering: false, isActedOn: true },
      ...{ cacheView: stores.view, events: stores.events.getState().events },
      collection: stores.cache.getState().collections[key] as never,
    });
}

/** Marks some rows of a list, has a filter or not, and tags the marked ones that are shown, while the list changes. */
export async function markAndTag(doing: Doing, desk: Desk): Promise<void> {
  const { world, random, deed } = doing;
  const { process } = desk;
  const resource = resourceNamed(drawn(random, ['volumes', 'volumes', 'servers', 'domains']));
  await readList(desk.stores, resource.name, {});
  const page = pageOf(desk, resource);
  const [first, then] = [drawn(random, filters), random() < 0.6 ? drawn(random, filters) : undefined];
  const shown = page({ marks: [], filter: first.filter }).rows;
  const marked = shown.filter(() => random() < 0.6).map((row) => idOf(resource, row));
  if (marked.length === 0) return;
  const kept = then ?? first;
  const view = { marks: marked, filter: kept.filter };
  page({ ...view, filter: first.filter });
  await thinking(doing, desk)();
  page(view);
  await readList(desk.stores, resource.name, {});
  const { rows, chosen, marked: counts } = page(view);
  const ids = chosen.map((row) => idOf(resource, row));
  world.say(process.name, `has marked ${resource.name} ${marked.join()} with "${first.filter}", then "${kept.filter}"`);
  const since = servedAt(doing, desk, kinds[resource.name]?.path ?? '') ?? 0;
  const states = (id: string) => statesSince(doing, id, since);
  const keeps = (row: Row | undefined) => row !== undefined && kept.keeps(row);
  const find = (says: string) =>
    world.leftOut.push({ rule: 'chosen', at: world.clock.now, says: `${process.name} ${says} (${kept.filter}).` });
  const left = marked.find((id) => !ids.includes(id) && states(id).every(keeps));
  if (left !== undefined) find(`has marked ${resource.name} ${left}, which is shown, and does nothing to it`);
  const hidden = rows.find((row) => !states(idOf(resource, row)).some(keeps));
  if (hidden) find(`is shown ${resource.name} ${idOf(resource, hidden)}, which the filter leaves out`);
  const unseen = ids.find((id) => !states(id).some(keeps));
  if (unseen !== undefined) find(`acts on ${resource.name} ${unseen}, which is not shown`);
  // Where none is marked any more it is the row under the cursor.
  const other = ids.find((id) => !marked.includes(id));
  if (other !== undefined && counts) find(`has not marked ${resource.name} ${other}, which is acted on`);
  if (counts === undefined || ids.length === 0) return;
  const tag = `deed${deed.number}`;
  const thought = { entries: { tags: [tag] }, add: [tag] };
  const of = { resource, action: actionOf(resource, 'tag'), params: {}, thought, form: {}, wishes: new Map() };
  await enterChosen(doing, desk, { ...of, targets: chosen.map((row) => paramsOf(resource, row, {})) }, 'send');
}

/** All that a row has been since then; the list tells one of these. */
function statesSince({ world, seat }: Doing, id: string, since: number): readonly (Row | undefined)[] {
  const item = world.cloudOf(seat).items.all.find((one: Item) => String(one.id) === id);
  if (!item) return [undefined];
  return [rowAt(item, since), ...item.versions.filter(({ at }) => at > since).map(({ row }) => row)];
}
