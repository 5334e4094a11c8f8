import { Box, Text } from 'ink';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useTheme } from '../../components/theme.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { useStores, useView } from '../useStores.ts';
import { errorLines, filterLabel } from './filterLines.ts';
import type { ListRows } from './listRows.ts';

interface FilterLineProps {
  viewKey: string;
  /** The filter is being typed. */
  editing: boolean;
  error: ListRows['error'];
  width: number;
}

/** The filter of a list; an error is marked below its position. Its height is `filterHeight`. */
export function FilterLine({ viewKey, editing, error, width }: FilterLineProps) {
  const theme = useTheme();
  const [view] = useView(viewKey);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box height={1}>
        <Text>{theme.paint('accent', filterLabel)}</Text>
        {editing ? <FilterInput viewKey={viewKey} width={width - filterLabel.length} /> : <Text>{view.filter}</Text>}
      </Box>
      {error
        ? errorLines(error, width).map((line, index) => <Line key={index} text={theme.paint('bad', line)} />)
        : null}
    </Box>
  );
}

function FilterInput({ viewKey, width }: { viewKey: string; width: number }) {
  const { navigation } = useStores();
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
  const placeholder = 'words, field:value, a|b, !not, size>20GiB, created<7d, /regular expression/';
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
