import { useMemo, useRef, useState } from 'react';
import { jsonLines } from '../../components/jsonLines.ts';
import { painted, type Span, textOfSpans } from '../../components/spans.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import { clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { copyText, type Size, useAppContext } from '../useStores.ts';
import { Page } from './Page.tsx';
import { Prompt } from './Prompt.tsx';
import type { PageLine, PagePart } from './usePage.ts';

interface TextPaneProps extends Size {
  lines: readonly (readonly Span[])[];
  /** The whole text for the copy key; without it there is none. */
  whole?: string | undefined;
  /** A sentence where there are no lines. */
  none?: string;
  /** It is a pane over the place, with a title. */
  pane?: { title: string; close: () => void; startsAtEnd: boolean };
}

const label = ' search: ';

/** A text that can be scrolled and searched. */
export function TextPane({ lines, whole, none, pane, ...size }: TextPaneProps) {
  const theme = useTheme();
  const context = useAppContext();
  const [query, setQuery] = useState('');
  const [searching, setSearching] = useState(false);
  const page = useRef<PagePart>(null);
  const wanted = query.toLowerCase();
  const hits = useMemo(
    () =>
      wanted ? lines.flatMap((line, index) => (textOfSpans(line).toLowerCase().includes(wanted) ? [index] : [])) : [],
    [lines, wanted],
  );
  const drawn = useMemo(() => {
    const isHit = new Set(hits);
    return lines.map(
      (line, index): PageLine => ({
        text: () =>
          isHit.has(index)
            ? theme.paint('mark', marksOf(theme).within + textOfSpans(line))
            : ` ${painted(theme, line)}`,
      }),
    );
  }, [lines, hits, theme]);
  /** Goes to the hit before or behind the third line, where the last one is. */
  const toHit = (find: (at: number) => number | undefined) => () => {
    const hit = page.current && find(page.current.top + 2);
    if (hit != null) page.current?.scrollTo(Math.max(0, hit - 2));
  };
  const next = toHit((at) => hits.find((hit) => hit > at) ?? hits[0]);
  const previous = toHit((at) => hits.findLast((hit) => hit < at) ?? hits.at(-1));
  const noMatch = query ? 'Nothing matches.' : `Nothing is searched for; ${keyLabel('text.search', '/')} does.`;
  const close = query ? () => setQuery('') : pane?.close;
  const keys = {
    search: () => setSearching(true),
    next: hits.length > 0 ? next : noMatch,
    previous: hits.length > 0 ? previous : noMatch,
    ...(whole && { copy: () => copyText(context, 'text', whole) }),
  };
  const count = hits.length === 1 ? ' 1 match' : ` ${hits.length} matches`;
  const typed = cut(clean(query), Math.max(1, size.width - widthOf(label) - widthOf(count)));
  const found = theme.paint('accent', label) + typed + theme.paint('dim', count);
  const head = searching ? (
    <Prompt
      label={label}
      value={query}
      change={(text) => setQuery(text.replace(/[\r\n\t]+/g, ' '))}
      width={size.width}
      accept={() => {
        setSearching(false);
        next();
      }}
      cancel={() => {
        setSearching(false);
        setQuery('');
      }}
    />
  ) : (
    found
  );
  const shown = { ...size, none, ref: page, lines: drawn, head: searching || query ? [head] : [] };
  if (!pane) return <Page {...shown} layer="text" keys={{ ...keys, ...(query && { clear: close }) }} />;
  return <Page {...shown} {...pane} layer="pane" keys={{ ...keys, close }} />;
}

/** A value as highlighted JSON that can be searched. */
export function JsonPane({ value, width, height }: Size & { value: unknown }) {
  const lines = useMemo(() => jsonLines(value, width - 2), [value, width]);
  return <TextPane lines={lines} width={width} height={height} />;
}
