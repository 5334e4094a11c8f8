import { useMemo, useState } from 'react';
import { paramsFrom } from '../../resources/identity.ts';
import { creationsOf, isSingle, resourceCalled, resources } from '../../resources/index.ts';
import { addressesOf, canonicalAddress, isIpv6 } from '../../resources/ipAddress.ts';
import { at } from '../../resources/resource.ts';
import { paramsOf } from '../../store/cache.ts';
import { targetsAt } from '../../store/changes/change.ts';
import { placeOf } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { choicesFor, startAction } from '../actions.ts';
import { placeOfArea, placeOfRow } from '../places.ts';
import { useStores } from '../useStores.ts';
import { Menu, type MenuItem } from './Menu.tsx';

const maxItems = 200;

/** Goes to any area, action or loaded row, by its label, id or address. */
export function Palette({ width, height }: { width: number; height: number }) {
  const stores = useStores();
  const [query, setQuery] = useState('');
  const fixed = useMemo(() => [...areaItems(stores), ...actionItems(stores)], [stores]);
  const items = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const areas = fixed.filter((item) => words.every((word) => searchText(item).includes(word)));
    areas.sort((one, other) => rank(one, words.join(' ')) - rank(other, words.join(' ')));
    if (words.length === 0) return areas;
    const rows = rowItems(stores, words, maxItems - areas.length);
    const named = namedItems(stores, query.trim());
    const unlisted = named.length > 0 ? [] : unlistedItems(stores, query.trim());
    return [...named, ...areas, ...rows, ...unlisted].slice(0, maxItems);
  }, [stores, fixed, query]);
  return (
    <Menu
      title="Go to"
      items={items}
      width={width}
      height={height}
      close={() => stores.navigation.close()}
      search={{ query, setQuery, placeholder: 'an area, an action, a label, an id or an address' }}
      none="Nothing loaded matches."
    />
  );
}

const searchText = ({ label, detail, id }: MenuItem) => `${label} ${detail ?? ''} ${id}`.toLowerCase();

/** Exact names first, then names that begin with the typed text, then names that contain it. */
function rank({ id, label }: MenuItem, typed: string): number {
  const name = label.toLowerCase();
  if (name === typed || id.split(' ').includes(typed.replaceAll(' ', '-'))) return 0;
  return name.startsWith(typed) ? 1 : name.includes(typed) ? 2 : 3;
}

function areaItems({ navigation }: Stores): readonly MenuItem[] {
  const home: MenuItem = {
    id: 'home',
    label: 'Home',
    detail: 'problems, events and totals',
    run: () => navigation.go({ screen: 'home' }),
  };
  const fleet: MenuItem = {
    id: 'fleet',
    label: 'Fleet',
    detail: 'the load of all servers',
    run: () => navigation.go({ screen: 'fleet' }),
  };
  const areas = resources.filter(
    (resource) => (resource.list && !resource.under) || isSingle(resource) || resource.local,
  );
  return [
    home,
    fleet,
    ...areas.map((resource): MenuItem => {
      const { name, many, area, aliases = [] } = resource;
      return {
        id: [name, ...aliases].join(' '),
        label: many,
        detail: area,
        run: () => navigation.go(placeOfArea(resource)),
      };
    }),
  ];
}

/** Actions on the row shown, and all that create a row. */
function actionItems(stores: Stores): readonly MenuItem[] {
  const { navigation, api } = stores;
  if (api.readOnly) return [];
  const place = placeOf(navigation.getState());
  const creations = resources.flatMap((resource): MenuItem[] => {
    const { under, name } = resource;
    if (under) return [];
    return creationsOf(resource).map((action) => ({
      id: `${action === resource.create ? 'new' : action.name} ${resource.one}`.replaceAll(' ', '-'),
      label: action.help,
      detail: 'create',
      run: () => {
        navigation.go({ screen: 'list', resource: name, params: {} });
        startAction(stores, resource, action, [], {});
      },
    }));
  });
  if (place.screen !== 'detail') return creations;
  const resource = resources.find(({ name }) => name === place.resource);
  const [target] = resource ? targetsAt(stores, resource, [place.params]) : [];
  if (!resource || !target) return creations;
  const own = choicesFor(stores, resource, [target], place.params).map(
    ({ name, help, refusal, run }): MenuItem => ({
      id: `${resource.name} ${name}`,
      label: help,
      detail: resource.label(target.row),
      refusal,
      run: () => {
        navigation.close();
        run();
      },
    }),
  );
  return [...own, ...creations];
}

/** Loaded rows that have all these words in their label, id or addresses. */
function rowItems({ cache, navigation }: Stores, words: readonly string[], limit: number): readonly MenuItem[] {
  const items = new Map<string, MenuItem>();
  // An address is found in any notation.
  const wanted = words.map((word) => (isIpv6(word.replace(/\/\d+$/, '')) ? canonicalAddress(word) : word));
  const hasAddress = wanted.some((word) => isIpv6(word));
  for (const { resource: name, query, rows } of Object.values(cache.getState().collections)) {
    const resource = resources.find((resource) => resource.name === name);
    if (!resource?.view || (resource.about && !resource.entity)) continue;
    for (const row of rows) {
      if (items.size >= limit) return [...items.values()];
      const facts = [resource.label(row), row[resource.id], at(row, 'ipv4'), at(row, 'ipv6'), at(row, 'address')];
      const text = [...facts, ...(hasAddress ? addressesOf(row) : [])].flat().join(' ').toLowerCase();
      if (!wanted.every((word) => text.includes(word))) continue;
      const own = paramsOf(resource, row, query.params);
      items.set(`${name} ${JSON.stringify(own)}`, {
        id: `${name} ${JSON.stringify(own)}`,
        label: resource.label(row),
        detail: [resource.one, ...facts.slice(1).flat()].filter(Boolean).join('  '),
        run: () => navigation.go(placeOfRow(resource, own)),
      });
    }
  }
  return [...items.values()];
}

/** The row that `servers/123` names, as on the command line. */
function namedItems({ navigation, view }: Stores, typed: string): readonly MenuItem[] {
  const [, word = '', id = ''] = /^([^/]+)\/(\S+)$/.exec(typed) ?? [];
  const resource = resourceCalled(word);
  if (!resource?.view || resource.under || isSingle(resource)) return [];
  const row = view.row(resource.name, id);
  const run = () => navigation.go(placeOfRow(resource, paramsFrom(resource, id)));
  const key = `${resource.name} named ${id}`;
  if (row) return [{ id: key, label: resource.label(row), detail: `${resource.one}  ${id}`, run }];
  return [{ id: key, label: `Open ${resource.one} ${id}`, run }];
}

/** Rows of no loaded list, by the typed id. */
function unlistedItems({ navigation, view }: Stores, id: string): readonly MenuItem[] {
  return resources
    .filter((resource) => resource.ids?.test(id) && !view.row(resource.name, id))
    .map((resource) => ({
      id: `${resource.name} typed ${id}`,
      label: `Open ${resource.one} ${id}`,
      run: () => navigation.go(placeOfRow(resource, paramsFrom(resource, id))),
    }));
}
