import { useMemo, useRef, useState } from 'react';
import { marksOf, useTheme } from '../../components/theme.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeysOfPlace, useKnownKeys, useLayers } from '../keyboard.tsx';
import { Page } from '../page/Page.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import type { PagePart } from '../page/usePage.ts';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';
import { helpLines, helpSections, matchingSections } from './helpLines.ts';
import { commandSections } from './userCommands.ts';

/** Every key, first those of the place, with the reasons of those that do nothing now; typing searches them. */
export function HelpPane(size: Size) {
  const theme = useTheme();
  const stores = useStores();
  const { navigation } = stores;
  const knownKeys = useKnownKeys();
  const place = useKeysOfPlace();
  const layers = useLayers();
  const [sections] = useState(() => {
    const [here, ...others] = helpSections(knownKeys(), layers);
    return [...(here ? [here] : []), ...commandSections(stores, place().subjects), ...others];
  });
  const [query, setQuery] = useState('');
  const page = useRef<PagePart>(null);
  const lines = useMemo(
    () => helpLines(theme, matchingSections(sections, query), size.width),
    [theme, sections, query, size.width],
  );
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
        clear: () => search(''),
        close: () => (query === '' ? navigation.close() : search('')),
      }}
      options={{
        typing: true,
        commands: query === '' ? ['?', '/'] : ['?'],
        onPaste: (text) => search(query + text.trim()),
      }}
    />
  );
}
