import { Box, Text } from 'ink';
import { useMemo, useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, useTheme } from '../../components/theme.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeys, useKeysOfPlace, useKnownKeys, useLayers, useTextGuard } from '../keyboard.tsx';
import { Pane, placeIn } from '../Pane.tsx';
import { moveHandlers } from '../useScroll.ts';
import { useStores } from '../useStores.ts';
import { helpLines, helpSections, matchingSections } from './helpLines.ts';
import { commandSections } from './ownCommands.ts';

/** Every key, first those of the place, with the reasons of those that do nothing now; typing searches them. */
export function HelpPane({ width, height }: { width: number; height: number }) {
  const theme = useTheme();
  const stores = useStores();
  const { navigation } = stores;
  const knownKeys = useKnownKeys();
  const place = useKeysOfPlace();
  const layers = useLayers();
  const guard = useTextGuard();
  const [sections] = useState(() => {
    const [here, ...others] = helpSections(knownKeys(), layers);
    return [...(here ? [here] : []), ...commandSections(stores, place().subjects), ...others];
  });
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState(0);
  const lines = useMemo(
    () => helpLines(theme, matchingSections(sections, query), width),
    [theme, sections, query, width],
  );
  const body = Math.max(1, height - 2);
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wanted, lowest);
  const clears = keyLabel('help.close', 'esc');
  const search = (text: string) => {
    setQuery(text);
    setWanted(0);
  };
  useKeys(
    'help',
    {
      ...moveHandlers(top, lowest + 1, body, setWanted),
      search: () => 'Type a key, or a part of what it does.',
      clear: () => search(''),
      close: () => (query === '' ? navigation.close() : search('')),
    },
    {
      typing: true,
      commands: query === '' ? ['?', '/'] : ['?'],
      onPaste: (text) => search(query + text.trim()),
    },
  );
  return (
    <Pane title="Keys" note={placeIn(theme, top, body, lines.length)} width={width} height={height}>
      <Box height={1}>
        <Text>{theme.paint('accent', ` ${marksOf(theme).pointer} `)}</Text>
        <TextField
          value={query}
          onChange={guard(search)}
          focus
          placeholder="type to search keys and words"
          width={width - 4}
        />
      </Box>
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={line} />
      ))}
      {lines.length === 0 ? (
        <Line text={theme.paint('dim', `   No key has these words; ${clears} clears them.`)} />
      ) : null}
    </Pane>
  );
}
