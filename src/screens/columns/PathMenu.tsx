import { useMemo, useState } from 'react';
import { formatValue } from '../../components/format.ts';
import { useTheme } from '../../components/theme.ts';
import type { Resource } from '../../resources/resource.ts';
import { pathsOf } from '../../store/views/paths.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';

interface PathMenuProps extends Size {
  resource: Resource;
  choose: (path: string) => void;
  close: () => void;
}

/** A path of the rows for a column of its own, typed or found among those of the loaded rows. */
export function PathMenu({ resource, choose, close, ...size }: PathMenuProps) {
  const { view } = useStores();
  const { glyphs } = useTheme();
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const paths = useMemo(() => pathsOf(view.rows(resource.name)), [view, resource]);
  const wanted = typed.toLowerCase();
  const rankOf = ({ path }: { path: string }) => (path === typed ? 0 : path.toLowerCase().startsWith(wanted) ? 1 : 2);
  const items = paths
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(
      ({ path, sample }): MenuItem => ({
        id: path,
        label: path,
        detail: formatValue(sample, 'any', { now: 0, glyphs }).text,
        run: () => choose(path),
      }),
    );
  const isKnown = paths.some(({ path }) => path === typed);
  const other: MenuItem = {
    id: ' typed',
    label: typed,
    detail: 'none of the loaded rows has it',
    run: () => choose(typed),
  };
  return (
    <Menu
      title="Another path of the row"
      items={typed === '' || isKnown || /\s/.test(typed) ? items : [...items, other]}
      search={{ query, setQuery, placeholder: 'specs.gpus, ipv4.0, alerts.cpu' }}
      leave={(item) => item && setQuery(item.label)}
      close={close}
      {...size}
    />
  );
}
