import { useEffect, useMemo, useRef, useState } from 'react';
import { keyLabel } from '../../text/keyLabel.ts';
import { grouped } from '../../text/numbers.ts';
import { counted, listed } from '../../text/words.ts';
import { useKeysOfPlace } from '../keyboard.tsx';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import type { Size } from '../props.ts';
import { useAppContext } from '../useStores.ts';
import { createFinder } from './find.ts';
import { unreadLists } from './searched.ts';
import type { PaletteMatch } from './thing.ts';
import { type UnreadSearch, useUnread } from './useUnread.ts';

/** Goes to any area or loaded row and does anything that a key does, by a few letters of its name. */
export function Palette({ width, height }: Size) {
  const { stores, accounts } = useAppContext();
  const keysOfPlace = useKeysOfPlace();
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const [finder] = useState(() => createFinder(stores, keysOfPlace(), accounts));
  const [asked, setAsked] = useState<string>();
  const isLooking = useRef(false);
  const [isReady, setReady] = useState(false);
  // A finding that is whole already needs no other frame.
  useEffect(() => finder.warm(() => setReady(isLooking.current)), [finder]);
  const search = useUnread();
  // Each list that is read may hold what is looked for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists read are in the cache
  const finding = useMemo(() => finder.glance(query), [finder, query, search.done, isReady]);
  isLooking.current = finding.isLooking;
  const { found, total, of } = finding;
  const isGood = typed === '' || finding.isLooking || finder.isGood(finding);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is not read changes as lists are read
  const unread = useMemo(
    () => (isGood && search.state !== 'stopped' ? undefined : unreadLists(stores, typed)),
    [stores, typed, isGood, search.done, search.state],
  );
  // Once something is found, no more is read without being asked for.
  const { stop } = search;
  useEffect(() => {
    if (search.state === 'reading' && isGood) stop();
  }, [search.state, isGood, stop]);
  const canSearch = search.state !== 'reading' && unread !== undefined && unread.queries.length > 0;
  const lists = unread?.queries.length ?? 0;
  // The word may be mistyped, and enter the end of typing.
  const isAsked = lists <= fewLists || asked === typed;
  const offer: MenuItem = {
    // Another id after each reading, so that the cursor goes to what was found.
    id: `search ${search.done}`,
    label:
      asked === typed
        ? `${keyLabel('menu.choose', 'enter')} once more reads ${counted(lists, 'list')}`
        : `Search ${counted(lists, 'list')} not loaded`,
    detail: listed(unread?.names ?? [], 6),
    run: () => (isAsked ? search.begin(typed) : setAsked(typed)),
  };
  const items = useMemo(() => found.map(itemOf), [found]);
  const notFound = finding.isLooking
    ? lookingThrough
    : stores.api.readOnly
      ? `${notLoaded} ${readOnlyNote}`
      : notLoaded;
  return (
    <Menu
      title="Go to"
      items={canSearch ? [...items, offer] : items}
      width={width}
      height={height}
      close={() => (search.state === 'reading' ? search.stop() : stores.navigation.close())}
      search={{ query, setQuery, placeholder: 'a place, a name, an address or what to do' }}
      settled={finding.isLooking ? () => finder.find(query).found.map(itemOf) : undefined}
      count={finding.isLooking ? lookingText : typed === '' ? undefined : `${grouped(total)} of ${grouped(of)} things`}
      note={search.state === 'reading' ? readingText(search) : canSearch && total === 0 ? notFound : undefined}
      none={search.state === 'reading' ? ' ' : search.state === 'over' ? nothingText(search, of) : notFound}
    />
  );
}

/** So many lists are read without asking once more. */
const fewLists = 20;

const lookingText = 'looking …';
const lookingThrough = 'Looking through what is loaded …';
const notLoaded = 'Nothing loaded is called that.';
const readOnlyNote = 'Read-only: of changes, only what can be planned is offered.';

const readingText = ({ done, of }: UnreadSearch): string =>
  `Searching … ${grouped(done)} of ${counted(of, 'list')} read, at most 90 a minute; ${keyLabel('menu.close', 'esc')} stops.`;

/** Says that all was searched, and what was not. */
function nothingText({ leftOut }: UnreadSearch, of: number): string {
  const rest = leftOut.length > 0 ? ` Not searched: ${listed(leftOut, 4)}; their own lists filter them.` : '';
  return `None of ${grouped(of)} things is called that.${rest}`;
}

function itemOf({ thing, match, matchedDetail }: PaletteMatch): MenuItem {
  return { ...thing, matched: match.at, matchedDetail };
}
