import { setImmediate as turn } from 'node:timers/promises';
import { resourceNamed, resources } from '../../resources/index.ts';
import type { Params } from '../../resources/resource.ts';
import type { Cache } from '../cache.ts';
import { listViewOf, type Navigation, type Place, placeKey, placeOf } from '../navigation.ts';
import type { Notices } from '../notices.ts';
import { eventsName, listQuery, type Query } from '../queries.ts';
import { rowIn } from '../rows.ts';
import type { KeptChanges } from './keptChanges.ts';
import type { KeptList, KeptSource } from './keptRows.ts';

interface RestoringParts {
  source: KeptSource;
  cache: Pick<Cache, 'restore' | 'forgetKept'>;
  keptChanges: Pick<KeptChanges, 'compare' | 'forget'>;
  notices: Pick<Notices, 'add'>;
  /** Tells the place of the first frame. */
  navigation: Pick<Navigation, 'getState'>;
  /** Resolves when that frame is drawn; without it, none is waited for. */
  drawn?: Promise<void>;
}

/** Longer lists are read after the first frame, as 10,000 rows take some 70 ms: Home counts the rows of all, others show their tops. */
export const mostAtOnce = 500;

/** Shows the kept lists: those of the place at once, the others after the first frame. Returns a function that ends this. */
export function restoreKept({ source, cache, keptChanges, notices, navigation, drawn }: RestoringParts): () => void {
  const place = placeOf(navigation.getState());
  let isOver = false;
  const restore = (list: KeptList) => {
    cache.restore([list]);
    // Each event is a new one.
    if (list.query.resource !== eventsName && !list.isTop) keptChanges.compare(list);
  };
  source.onLeftOut((text, isAll) => {
    if (isAll) {
      cache.forgetKept();
      keptChanges.forget();
    }
    notices.add({ tone: 'warn', text });
  });
  /** The top of the list of the place, where the cursor is there and no filter looks for rows elsewhere. */
  function topOf(query: Query): KeptList | undefined {
    if (place.screen !== 'list' || query.resource !== place.resource) return undefined;
    const resource = resourceNamed(place.resource);
    const { filter, sort = resource.sort, cursor } = listViewOf(navigation.getState(), placeKey(place));
    const top = filter === '' ? source.readTop(query, sort) : undefined;
    return top && (cursor === undefined || rowIn(resource, top.rows, cursor)) ? top : undefined;
  }
  for (const query of queriesOf(place)) {
    const list = topOf(query) ?? source.read(query, place.screen === 'home' ? mostAtOnce : undefined);
    if (list) restore(list);
  }
  void (async () => {
    await (drawn ?? turn());
    for await (const list of isOver ? [] : source.rest()) {
      if (isOver) return;
      restore(list);
    }
  })();
  return () => {
    isOver = true;
  };
}

/** The lists that the first frame of a place shows. */
function queriesOf(place: Place): readonly Query[] {
  if (place.screen === 'list' || place.screen === 'detail') return listsIn(place.resource, place.params);
  if (place.screen === 'compare') return listsIn(place.resource, {});
  return resources
    .filter(({ list, local, catalogue }) => list && !local && !catalogue && !list.path.includes('{'))
    .map((resource) => listQuery(resource));
}

/** The lists of a resource that lie under nothing but these parameters, of its sections and of its tabs. */
function listsIn(name: string, params: Params): readonly Query[] {
  const resource = resourceNamed(name);
  const { list, sections = [], tabs = [], under } = resource;
  const query = listQuery(resource, params);
  const ofSections = sections.flatMap(({ operation }) => (operation === undefined ? [] : [{ ...query, operation }]));
  const ofTabs = tabs.flatMap((tab) =>
    'list' in tab && tab.operation === undefined ? [listQuery(resourceNamed(tab.list), params)] : [],
  );
  return [...(list ? [query] : []), ...ofSections, ...ofTabs, ...(under === undefined ? [] : listsIn(under, params))];
}
