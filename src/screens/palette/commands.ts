import { themeNames } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { ticketShortcutName } from '../../resources/ticketShortcut.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { reload } from '../../store/accounts/reload.ts';
import { type NavigationState, placeKey, placeOf, type Visit } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { capitalized } from '../../text/words.ts';
import { breadcrumbs } from '../Header.tsx';
import { keymap } from '../keymap.ts';
import type { Command, KeySubject } from '../keys/keyboard.ts';
import { placeOfArea } from '../places.ts';
import { areaId } from './areas.ts';
import type { Thing } from './match.ts';

/** Keys that only move, or whose commands the palette offers by better names: with the row, the area or the tab. */
const unnamed = new Set([
  ...['up', 'down', 'pageUp', 'pageDown', 'first', 'last', 'left', 'right', 'open', 'palette', 'readOnly', 'fleet'],
  ...['edit', 'remove', 'actions', 'create', 'nthTab', 'remedy'],
]);

/** The commands of this place, each with its key; what is a verb of the rows they are about is offered as that. */
export function commandThings(commands: readonly Command[], subjects: readonly KeySubject[]): readonly Thing[] {
  // A command is about the topmost rows: those of a tab, and not what the tab belongs to.
  const { view, shortcuts = [] } = subjects.find(({ targets }) => targets.length > 0)?.resource ?? {};
  // The JSON of a problem is not that of what it is about.
  const isOfProblem = commands.some(({ layer }) => layer === 'problems');
  const isVerb = (name: string) =>
    name === 'json'
      ? view && !isOfProblem
      : name === 'ticket' && shortcuts.some((one) => one.name === ticketShortcutName);
  const seen = new Set<string>();
  return commands.flatMap(({ layer, name, key, run }): readonly Thing[] => {
    const [first = ''] = key.keys;
    if (layer === 'views' || unnamed.has(name) || isVerb(name) || seen.has(first || name)) return [];
    seen.add(first || name);
    return [
      {
        id: `command ${layer} ${name}`,
        label: capitalized(key.help),
        names: [name],
        kind: 'command',
        detail: keymap[layer].title,
        ...(first !== '' && { key: first }),
        run,
      },
    ];
  });
}

/** The themes, each for the rest of this session. */
export function themeThings({ session, configuration, settings }: Stores): readonly Thing[] {
  const current = session.getState().theme ?? configuration.getState().theme ?? settings.theme;
  return themeNames.map((name) => ({
    id: `theme ${name}`,
    label: `Theme ${name}`,
    kind: 'theme',
    detail: name === current ? 'current' : 'for this session',
    refusal: settings.color ? undefined : 'colours are switched off',
    run: () => session.setState({ theme: name }),
  }));
}

/** Reads the configuration again; nothing where there is none, as with the demo. */
export function reloadThings(stores: Stores, accounts: Accounts | undefined): readonly Thing[] {
  if (!stores.reread) return [];
  const others = () => Object.values(accounts?.getState().opened ?? {}).filter((one) => one !== stores);
  return [
    {
      id: 'reload',
      label: 'Reload the configuration',
      names: ['reload'],
      kind: 'command',
      detail: 'keys, views, commands, rules, guards',
      run: () => void reload(stores, others()),
    },
  ];
}

/** The list of all accounts, and each of them where there are several. */
export function accountThings({ navigation }: Stores, accounts: Accounts | undefined): readonly Thing[] {
  if (!accounts) return [];
  const profiles = accounts.profiles();
  const { current, opened } = accounts.getState();
  const all: Thing = {
    id: areaId({ screen: 'accounts' }),
    label: 'Accounts',
    names: ['profiles', ...(profiles.length < 2 ? ['profile'] : [])],
    kind: 'area',
    detail: 'all profiles, a line each',
    run: () => navigation.go({ screen: 'accounts' }),
  };
  if (profiles.length < 2) return [all];
  const each = profiles.map(
    (profile): Thing => ({
      id: `profile ${profile}`,
      label: `Profile ${accounts.nameOf(profile)}`,
      kind: 'account',
      detail: profile === current ? 'on the screen' : profile in opened ? 'open' : 'another account',
      run: () => void accounts.show(profile),
    }),
  );
  return [all, ...each];
}

/** The places last seen, the one before this first. */
export function recentThings(stores: Stores): readonly Thing[] {
  const state = stores.navigation.getState();
  return state.visits.filter((visit) => !isHere(state, visit)).map((visit) => recentThing(stores, visit));
}

const isHere = (state: NavigationState, { place, filter }: Visit): boolean =>
  JSON.stringify(place) === JSON.stringify(placeOf(state)) &&
  filter === (state.listViews[placeKey(place)]?.filter ?? '');

function recentThing(stores: Stores, { place, filter }: Visit): Thing {
  const { navigation } = stores;
  const crumbs = breadcrumbs(stores, place);
  const resource = 'resource' in place ? resourceNamed(place.resource) : undefined;
  const tab =
    place.screen === 'detail' && place.tab !== (resource?.opensAt ?? 'overview').toLowerCase() ? place.tab : '';
  const isList = place.screen !== 'detail' || (resource && isSingle(resource));
  const isArea =
    filter === '' && tab === '' && isList && (!resource || placeKey(placeOfArea(resource)) === placeKey(place));
  return {
    id: isArea ? areaId(place) : `recent ${placeKey(place)} ${filter}`,
    label: crumbs.at(-1) ?? '',
    kind: isList ? 'area' : (resource?.one ?? ''),
    detail: [filter && `filter: ${filter}`, tab, isList ? resource?.area : crumbs.slice(0, -1).join(' › ')]
      .filter(Boolean)
      .join('  '),
    run: () => {
      if (isList && navigation.getState().listViews[placeKey(place)])
        navigation.setListView(placeKey(place), { filter });
      navigation.go(place);
    },
  };
}
