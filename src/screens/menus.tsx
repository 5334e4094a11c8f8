import { useState } from 'react';
import { resourceNamed } from '../resources/index.ts';
import type { Overlay } from '../store/navigation.ts';
import { choicesFor } from './actions.ts';
import { copiesOf } from './copies.ts';
import { Menu, type MenuItem } from './Menu.tsx';
import { subjectsAt } from './subjects.ts';
import { useBridge, useDeck, useView } from './useDeck.ts';

interface PaneSize {
  width: number;
  height: number;
}

type Of<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;

/** What can be done to the chosen rows; what cannot be says why. */
export function ActionsMenu({ overlay, ...size }: PaneSize & { overlay: Of<'actions'> }) {
  const deck = useDeck();
  const resource = resourceNamed(overlay.resource);
  const subjects = subjectsAt(deck, resource, overlay.targets);
  const [first] = subjects;
  const items = choicesFor(deck, resource, subjects, first?.params ?? {}).map(
    ({ name, key, help, refusal, run }): MenuItem => ({
      id: name,
      label: help,
      hotkey: key,
      refusal,
      run: () => {
        deck.navigation.close();
        run();
      },
    }),
  );
  const what =
    subjects.length === 1 && first ? resource.label(first.row) : `${subjects.length} ${resource.many.toLowerCase()}`;
  return (
    <Menu
      title={`Actions on ${what}`}
      items={items}
      close={() => deck.navigation.close()}
      none="It is gone."
      {...size}
    />
  );
}

/** By which column a list is sorted; the present one again turns the order round. */
export function SortMenu({ overlay, ...size }: PaneSize & { overlay: Of<'sort'> }) {
  const { navigation } = useDeck();
  const resource = resourceNamed(overlay.resource);
  const [view, setView] = useView(overlay.viewKey);
  const [query, setQuery] = useState('');
  const sort = view.sort ?? resource.sort;
  const items = resource.columns
    .filter(({ title, lazy }) => !lazy && title.toLowerCase().includes(query.toLowerCase()))
    .map(({ title }): MenuItem => {
      const isSorted = sort === title;
      return {
        id: title,
        label: title,
        detail: isSorted ? 'sorted now; choose again for descending' : sort === `-${title}` ? 'descending now' : '',
        run: () => {
          setView({ sort: isSorted ? `-${title}` : title });
          navigation.close();
        },
      };
    });
  return (
    <Menu
      title="Sort by"
      items={items}
      close={() => navigation.close()}
      search={{ query, setQuery, placeholder: 'a column' }}
      {...size}
    />
  );
}

/** What of a row is worth copying. */
export function CopyMenu({ overlay, ...size }: PaneSize & { overlay: Of<'copy'> }) {
  const { deck, copy } = useBridge();
  const resource = resourceNamed(overlay.resource);
  const [subject] = subjectsAt(deck, resource, [overlay.params]);
  const [query, setQuery] = useState('');
  const items = (subject ? copiesOf(resource, subject.row, deck.known) : [])
    .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
    .map(
      ({ name, text }): MenuItem => ({
        id: name,
        label: name,
        detail: text,
        run: () => {
          deck.navigation.close();
          try {
            copy(text);
            deck.notices.say('good', `Copied the ${name}, as far as the terminal allows it.`);
          } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            deck.notices.say('bad', error.message);
          }
        },
      }),
    );
  return (
    <Menu
      title="Copy"
      items={items}
      close={() => deck.navigation.close()}
      search={{ query, setQuery, placeholder: 'what to copy' }}
      {...size}
    />
  );
}
