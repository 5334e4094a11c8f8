import { Box, Text } from 'ink';
import { useMemo, useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { isPrefix } from '../../resources/storage/objects.ts';
import { type Place, placeKey, tabKey } from '../../store/navigation.ts';
import { clean, cut } from '../../text/cells.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { ListPane } from '../list/ListPane.tsx';
import { useStores } from '../useStores.ts';

const delimiter = '/';

/** The prefix one level higher. */
const above = (prefix: string) => prefix.slice(0, prefix.lastIndexOf(delimiter, prefix.length - 2) + 1);

interface ObjectBrowserProps {
  /** The description of buckets. */
  resource: Resource;
  /** Those of the bucket; `prefix` is where one is, `flat` leaves out the levels. */
  params: Params;
  width: number;
  height: number;
}

/** The objects of a bucket, level by level or all in one list; read no further than they are looked at. */
export function ObjectBrowser({ resource, params, width, height }: ObjectBrowserProps) {
  const { navigation } = useStores();
  const theme = useTheme();
  const { prefix = '', flat } = params;
  const [asking, setAsking] = useState(false);
  const objects = useMemo(() => namedBelow(resourceNamed('objects'), prefix), [prefix]);
  const at = (change: Params): Place => ({
    screen: 'detail',
    resource: resource.name,
    params: Object.fromEntries(Object.entries({ ...params, ...change }).filter(([, value]) => value !== '')),
    tab: 'objects',
  });
  const go = (change: Params) => navigation.go(at(change));
  /** One level up is the way back where one came from there, so that esc does not lead down again. */
  const rise = () => {
    const place = at({ prefix: above(prefix) });
    const { trail, at: here } = navigation.getState();
    const before = trail[here - 1];
    if (before && before.screen === 'detail' && placeKey(before) === placeKey(place)) navigation.back();
    else navigation.go(place);
  };
  const { prefix: _, flat: __, ...bucket } = params;
  const listed: Params = { ...bucket, ...(prefix && { prefix }), ...(!flat && { delimiter }) };
  useKeys('objects', {
    above: prefix === '' ? undefined : rise,
    prefix: () => setAsking(true),
    flat: () => go({ flat: flat ? '' : 'yes' }),
  });
  return (
    <Box flexDirection="column" width={width} height={height}>
      {asking ? (
        <PrefixInput
          start={prefix}
          accept={(typed) => go({ prefix: typed })}
          close={() => setAsking(false)}
          width={width}
        />
      ) : (
        <Line text={placeLine(theme, params.bucket ?? '', prefix, Boolean(flat), width)} />
      )}
      <ListPane
        query={{ resource: objects.name, operation: 'list', params: listed }}
        resource={objects}
        width={width}
        height={height - 1}
        viewKey={tabKey(objects.name, resource.name, listed)}
        open={(row) => (isPrefix(row) ? () => go({ prefix: String(row.name) }) : undefined)}
      />
    </Box>
  );
}

/** The description of objects, their names without the levels that they all lie in. */
function namedBelow(objects: Resource, prefix: string): Resource {
  const level = prefix.lastIndexOf(delimiter) + 1;
  const columns = objects.columns.map((column) =>
    column.value === 'name'
      ? { ...column, value: ({ name }: { name?: unknown }) => String(name).slice(level) }
      : column,
  );
  return { ...objects, columns };
}

/** Where one is: the bucket and the levels below it. */
function placeLine(theme: Theme, bucket: string, prefix: string, flat: boolean, width: number): string {
  const says = [
    'p names that begin like …',
    flat ? 'f by level' : 'f all in one list',
    prefix === '' ? '' : 'backspace one level up',
  ];
  return ` ${theme.paint('accent', cut(clean(`${bucket}/${prefix}`), width - 1))}${theme.paint(
    'dim',
    cut(`   ${says.filter(Boolean).join('   ')}`, Math.max(0, width - bucket.length - prefix.length - 3)),
  )}`;
}

const label = ' begins with: ';

interface PrefixInputProps {
  start: string;
  accept: (prefix: string) => void;
  close: () => void;
  width: number;
}

/** Asks for what the names are to begin with, which the API looks up among any number of objects. */
function PrefixInput({ start, accept, close, width }: PrefixInputProps) {
  const theme = useTheme();
  const guard = useTextGuard();
  const [typed, setTyped] = useState(start);
  useKeys(
    'line',
    {
      accept: () => {
        close();
        accept(typed);
      },
      cancel: close,
      clear: () => setTyped(''),
    },
    { typing: true, onPaste: (text) => setTyped(typed + text.trim()) },
  );
  return (
    <Box height={1}>
      <Text>{theme.paint('accent', label)}</Text>
      <TextField
        value={typed}
        onChange={guard(setTyped)}
        focus
        placeholder="the beginning of a name, e.g. photos/2024/"
        width={width - label.length}
      />
    </Box>
  );
}
