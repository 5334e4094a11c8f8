import { useMemo, useState } from 'react';
import { memoizeOne } from '../../resources/memoize.ts';
import type { CacheView, Resource, Row } from '../../resources/resource.ts';
import { type Completion, completionsOf } from '../../store/filter/completion.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeys } from '../keyboard.tsx';
import { useStores, useView } from '../useStores.ts';

/** The list that a filter is typed for. */
export interface FilteredList {
  resource: Resource;
  /** All that are loaded, filtered or not. */
  rows: readonly Row[];
  cacheView: CacheView;
}

/** A filter while it is typed. */
export interface TypedFilter {
  text: string;
  type: (text: string) => void;
  /** Ways to go on; undefined until they are asked for, and where what is typed leaves none. */
  choices: readonly Completion[] | undefined;
  /** The index of the chosen one. */
  chosen: number;
  /** Why the last key did nothing. */
  said: string;
}

const mistaken = () =>
  `A filter with a mistake is not taken; correct it, or ${keyLabel('filter.cancel', 'esc')} leaves it.`;

const none: readonly Completion[] = [];

/** The keys of a filter that is typed: its completions, which are only looked for by `tab`, and the earlier filters. */
export function useFilterKeys(viewKey: string, { resource, rows, cacheView }: FilteredList): TypedFilter {
  const { navigation } = useStores();
  const [{ filter: text }, setView] = useView(viewKey);
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState(0);
  const [said, setSaid] = useState('');
  // The place among the earlier filters, -1 before them, and what was typed there.
  const [past, setPast] = useState({ at: -1, typed: '' });
  // A key that looks for completions shows them, too; all rows are read for them once.
  const find = useMemo(
    () => memoizeOne((typed: string) => completionsOf(typed, rows, resource.columns, cacheView)),
    [rows, resource, cacheView],
  );
  const choices = isOpen ? find(text) : none;
  const chosen = Math.min(wanted, Math.max(0, choices.length - 1));

  function become(filter: string): void {
    setView({ filter });
    setWanted(0);
    setSaid('');
  }

  function complete(): void {
    const found = find(text);
    const [only] = found;
    if (only && found.length === 1) take(only);
    else if (only) setOpen(true);
    else setSaid('Nothing here begins like this.');
  }

  /** A field goes on with its values; a value ends it. */
  function take({ text: whole, count }: Completion): void {
    become(whole);
    setOpen(count === undefined && find(whole).length > 0);
  }

  function remember(by: 1 | -1): void {
    const typed = past.at < 0 ? text : past.typed;
    const earlier = (navigation.getState().filters[resource.name] ?? []).filter((filter) => filter !== typed);
    const at = past.at + by;
    const isThere = at < earlier.length && at >= -1;
    if (!isThere) {
      setSaid(`There is no ${by > 0 ? 'earlier' : 'later'} filter.`);
      return;
    }
    become(earlier[at] ?? typed);
    setPast({ at, typed });
  }

  const isUnderstood = () => 'matches' in parseFilter(text, resource.columns, cacheView);

  function close(filter: string): void {
    // A filter that is not understood would come back as useless as it was.
    if (isUnderstood()) navigation.keepFilter(resource.name, text);
    if (filter !== text) setView({ filter });
    navigation.close();
  }

  const step = (by: number) => () => setWanted((chosen + by + choices.length) % choices.length);
  const current = choices[chosen];
  const type = (filter: string) => {
    setPast({ at: -1, typed: '' });
    become(filter);
  };
  useKeys(
    'filter',
    {
      ...(current
        ? { take: () => take(current), next: step(1), previous: step(-1) }
        : {
            accept: () => (isUnderstood() ? close(text) : mistaken()),
            complete,
            earlier: () => remember(1),
            later: () => remember(-1),
          }),
      leave: isOpen ? () => setOpen(false) : undefined,
      cancel: () => close(''),
      clear: () => type(''),
    },
    {
      typing: true,
      commands: current ? ['left', 'right'] : undefined,
      onPaste: (pasted) => type(text + pasted.replace(/\s+/g, ' ')),
    },
  );
  return { text, type, choices: current && choices, chosen, said };
}
