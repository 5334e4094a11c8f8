import { themeNames } from '../../components/theme.ts';
import { isSingle, resourceNamed } from '../../resources/index.ts';
import { ticketShortcutName } from '../../resources/shortcuts.ts';
import type { Accounts } from '../../store/accounts/accounts.ts';
import { reload } from '../../store/accounts/reload.ts';
import { type NavigationState, placeKey, placeOf, type Visit } from '../../store/navigation.ts';
import { openSteps } from '../../store/plans/plan.ts';
import { planReplacement, whyNotReplaced } from '../../store/plans/replaceTarget.ts';
import type { Reminded } from '../../store/problems/reminders.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { capitalized, counted, listed, uncapitalized, withoutStop } from '../../text/words.ts';
import { breadcrumbs } from '../Header.tsx';
import { keymap } from '../keymap.ts';
import type { Command, KeySubject } from '../keys/keyboard.ts';
import { placeOfArea } from '../places.ts';
import { areaId, areaThing, saveViewThing } from './areas.ts';
import type { Thing } from './match.ts';
import { paramsOfIndexed, type SearchIndex } from './rowIndex.ts';

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
  return commands.flatMap(({ layer, name, key, reason, run }): readonly Thing[] => {
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
        refusal: reason && uncapitalized(withoutStop(reason)),
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
export function accountThings(stores: Stores, accounts: Accounts | undefined): readonly Thing[] {
  if (!accounts) return [];
  const profiles = accounts.profiles();
  const { current, opened } = accounts.getState();
  const names = ['profiles', ...(profiles.length < 2 ? ['profile'] : [])];
  const told = { label: 'Accounts', names, detail: 'all profiles, a line each' };
  const all = areaThing(stores, { screen: 'accounts' }, told);
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
  const crumbs = breadcrumbs(stores.view, place).map(({ text }) => text);
  const resource = 'resource' in place ? resourceNamed(place.resource) : undefined;
  const tab =
    place.screen === 'detail' && place.tab !== (resource?.opensAt ?? 'overview').toLowerCase() ? place.tab : '';
  const isList = place.screen !== 'detail' || (resource && isSingle(resource));
  const nameOf = (id: string) => resource?.label(stores.view.row(resource.name, id) ?? { label: id }) ?? id;
  const isArea =
    filter === '' && tab === '' && isList && (!resource || placeKey(placeOfArea(resource)) === placeKey(place));
  return {
    id: isArea ? areaId(place) : `recent ${placeKey(place)} ${filter}`,
    label: place.screen === 'compare' ? `Compare ${listed(place.ids.map(nameOf))}` : (crumbs.at(-1) ?? ''),
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

const word = 'notify';

/** So many rows of a name are offered. */
const maxRows = 8;

/** `notify` for the rows or the problem under the cursor, `notify web-3` for loaded rows of that name. */
export function notifyThings(
  stores: Stores,
  subjects: readonly KeySubject[],
  index: SearchIndex,
  typed: string,
): readonly Thing[] {
  const [first = '', ...rest] = typed.split(' ');
  if (first.length < 3 || !word.startsWith(first)) return [];
  const name = rest.join(' ');
  const named = (): readonly Reminded[] =>
    index
      .search(name, maxRows)
      .found.map(({ thing }) => ({ resource: thing.resource, row: thing.row, params: paramsOfIndexed(thing) }));
  // A server comes before a record of its name, and what something can be told of before both.
  const rank = ({ refusal }: Thing, { resource }: Reminded) => (refusal === undefined ? 0 : resource.under ? 2 : 1);
  return (name === '' ? subjects.flatMap(remindedOf) : named())
    .map((about) => ({ about, thing: notifyThing(stores, about) }))
    .toSorted((one, other) => rank(one.thing, one.about) - rank(other.thing, other.about))
    .map(({ thing }) => thing);
}

const remindedOf = ({ resource, targets, params, problem }: KeySubject): readonly Reminded[] =>
  problem ? [{ resource, params, problem }] : targets.map((target) => ({ resource, ...target }));

function notifyThing({ reminders }: Stores, about: Reminded): Thing {
  const { resource, row, problem, params } = about;
  const isSet = reminders.isSet(about);
  const end = reminders.endOf(about);
  const label = problem ? problem.label : row ? resource.label(row) : resource.one;
  return {
    id: `notify ${resource.name} ${JSON.stringify(params)}`,
    label: isSet ? `Do not notify of ${label}` : `Notify of ${label}`,
    names: [word],
    kind: resource.one,
    detail: isSet ? 'it is set' : end,
    refusal: isSet || end !== undefined ? undefined : 'it has no job in progress and no known problem',
    run: () => reminders.toggle(about),
  };
}

/** The plan of this account. */
export const planThings = ({ navigation, notices, plans }: Stores): readonly Thing[] => {
  const count = openSteps(plans.getState()).length;
  const all = plans.getState().steps.length;
  const empty = () => {
    const why = plans.removeAll();
    const says = `The plan is empty; ${keyLabel('plan.restore', 'u')} in it brings ${counted(all, 'step')} back.`;
    notices.say(why === undefined ? 'plain' : 'bad', why ?? says);
  };
  return [
    {
      id: 'plan',
      label: 'Plan',
      names: ['plan'],
      kind: 'command',
      detail: count === 0 ? 'changes that are collected; ctrl-a in a form adds one' : counted(count, 'step'),
      run: () => navigation.open({ kind: 'plan' }),
    },
    {
      id: 'plan empty',
      label: 'Empty the plan',
      names: ['discard', 'drop plan'],
      kind: 'command',
      detail: `${counted(all, 'step')}; nothing is sent by it`,
      refusal: all === 0 ? 'the plan is empty' : undefined,
      run: empty,
    },
    {
      id: 'replace',
      label: 'Replace a target in the records of all domains',
      names: ['replace'],
      kind: 'command',
      explains: 'type it whole: replace 192.0.2.10 by 198.51.100.7',
      types: 'replace ',
      run: () => {},
    },
  ];
};

/** The commands `save NAME`, `plan save FILE`, `plan open FILE` and `replace TARGET by TARGET` as they are typed; undefined for anything else. */
export function typedThing(stores: Stores, typed: string): Thing | undefined {
  const [, from, to] = /^replace\s+(\S+)\s+(?:by|with)\s+(\S+)$/i.exec(typed.trim()) ?? [];
  if (from !== undefined && to !== undefined) return replaceThing(stores, from, to);
  const [, verb = '', name] = /^(save|plan\s+save|plan\s+open)\s+(\S.*)$/i.exec(typed) ?? [];
  if (name === undefined) return undefined;
  return (/^save/i.test(verb) ? saveViewThing : /save/i.test(verb) ? saveThing : openThing)(stores, name);
}

const replaceThing = (stores: Stores, from: string, to: string): Thing => ({
  id: 'replace target',
  label: `Replace ${from} by ${to} in the records of all domains`,
  kind: 'command',
  detail: 'plans it; nothing is sent by it',
  refusal: whyNotReplaced(from, to),
  run: () => void planReplacement(stores, from, to),
});

function saveThing(stores: Stores, path: string): Thing {
  const count = openSteps(stores.plans.getState()).length;
  return {
    id: 'plan save',
    label: `Save the plan as ${path}`,
    kind: 'command',
    detail: counted(count, 'step'),
    refusal: count === 0 ? 'the plan is empty' : undefined,
    run: () =>
      void import('../../store/plans/planFile.ts').then(({ savePlan }) => savePlan(stores, path, SKYDECK_VERSION)),
  };
}

function openThing(stores: Stores, path: string): Thing {
  const { navigation, plans } = stores;
  const count = openSteps(plans.getState()).length;
  const instead = count === 0 ? '' : ` in place of the ${counted(count, 'step')} of this one`;
  return {
    id: 'plan open',
    label: `Open the plan ${path}${instead}`,
    kind: 'command',
    detail: 'nothing is sent by it',
    run: () => {
      const isHere = navigation.here();
      void import('../../store/plans/planFile.ts').then(async ({ openPlan }) => {
        if ((await openPlan(stores, path)) && isHere()) navigation.open({ kind: 'plan' });
      });
    },
  };
}
