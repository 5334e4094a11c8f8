import { resourceCalled } from '../../resources/index.ts';
import { placeOf } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import type { ViewConfig } from '../../store/views/columns.ts';
import { openView, userView, viewOfPlace } from '../../store/views/userViews.ts';
import type { Thing } from './match.ts';

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
    { ...saveThing(stores, ''), names: ['save'] },
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

/** The command `save NAME` as it is typed; undefined for anything else. */
export function typedSaveThing(stores: Stores, typed: string): Thing | undefined {
  const [, name] = /^save\s+(\S.*)$/i.exec(typed) ?? [];
  return name === undefined ? undefined : saveThing(stores, name);
}

/** The command by which the list on the screen is saved; where there is none, it says so. */
function saveThing({ navigation }: Stores, name: string): Thing {
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
