import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { plural } from '../../resources/wording.ts';
import { type Collection, queryKey } from '../../store/cache.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { grouped } from '../../text/numbers.ts';
import { counted, listed } from '../../text/words.ts';
import { useKeyboard } from '../keyboard.tsx';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { noQueries, type Size, useAppContext, useCollection, useQueries, useStores } from '../useStores.ts';
import { createFinder } from './find.ts';
import type { PaletteMatch, Verb } from './match.ts';
import { unreadLists } from './searched.ts';
import { listAsked } from './verbs.ts';

/** Goes to any area or loaded row and does anything that a key does, by a few letters of its name. */
export function Palette(size: Size) {
  const { stores, accounts } = useAppContext();
  const { ofPlace } = useKeyboard();
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const [finder] = useState(() => createFinder(stores, ofPlace(), accounts));
  /** The verb for which a row is chosen. */
  const [asking, setAsking] = useState<PaletteMatch['thing']>();
  const [asked, setAsked] = useState<string>();
  const isWaiting = useRef(false);
  const [isReady, setReady] = useState(false);
  // The rows are prepared between keys from the beginning; a finding that is whole already needs no other frame.
  useEffect(() => finder.warm(() => setReady(isWaiting.current)), [finder]);
  const search = useUnread();
  const verb = asking?.chooses;
  const list = useCollection(verb && listAsked(verb), 'row');
  // Each list that is read may hold what is looked for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists read are in the cache
  const finding = useMemo(
    () => (verb ? finder.rowsFor(verb, query) : finder.glance(query)),
    [finder, verb, query, search.done, isReady, list],
  );
  const { found, total, of, isLooking } = finding;
  isWaiting.current = isLooking;
  const isGood = typed === '' || verb !== undefined || isLooking || finder.isGood(finding);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is not read changes as lists are read
  const unread = useMemo(
    () => (isGood && search.state !== 'stopped' ? undefined : unreadLists(stores, typed)),
    [stores, typed, isGood, search.done, search.state],
  );
  const near = useMemo(() => (isGood ? [] : finder.nearest(query)), [finder, isGood, query]);
  // Once something is found, no more is read without being asked for.
  const { stop } = search;
  useEffect(() => {
    if (search.state === 'reading' && isGood) stop();
  }, [search.state, isGood, stop]);
  const canSearch = search.state !== 'reading' && unread !== undefined && unread.queries.length > 0;
  const lists = counted(unread?.queries.length ?? 0, 'list');
  const offer: MenuItem = {
    // Another id after each reading, so that the cursor goes to what was found.
    id: `search ${search.done}`,
    label:
      asked === typed
        ? `${keyLabel('menu.choose', 'enter')} once more reads ${lists} until one has it`
        : `Search ${lists} not loaded`,
    detail: listed(unread?.names ?? [], 6),
    isDim: true,
    // The word may be mistyped, and enter the end of typing.
    run: () => (asked === typed ? search.begin(typed) : setAsked(typed)),
  };
  const itemOf = ({ thing, match, matchedDetail }: PaletteMatch): MenuItem => {
    const { chooses, types = '' } = thing;
    const run = () => {
      if (chooses) setAsking(thing);
      if (chooses || types !== '') return setQuery(types);
      stores.navigation.close();
      thing.run();
    };
    return { ...thing, matched: match.at, matchedDetail, run };
  };
  const items = [...near, ...found].map(itemOf);
  const notFound = stores.api.readOnly ? `${notLoaded} ${readOnlyNote}` : notLoaded;
  const close = () => {
    if (search.state === 'reading') search.stop();
    else if (asking) setAsking(undefined);
    else stores.navigation.close();
  };
  return (
    <Menu
      key={asking?.id}
      title={asking?.label ?? 'Go to'}
      items={canSearch ? [...items, offer] : items}
      {...size}
      close={close}
      search={{ query, setQuery, placeholder: verb ? 'its name' : 'a place, a name, an address or what to do' }}
      settled={isLooking ? () => finder.find(query).found.map(itemOf) : undefined}
      count={isLooking ? 'looking …' : typed === '' ? undefined : `${grouped(total)} of ${grouped(of)} things`}
      note={
        search.state === 'reading'
          ? `Searching … ${grouped(search.done)} of ${counted(search.of, 'list')} read, at most 90 a minute; ${keyLabel('menu.close', 'esc')} stops.`
          : isGood || (total > 0 && near.length === 0)
            ? undefined
            : search.state === 'over'
              ? nothingText(search, of)
              : notFound
      }
      none={verb ? noneOf(verb, list, typed) : isLooking ? 'Looking through what is loaded …' : ' '}
    />
  );
}

/** Why there is no row to choose. */
function noneOf({ resource }: Verb, list: Collection | undefined, typed: string): string {
  if (list?.error) return list.error.message;
  if (list && list.triedAt === undefined) return `Reading the ${plural(resource)} …`;
  return typed === '' ? `There are no ${plural(resource)}.` : `None of the ${plural(resource)} is called that.`;
}

const notLoaded = 'Nothing loaded is called that.';
const readOnlyNote = 'Read-only: of changes, only what can be planned is offered.';

/** Says that all was searched, and what was not. */
function nothingText({ leftOut }: UnreadSearch, of: number): string {
  const rest = leftOut.length > 0 ? ` Not searched: ${listed(leftOut, 4)}; their own lists filter them.` : '';
  return `None of ${grouped(of)} things is called that.${rest}`;
}

/** A search in lists that were not read before. */
type UnreadSearch = ReturnType<typeof useUnread>;

/** Reads the lists that are not loaded, within the budget, and the lists below the rows that come with them. */
function useUnread() {
  const stores = useStores();
  const [state, setState] = useState<'not begun' | 'reading' | 'stopped' | 'over'>('not begun');
  const [queries, setQueries] = useState(noQueries);
  const [typed, setTyped] = useState('');
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  useQueries(state === 'reading' ? queries : noQueries, 'row');
  /** The lists read so far, and of how many. */
  const done = useStore(
    stores.cache,
    ({ collections }) => queries.filter((query) => collections[queryKey(query)]?.triedAt !== undefined).length,
  );
  const isDone = state === 'reading' && done === queries.length;
  useEffect(() => {
    if (!isDone) return;
    const further = unreadLists(stores, typed);
    setLeftOut(further.leftOut);
    if (further.queries.length > 0) setQueries((before) => [...before, ...further.queries]);
    else setState('over');
  }, [isDone, stores, typed]);
  const stop = useCallback(() => setState('stopped'), []);
  return {
    state,
    stop,
    done,
    of: queries.length,
    /** Lists of too many rows to be read for this. */
    leftOut,
    /** Begins to look for a text. */
    begin: (wanted: string) => {
      setTyped(wanted);
      setQueries(unreadLists(stores, wanted).queries);
      setState('reading');
    },
  };
}
