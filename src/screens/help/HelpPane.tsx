import { useMemo, useRef, useState } from 'react';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { menuLetter } from '../../resources/asking.ts';
import { userActionsOf } from '../../resources/index.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeysOfPlace, useKnownKeys } from '../keyboard.tsx';
import type { KeySubject } from '../keys/keyboard.ts';
import { presetNames, useOwnKeymap } from '../keys/ownKeymap.ts';
import { Page } from '../page/Page.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import type { PagePart } from '../page/usePage.ts';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';
import { type HelpSection, helpLines, helpSections, matchingSections } from './helpLines.ts';

/** The keys of the place on one page, under the preset that is chosen here; typing searches all keys and tells why they do nothing. */
export function HelpPane(size: Size) {
  const theme = useTheme();
  const stores = useStores();
  const { navigation } = stores;
  const knownKeys = useKnownKeys();
  const place = useKeysOfPlace();
  const { layers, preset, isConfigured } = useOwnKeymap(stores);
  const [atPlace] = useState(() => ({
    known: knownKeys(),
    own: [commandSection(stores, place().subjects), lockSection(stores, theme)],
  }));
  const [query, setQuery] = useState('');
  const [isAll, setAll] = useState(false);
  const page = useRef<PagePart>(null);
  const lines = useMemo(() => {
    const [here, ...others] = helpSections(atPlace.known, layers);
    const sections = [...(here ? [here] : []), ...atPlace.own, ...others];
    return helpLines(theme, matchingSections(sections, query), size.width, query === '' && !isAll);
  }, [theme, atPlace, layers, query, isAll, size.width]);
  const step = (by: number) => () => {
    if (isConfigured) return `The configuration says preset = "${preset}"; it is changed there.`;
    const at = presetNames.indexOf(preset) + by + presetNames.length;
    navigation.setState({ preset: presetNames[at % presetNames.length] });
    return undefined;
  };
  const search = (text: string) => {
    setQuery(text);
    page.current?.scrollTo(0);
  };
  return (
    <Page
      {...size}
      ref={page}
      layer="help"
      title="Keys"
      count={`preset ${presetNames.map((name) => (name === preset ? `[${name}]` : name)).join(' ')}`}
      head={[
        <PromptLine
          key="search"
          label={` ${marksOf(theme).pointer} `}
          value={query}
          change={search}
          placeholder="type to search keys and words"
          width={size.width - 1}
        />,
      ]}
      lines={lines}
      none={`No key has these words; ${keyLabel('help.close', 'esc')} clears them.`}
      keys={{
        search: () => 'Type a key, or a part of what it does.',
        all: () => setAll(!isAll),
        nextPreset: step(1),
        previousPreset: step(-1),
        clear: () => search(''),
        close: () => (query === '' ? navigation.close() : search('')),
      }}
      options={{
        typing: true,
        commands: query === '' ? ['?', '/', 'left', 'right'] : ['?'],
        onPaste: (text) => search(query + text.trim()),
      }}
    />
  );
}

/** The meaning of the lock; without entries where no guard denies anything. */
function lockSection({ configuration }: Pick<Stores, 'configuration'>, theme: Theme): HelpSection {
  const entry = { keys: [marksOf(theme).lock], help: 'a guard keeps it as it is' };
  return { title: 'Before a row', entries: configuration.getState().guards.some(({ deny }) => deny) ? [entry] : [] };
}

/** The user's own commands for the rows of a place, with their keys; without entries where there are none. */
function commandSection(stores: Pick<Stores, 'api' | 'session'>, subjects: readonly KeySubject[]): HelpSection {
  const menu = keyLabel('list.actions', 'a');
  const entries = [...new Set(subjects.map(({ resource }) => resource))].flatMap((resource) =>
    userActionsOf(resource)
      .filter((action) => !readOnlyRefusal(stores, action))
      .map(({ key, help }) => ({ keys: [key === '' ? menu : `${menu} ${menuLetter(key)}`], help })),
  );
  return { title: 'Your commands', entries };
}
