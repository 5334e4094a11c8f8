import { Box, Text } from 'ink';
import { useMemo, useState } from 'react';
import { jsonLines } from '../components/jsonLines.ts';
import { Line } from '../components/Line.tsx';
import { painted } from '../components/spans.ts';
import { TextField } from '../components/TextField.tsx';
import { marksOf, useTheme } from '../components/theme.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { useKeys, useTextGuard } from './keyboard.tsx';
import { copyText } from './menus/copies.ts';
import { Pane, placeIn } from './Pane.tsx';
import { moveHandlers } from './useScroll.ts';
import { useAppContext } from './useStores.ts';

/** One line of a text, as it is searched and as it is drawn. */
export interface TextLine {
  plain: string;
  shown: string;
}

interface TextPaneProps {
  lines: readonly TextLine[];
  /** The whole text for the copy key; without it there is none. */
  whole?: string;
  width: number;
  height: number;
  /** It is a pane over the place, with a title. */
  pane?: { title: string; close: () => void; startsAtEnd: boolean };
}

/** A text that can be scrolled and searched. */
export function TextPane({ lines, whole, width, height, pane }: TextPaneProps) {
  const theme = useTheme();
  const context = useAppContext();
  const [wantedTop, setWantedTop] = useState<number>();
  const [query, setQuery] = useState('');
  const [searching, setSearching] = useState(false);
  const body = Math.max(1, height - (pane ? 1 : 0) - (searching || query ? 1 : 0));
  const lowest = Math.max(0, lines.length - body);
  const end = Number.POSITIVE_INFINITY;
  const first = Math.min(wantedTop ?? (pane?.startsAtEnd ? end : 0), lowest);
  // The end of what grows stays in sight.
  const setTop = (line: number) => setWantedTop(pane && line >= lowest ? end : line);
  const wanted = query.toLowerCase();
  const hits = wanted ? lines.flatMap(({ plain }, index) => (plain.toLowerCase().includes(wanted) ? [index] : [])) : [];
  const toHit = (index: number | undefined) => index !== undefined && setTop(Math.max(0, index - 2));
  const next = () => toHit(hits.find((hit) => hit > first + 2) ?? hits[0]);
  const previous = () => toHit(hits.findLast((hit) => hit < first + 2) ?? hits.at(-1));
  const scroll = moveHandlers(first, lowest + 1, body, setTop);
  const noMatch = query ? 'Nothing matches.' : `Nothing is searched for; ${keyLabel('text.search', '/')} does.`;
  useKeys(pane ? 'pane' : 'text', {
    ...scroll,
    search: () => setSearching(true),
    next: hits.length > 0 ? next : noMatch,
    previous: hits.length > 0 ? previous : noMatch,
    ...(query && !pane && { clear: () => setQuery('') }),
    ...(pane && { close: query ? () => setQuery('') : pane.close }),
    ...(whole && { copy: () => copyText(context, 'text', whole) }),
  });
  const text = (
    <Box flexDirection="column" width={width} height={height - (pane ? 1 : 0)}>
      {searching || query ? (
        <Box height={1}>
          <Text>{theme.paint('accent', ' search: ')}</Text>
          {searching ? (
            <SearchInput query={query} setQuery={setQuery} close={() => setSearching(false)} found={next} />
          ) : (
            <Text>
              {query} {theme.paint('dim', hits.length === 1 ? '1 match' : `${hits.length} matches`)}
            </Text>
          )}
        </Box>
      ) : null}
      {lines.slice(first, first + body).map(({ plain, shown }, index) => {
        const isHit = wanted !== '' && plain.toLowerCase().includes(wanted);
        return <Line key={index} text={isHit ? theme.paint('mark', marksOf(theme).within + plain) : ` ${shown}`} />;
      })}
    </Box>
  );
  if (!pane) return text;
  return (
    <Pane title={pane.title} note={placeIn(theme, first, body, lines.length)} width={width} height={height}>
      {text}
    </Pane>
  );
}

interface SearchInputProps {
  query: string;
  setQuery: (query: string) => void;
  close: () => void;
  found: () => void;
}

function SearchInput({ query, setQuery, close, found }: SearchInputProps) {
  const guard = useTextGuard();
  useKeys(
    'line',
    {
      accept: () => {
        close();
        found();
      },
      cancel: () => {
        setQuery('');
        close();
      },
      clear: () => setQuery(''),
    },
    { typing: true, onPaste: (text) => setQuery(query + text.replace(/\s+/g, ' ')) },
  );
  return <TextField value={query} onChange={guard(setQuery)} focus width={60} />;
}

/** A value as highlighted JSON that can be searched. */
export function JsonPane({ value, width, height }: { value: unknown; width: number; height: number }) {
  const theme = useTheme();
  const lines = useMemo(
    () => jsonLines(value, width - 2).map(({ text, spans }) => ({ plain: text, shown: painted(theme, spans) })),
    [value, width, theme],
  );
  return <TextPane lines={lines} width={width} height={height} />;
}
