import { Box, Text } from 'ink';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import type { Resource } from '../../resources/resource.ts';
import type { View } from '../../store/navigation.ts';
import type { Collection } from '../../store/records.ts';
import { cut } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { useDeck, useView } from '../useDeck.ts';

interface TitleParts {
  resource: Resource;
  collection: Collection | undefined;
  /** The number of rows that the filter leaves. */
  shown: number;
  view: View;
  sort: string | undefined;
  /** Sums, by the titles of their columns. */
  totals?: readonly (readonly [title: string, text: string])[];
  /** The views that the list falls apart into, the shown one among them. */
  sections?: readonly ShownSection[];
  width: number;
}

/** One view of a list as its title shows it. */
export interface ShownSection {
  title: string;
  isShown: boolean;
  /** The number of its rows, where that is known. */
  count?: number;
}

/** The name of a list, how many there are, and how it is looked at: `Servers  3 of 42   sort: Label ↑   marked 2`. */
export function listTitle(
  theme: Theme,
  { resource, collection, shown, view, sort, totals = [], sections = [], width }: TitleParts,
): string {
  const { up, down } = marksOf(theme);
  const count = countText(collection, shown, view.filter !== '');
  const tabs = sections.map(({ title, isShown, count: all }) => {
    const held = isShown ? count : all === undefined ? '' : grouped(all);
    return { isShown, text: held === '' ? ` ${title} ` : ` ${title} ${held} ` };
  });
  const parts = [
    sections.length > 0 ? '' : count,
    sort ? `sort: ${sort.replace(/^-/, '')} ${sort.startsWith('-') ? down : up}` : '',
    ...(isRead(collection) ? totals.map(([title, text]) => `${title.toLowerCase()}: ${text}`) : []),
    view.marks.length > 0 ? `marked ${view.marks.length}` : '',
  ].filter(Boolean);
  const taken = tabs.reduce((sum, { text }) => sum + text.length, resource.many.length + (tabs.length > 0 ? 3 : 1));
  const rest = cut(`  ${parts.join('   ')}`, Math.max(0, width - taken));
  const tail = view.marks.length > 0 ? theme.paint('mark', rest) : theme.paint('dim', rest);
  const painted = tabs.map(({ text, isShown }) => theme.paint(isShown ? 'cursor' : 'dim', text)).join('');
  return ` ${theme.paint('title', resource.many)}${painted && `  ${painted}`}${tail}`;
}

/** Whether anything is known of a list: of what could not be read there is no sum. */
const isRead = (collection: Collection | undefined): boolean =>
  collection !== undefined && (collection.loadedAt !== undefined || collection.rows.length > 0);

function countText(collection: Collection | undefined, shown: number, filtered: boolean): string {
  if (!collection || !isRead(collection)) return '';
  const { rows, results, loading, more } = collection;
  const all = (loading || more !== undefined) && results !== undefined && rows.length < results ? results : undefined;
  if (all !== undefined) return `${grouped(shown)} of ${grouped(all)}${loading ? ' …' : ''}`;
  // A plus where nobody says how many more there are.
  const loaded = `${grouped(rows.length)}${more === undefined || results !== undefined ? '' : '+'}`;
  return filtered ? `${grouped(shown)} of ${loaded}` : loaded;
}

interface FilterLineProps {
  viewKey: string;
  resource: Resource;
  /** The filter is being typed. */
  editing: boolean;
  error: { error: string; position: number } | undefined;
  width: number;
}

const label = ' filter: ';

/** The filter of a list, typed or in force; what is wrong with it stands under the place. */
export function FilterLine({ viewKey, editing, error, width }: FilterLineProps) {
  const theme = useTheme();
  const [view] = useView(viewKey);
  return (
    <Box flexDirection="column" flexShrink={0} height={error ? 2 : 1}>
      <Box height={1}>
        <Text>{theme.paint('accent', label)}</Text>
        {editing ? <FilterInput viewKey={viewKey} width={width - label.length} /> : <Text>{view.filter}</Text>}
      </Box>
      {error ? (
        <Line text={theme.paint('bad', `${' '.repeat(label.length + error.position)}^ ${error.error}`)} />
      ) : null}
    </Box>
  );
}

function FilterInput({ viewKey, width }: { viewKey: string; width: number }) {
  const { navigation } = useDeck();
  const [view, setView] = useView(viewKey);
  const guard = useTextGuard();
  useKeys(
    'line',
    {
      accept: () => navigation.close(),
      cancel: () => {
        setView({ filter: '' });
        navigation.close();
      },
      clear: () => setView({ filter: '' }),
    },
    { typing: true, onPaste: (text) => setView({ filter: view.filter + text.replace(/\s+/g, ' ') }) },
  );
  const placeholder = 'words, field:value, !not, size>20, /regular expression/';
  return (
    <TextField
      value={view.filter}
      onChange={guard((filter) => setView({ filter }))}
      focus
      placeholder={placeholder}
      width={width}
    />
  );
}
