import { Box, Text } from 'ink';
import { useMemo, useState } from 'react';
import { Lines } from '../../components/Line.tsx';
import { type Theme, useTheme } from '../../components/theme.ts';
import { memoizeOne } from '../../resources/memoize.ts';
import type { CacheView, Resource, Row } from '../../resources/resource.ts';
import { type Completion, comparedExample, completionsOf } from '../../store/filter/completion.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { unitHint } from '../../store/filter/hints.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { grouped } from '../../text/numbers.ts';
import { useKeys } from '../keyboard.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import { useStores, useView } from '../useStores.ts';
import { errorLines, filterHeight, filterLabel, type ListRows } from './listRows.ts';

/** The completions as one line: those around the chosen one, each with its count, and how many there are beyond. */
function choiceLine(theme: Theme, choices: readonly Completion[], chosen: number, width: number): string {
  const room = width - filterLabel.length - beyondWidth;
  const texts = choices.map(({ name, count }) => ({ name, count: count === undefined ? '' : ` ${grouped(count)}` }));
  const pages: number[][] = [[]];
  let used = 0;
  for (const [index, { name, count }] of texts.entries()) {
    const cells = widthOf(name) + count.length + gap.length;
    if (used > 0 && used + cells > room) {
      pages.push([]);
      used = 0;
    }
    pages.at(-1)?.push(index);
    used += cells;
  }
  const page = pages.find((indexes) => indexes.includes(chosen)) ?? [];
  const shown = page.flatMap((index) => {
    const text = texts[index];
    if (!text) return [];
    const name = cut(text.name, room);
    return [`${index === chosen ? theme.paint('cursor', name) : name}${theme.paint('dim', text.count)}`];
  });
  const beyond = choices.length - 1 - (page.at(-1) ?? 0);
  const more = beyond > 0 ? theme.paint('dim', `${gap}+${beyond}`) : '';
  return `${' '.repeat(filterLabel.length)}${shown.join(gap)}${more}`;
}

const gap = '   ';

/** Cells for the number of the choices beyond. */
const beyondWidth = 8;

interface FilterLineProps {
  viewKey: string;
  list: FilteredList;
  /** The filter is being typed. */
  editing: boolean;
  error: ListRows['error'];
  width: number;
}

/** The filter of a list; an error is marked below its position. Its height is `filterHeight`. */
export function FilterLine({ viewKey, editing, error, width, list }: FilterLineProps) {
  const theme = useTheme();
  const [{ filter }] = useView(viewKey);
  return (
    <Box flexDirection="column" flexShrink={0} height={filterHeight(filter, editing, error, width)}>
      {editing ? (
        <FilterInput viewKey={viewKey} list={list} error={error} width={width} />
      ) : (
        <>
          <Box height={1}>
            <Text>{theme.paint('accent', filterLabel)}</Text>
            <Text>{filter}</Text>
          </Box>
          <Lines of={paintedError(theme, error, width)} />
        </>
      )}
    </Box>
  );
}

function FilterInput({ viewKey, list, error, width }: Omit<FilterLineProps, 'editing'>) {
  const theme = useTheme();
  const typed = useFilterKeys(viewKey, list);
  const { resource, cacheView } = list;
  const [fields, example] = useMemo(() => {
    const compared = comparedExample(resource.columns, cacheView);
    const names = completionsOf('', [], resource.columns, cacheView).map(({ name }) => name);
    return [names, compared && `${compared}, `];
  }, [resource, cacheView]);
  return (
    <>
      <PromptLine
        label={filterLabel}
        value={typed.text}
        change={typed.type}
        placeholder={`words, field:value, a|b, !not, ${example}/regex/`}
        width={width}
      />
      <Lines of={linesBelow(theme, typed, list, fields, error, width)} />
    </>
  );
}

/** Below the filter: its completions, else why a key did nothing, else what is wrong with it or may be, else its fields. */
function linesBelow(
  theme: Theme,
  { text, choices, chosen, said }: ReturnType<typeof useFilterKeys>,
  { resource, cacheView }: FilteredList,
  fields: readonly string[],
  error: ListRows['error'],
  width: number,
): readonly string[] {
  const room = width - filterLabel.length - 1;
  const plain = (text: string) => `${' '.repeat(filterLabel.length)}${cut(text, room)}`;
  if (choices) return [choiceLine(theme, choices, chosen, width)];
  if (said !== '') return [theme.paint('warn', plain(said))];
  if (error) return paintedError(theme, error, width);
  const hint = unitHint(text, resource.columns, cacheView);
  if (hint) return [plain(hint)];
  return [theme.paint('dim', plain(fields.join('  ')))];
}

const paintedError = (theme: Theme, error: ListRows['error'], width: number): readonly string[] =>
  error ? errorLines(error, width).map((line) => theme.paint('bad', line)) : [];

interface FilteredList {
  resource: Resource;
  /** All that are loaded, filtered or not. */
  rows: readonly Row[];
  cacheView: CacheView;
}

const mistaken = () =>
  `A filter with a mistake is not taken; correct it, or ${keyLabel('filter.cancel', 'esc')} leaves it.`;

const none: readonly Completion[] = [];

/** The keys of a filter that is typed: its completions, which are only looked for by `tab`, and the earlier filters. */
function useFilterKeys(viewKey: string, { resource, rows, cacheView }: FilteredList) {
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
