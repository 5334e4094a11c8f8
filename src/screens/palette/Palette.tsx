import { useEffect, useMemo, useState } from 'react';
import { grouped } from '../../text/numbers.ts';
import { useKeysOfPlace } from '../keyboard.tsx';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { useStores } from '../useStores.ts';
import { createFinder } from './find.ts';
import type { Found } from './thing.ts';

/** Goes to any area or loaded row and does anything that a key does, by a few letters of its name. */
export function Palette({ width, height }: { width: number; height: number }) {
  const stores = useStores();
  const keysOfPlace = useKeysOfPlace();
  const [query, setQuery] = useState('');
  const [finder] = useState(() => createFinder(stores, keysOfPlace()));
  useEffect(() => finder.warm(), [finder]);
  const { found, total, of } = useMemo(() => finder.find(query), [finder, query]);
  const items = useMemo(() => found.map(itemOf), [found]);
  return (
    <Menu
      title="Go to"
      items={items}
      width={width}
      height={height}
      close={() => stores.navigation.close()}
      search={{ query, setQuery, placeholder: 'a place, a name, an address or what to do' }}
      count={query.trim() === '' ? undefined : `${grouped(total)} of ${grouped(of)} things`}
      none="Nothing loaded is called that."
    />
  );
}

function itemOf({ thing, match, matchedDetail }: Found): MenuItem {
  return { ...thing, matched: match.at, matchedDetail };
}
