import { Box, Text } from 'ink';
import { useMemo } from 'react';
import { Lines } from '../../components/Line.tsx';
import { type Theme, useTheme } from '../../components/theme.ts';
import { comparedExample, completionsOf } from '../../store/filter/completion.ts';
import { unitHint } from '../../store/filter/hints.ts';
import { cut } from '../../text/cells.ts';
import { PromptLine } from '../page/Prompt.tsx';
import { useView } from '../useStores.ts';
import { choiceLine, errorLines, filterHeight, filterLabel } from './filterLines.ts';
import type { ListRows } from './listRows.ts';
import { type FilteredList, type TypedFilter, useFilterKeys } from './useFilterKeys.ts';

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
  { text, choices, chosen, said }: TypedFilter,
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
