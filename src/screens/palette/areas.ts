import { creationsOf, isArea, isSingle, resourceCalled, resourceNamed, resources } from '../../resources/index.ts';
import { type CacheView, textsOf } from '../../resources/row.ts';
import { countedRows } from '../../resources/wording.ts';
import { type Place, placeKey, placeOf } from '../../store/navigation.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import type { ViewConfig } from '../../store/views/columns.ts';
import { openView, userView, viewOfPlace } from '../../store/views/userViews.ts';
import { filterText } from '../../text/words.ts';
import { startAction } from '../actions.ts';
import { isInUse } from '../choices.ts';
import { goToList, placeOfArea, placeOfRow } from '../places.ts';
import type { Thing } from './match.ts';

/** Names an area by its place, also among the places last seen. */
export const areaId = (place: Place): string => `area ${placeKey(place)}`;

/** An area, which is gone to. */
export const areaThing = (
  { navigation }: Pick<Stores, 'navigation'>,
  place: Place,
  more: Omit<Thing, 'id' | 'kind' | 'run'>,
): Thing => ({ id: areaId(place), kind: 'area', run: () => navigation.go(place), ...more });

/** Home, the fleet and every list that lies under no row. */
export function areaThings(stores: Pick<Stores, 'navigation' | 'view'>): readonly Thing[] {
  const areas = resources.filter((resource) => isArea(resource) || isSingle(resource) || resource.local);
  return [
    areaThing(stores, { screen: 'home' }, { label: 'Home', detail: 'problems, events and totals' }),
    areaThing(stores, { screen: 'fleet' }, { label: 'Fleet', detail: 'the load of all servers', key: 'F' }),
    ...areas.map((resource) =>
      areaThing(stores, placeOfArea(resource), {
        label: resource.many,
        names: [resource.name, ...(resource.aliases ?? [])],
        detail: resource.area,
        isHidden: !isInUse(stores, resource),
      }),
    ),
  ];
}

/** The parts of lists that have names of their own: sections, and filters. */
export const partThings = (stores: Pick<Stores, 'navigation'>): readonly Thing[] =>
  resources.flatMap((resource) => {
    const { name, many, area, sections = [], finds = [] } = resource;
    const part = (label: string, names: readonly string[], detail: string, view: Parameters<typeof goToList>[2]) => ({
      ...{ id: `part ${name} ${label}`, label, names, kind: 'area', detail },
      run: () => goToList(stores, resource, view),
    });
    return [
      ...sections.flatMap(({ title, aliases }) =>
        aliases ? part(`${many}: ${title}`, [title, ...aliases], area, { section: title }) : [],
      ),
      ...finds.map(({ title, aliases, filter }) => part(title, aliases, filter, { filter })),
    ];
  });

/** Everything that makes a row; in a read-only session what can be planned. */
export function creationThings(stores: Stores): readonly Thing[] {
  const { navigation, guards } = stores;
  return resources
    .filter(({ under }) => !under)
    .flatMap((resource) =>
      creationsOf(resource)
        .filter((action) => !readOnlyRefusal(stores, action))
        .map((action) => ({
          id: `create ${resource.name} ${action.name}`,
          label: action.help,
          names: (action === resource.create ? ['new', 'create', 'add'] : [action.name]).map(
            (verb) => `${verb}-${resource.one.replaceAll(' ', '-')}`,
          ),
          kind: 'create',
          detail: resource.area,
          isHidden: !isInUse(stores, resource),
          refusal: guards.refusal(resource, action, {}),
          run: () => {
            navigation.go({ screen: 'list', resource: resource.name, params: {} });
            startAction(stores, { resource, action, targets: [], params: {} });
          },
        })),
    );
}

const taggable = () => resources.filter(({ fields, under }) => fields.tags && !under);
const tags = resourceNamed('tags');

function countTags(view: CacheView): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const counts = new Map<string, Map<string, number>>(view.rows(tags.name).map((row) => [tags.label(row), new Map()]));
  for (const { name } of taggable())
    for (const row of view.rows(name))
      for (const tag of textsOf(row.tags)) {
        const of = counts.get(tag) ?? new Map<string, number>();
        of.set(name, (of.get(name) ?? 0) + 1);
        counts.set(tag, of);
      }
  return counts;
}

/** The page of each tag, and the lists of what has it. */
export function tagThings(stores: Stores): readonly Thing[] {
  const { navigation, view } = stores;
  return [...countTags(view)].flatMap(([tag, counts]) => {
    const filter = /^[\w.-]+$/.test(tag) ? `tag:${tag}` : `tag:${filterText(tag)}`;
    const lists = taggable()
      .filter(({ name }) => counts.has(name))
      .map((resource) => ({
        id: `tagged ${resource.name} ${tag}`,
        label: `${resource.many} tag:${tag}`,
        names: [`tag:${tag}`],
        kind: 'filter',
        detail: countedRows(resource, counts.get(resource.name) ?? 0),
        run: () => goToList(stores, resource, { filter }),
      }));
    const page = {
      id: `tag ${tag}`,
      label: tag,
      names: [`tag:${tag}`],
      kind: tags.one,
      detail: 'all that have it',
      run: () => navigation.go(placeOfRow(tags, { [tags.param]: tag })),
    };
    return [...lists, page];
  });
}

/** The user's own views; one that was left out says why. */
export function userViewThings(stores: Stores): readonly Thing[] {
  const { views, brokenViews = [] } = stores.configuration.getState();
  const thing = (name: string): Thing => ({
    id: `view ${name}`,
    label: name,
    names: [`view-${name}`, `views-${name}`],
    kind: 'view',
    run: () => openView(stores.navigation, userView(stores.configuration.getState().views, name)),
  });
  return [
    ...Object.entries(views).map(([name, view]) => ({ ...thing(name), detail: detailOf(view), key: view.key })),
    ...[...brokenViews].flatMap(([name, refusal]) =>
      name === '' || Object.hasOwn(views, name) ? [] : [{ ...thing(name), refusal }],
    ),
  ];
}

/** Saves the list on the screen as a view, and forgets views. */
export function viewCommandThings(stores: Stores): readonly Thing[] {
  const { navigation, configuration, savedViews } = stores;
  return [
    { ...saveViewThing(stores, ''), names: ['save'] },
    ...Object.entries(configuration.getState().views).map(
      ([name, view]): Thing => ({
        id: `forget ${name}`,
        label: `Forget view ${name}`,
        names: [`forget-${name}`],
        kind: 'command',
        detail: detailOf(view),
        run: () => {
          const before = navigation.getState().overlays;
          const says = 'It was this. c copies it; in the configuration it is back.';
          savedViews.forget(name).then(
            () => navigation.open({ kind: 'viewText', title: `Forgotten: ${name}`, name, view, says }, before),
            (error: Error) => stores.notices.say('bad', error.message),
          );
        },
      }),
    ),
  ];
}

/** The command by which the list on the screen is saved; where there is none, it says so. */
export function saveViewThing({ navigation }: Stores, name: string): Thing {
  const state = navigation.getState();
  return {
    id: 'save view',
    label: name === '' ? 'Save this list as a view' : `Save this list as the view ${name}`,
    kind: 'command',
    detail: 'its filter, order, section and columns',
    refusal: viewOfPlace(state, placeOf(state)) ? undefined : 'a view is a list: go to one first',
    run: () => navigation.open({ kind: 'saveView', name }),
  };
}

const detailOf = ({ area, section, filter, sort }: ViewConfig): string =>
  [resourceCalled(area)?.many ?? area, section, filter, sort && `sorted by ${sort}`].filter(Boolean).join('  ');
