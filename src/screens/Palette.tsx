import { useMemo, useState } from 'react';
import { resources } from '../resources/index.ts';
import { at } from '../resources/resource.ts';
import type { Deck } from '../store/deck.ts';
import { placeOf } from '../store/navigation.ts';
import { paramsOf } from '../store/records.ts';
import { choicesFor } from './actions.ts';
import { Menu, type MenuItem } from './Menu.tsx';
import { subjectsAt } from './subjects.ts';
import { useDeck } from './useDeck.ts';

const most = 200;

/** Goes to anything: areas, actions on what is shown, and any loaded row by its label, id or address. */
export function Palette({ width, height }: { width: number; height: number }) {
  const deck = useDeck();
  const [query, setQuery] = useState('');
  const fixed = useMemo(() => [...areaItems(deck), ...actionItems(deck)], [deck]);
  const items = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const areas = fixed.filter((item) => words.every((word) => textOf(item).includes(word)));
    areas.sort((one, other) => rank(one, words) - rank(other, words));
    return words.length === 0 ? areas : [...areas, ...rowItems(deck, words, most - areas.length)].slice(0, most);
  }, [deck, fixed, query]);
  return (
    <Menu
      title="Go to"
      items={items}
      width={width}
      height={height}
      close={() => deck.navigation.close()}
      search={{ query, setQuery, placeholder: 'an area, an action, a label, an id or an address' }}
      none="Nothing loaded is called that."
    />
  );
}

const textOf = ({ label, detail, id }: MenuItem) => `${label} ${detail ?? ''} ${id}`.toLowerCase();

/** Those whose name begins with what is typed come first. */
const rank = ({ id, label }: MenuItem, [word = '']: readonly string[]) =>
  id.split(' ').includes(word) ? 0 : label.toLowerCase().startsWith(word) ? 1 : 2;

function areaItems({ navigation }: Deck): readonly MenuItem[] {
  const home: MenuItem = {
    id: 'home',
    label: 'Home',
    detail: 'what is happening',
    run: () => navigation.go({ screen: 'home' }),
  };
  const lists = resources.filter(({ list, under }) => list && !under);
  return [
    home,
    ...lists.map(
      ({ name, many, area, aliases = [] }): MenuItem => ({
        id: [name, ...aliases].join(' '),
        label: many,
        detail: area,
        run: () => navigation.go({ screen: 'list', resource: name, params: {} }),
      }),
    ),
  ];
}

/** What can be done where the user is: to the row shown, and what can be made. */
function actionItems(deck: Deck): readonly MenuItem[] {
  const { navigation, api } = deck;
  if (api.readOnly) return [];
  const place = placeOf(navigation.getState());
  const makes = resources.flatMap((resource): MenuItem[] => {
    const { create, under, name } = resource;
    if (!create || under) return [];
    const open = () => {
      navigation.go({ screen: 'list', resource: name, params: {} });
      navigation.open({ kind: 'form', resource: name, action: create.name, targets: [], params: {} });
    };
    return [{ id: `new ${resource.one}`, label: create.help, detail: 'make one', run: open }];
  });
  if (place.screen !== 'detail') return makes;
  const resource = resources.find(({ name }) => name === place.resource);
  const [subject] = resource ? subjectsAt(deck, resource, [place.params]) : [];
  if (!resource || !subject) return makes;
  const own = choicesFor(deck, resource, [subject], place.params).map(
    ({ name, help, refusal, run }): MenuItem => ({
      id: `${resource.name} ${name}`,
      label: help,
      detail: resource.label(subject.row),
      refusal,
      run: () => {
        navigation.close();
        run();
      },
    }),
  );
  return [...own, ...makes];
}

/** Loaded rows that have all these words in their label, id or addresses. */
function rowItems({ records, navigation }: Deck, words: readonly string[], limit: number): readonly MenuItem[] {
  const items = new Map<string, MenuItem>();
  for (const { resource: name, params, rows } of Object.values(records.getState().collections)) {
    const resource = resources.find((resource) => resource.name === name);
    if (!resource?.view || resource.about) continue;
    for (const row of rows) {
      if (items.size >= limit) return [...items.values()];
      const facts = [resource.label(row), row[resource.id], at(row, 'ipv4'), at(row, 'ipv6'), at(row, 'address')];
      const text = facts.flat().join(' ').toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      const own = paramsOf(resource, row, params);
      items.set(`${name} ${JSON.stringify(own)}`, {
        id: `${name} ${JSON.stringify(own)}`,
        label: resource.label(row),
        detail: [resource.one, ...facts.slice(1).flat()].filter(Boolean).join('  '),
        run: () => navigation.go({ screen: 'detail', resource: name, params: own, tab: 'overview' }),
      });
    }
  }
  return [...items.values()];
}
