import { setImmediate as turn } from 'node:timers/promises';
import { paramsIn } from '../../resources/identity.ts';
import { resourceNamed, resources } from '../../resources/index.ts';
import type { Params } from '../../resources/resource.ts';
import type { Cache } from '../cache.ts';
import type { Notices } from '../notices.ts';
import type { Place } from '../place.ts';
import type { Query } from '../queries.ts';
import type { KeptChanges } from './keptChanges.ts';
import type { KeptList, KeptSource } from './keptRows.ts';

interface RestoringParts {
  source: KeptSource;
  cache: Pick<Cache, 'restore' | 'forgetKept'>;
  keptChanges: Pick<KeptChanges, 'compare' | 'forget'>;
  notices: Pick<Notices, 'add'>;
  /** The place of the first frame. */
  place: Place;
  /** Resolves when that is drawn; without it, none is waited for. */
  drawn?: Promise<void>;
}

/** Home counts the rows of all lists; longer ones are read after its first frame, as 10,000 rows take some 70 ms. */
const mostOnHome = 500;

const eventsName = resourceNamed('events').name;

/** Shows the kept lists: those of the place at once, the others after the first frame. Returns a function that ends this. */
export function restoreKept({ source, cache, keptChanges, notices, place, drawn }: RestoringParts): () => void {
  let isOver = false;
  const restore = (list: KeptList) => {
    cache.restore([list]);
    // Each event is a new one.
    if (list.query.resource !== eventsName) keptChanges.compare(list);
  };
  source.onLeftOut((text, isAll) => {
    if (isAll) {
      cache.forgetKept();
      keptChanges.forget();
    }
    notices.add({ tone: 'warn', text });
  });
  for (const query of queriesOf(place)) {
    const list = source.read(query, place.screen === 'home' ? mostOnHome : undefined);
    if (list) restore(list);
  }
  void (async () => {
    await (drawn ?? turn());
    if (isOver) return;
    for await (const list of source.rest()) {
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
    .map(({ name }) => ({ resource: name, operation: 'list', params: {} }));
}

/** The lists of a resource that lie under nothing but these parameters, of its sections and of its tabs. */
function listsIn(name: string, params: Params): readonly Query[] {
  const { list, sections = [], tabs = [], under } = resourceNamed(name);
  const query = (resource: string, operation: string, path: string | undefined): Query => ({
    resource,
    operation,
    params: paramsIn(path, params),
  });
  const own = list ? [query(name, 'list', list.path)] : [];
  const ofSections = sections.flatMap(({ operation }) =>
    operation === undefined ? [] : [query(name, operation, list?.path)],
  );
  const ofTabs = tabs.flatMap((tab) =>
    'list' in tab && tab.operation === undefined ? [query(tab.list, 'list', resourceNamed(tab.list).list?.path)] : [],
  );
  return [...own, ...ofSections, ...ofTabs, ...(under === undefined ? [] : listsIn(under, params))];
}
