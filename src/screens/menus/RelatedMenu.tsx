import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { relationsOf } from '../../resources/relations.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { cachedRow } from '../../store/changes/change.ts';
import type { OverlayProps } from '../props.ts';
import { useStores } from '../useStores.ts';
import { Menu } from './Menu.tsx';
import { groupItem, groupKey, type RelatedContext, rowItems, unreadItem } from './relatedItems.ts';

/** Loaded rows that a row belongs to or that use it, by kind, then those of one kind. Typing searches all. */
export function RelatedMenu({ overlay, ...size }: OverlayProps<'related'>) {
  const stores = useStores();
  const theme = useTheme();
  const resource = resourceNamed(overlay.resource);
  const [query, setQuery] = useState('');
  const { row, groups, unread } = useRelations(resource, overlay.params);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = useMemo(
    () => groups.filter((group) => overlay.group === undefined || groupKey(group) === overlay.group),
    [groups, overlay.group],
  );
  const isFlat = overlay.group !== undefined || words.length > 0;
  const rows = useMemo(() => {
    const context: RelatedContext = { stores, theme, subject: resource };
    return isFlat ? shown.flatMap((group) => rowItems(group, context, overlay.group === undefined)) : [];
  }, [stores, theme, resource, shown, isFlat, overlay.group]);
  const matching = rows.filter(({ text }) => words.every((word) => text.includes(word))).map(({ item }) => item);
  const items = isFlat
    ? matching
    : [
        ...groups.map((group) => groupItem(group, stores, (key) => stores.navigation.open({ ...overlay, group: key }))),
        ...unread.map((one) => unreadItem(one, stores, resource, overlay.params)),
      ];
  const name = row ? resource.label(row) : resource.one;
  const within = overlay.group === undefined ? undefined : shown[0]?.resource.many;
  return (
    <Menu
      title={[`Related to ${name}`, within].filter(Boolean).join(': ')}
      items={items}
      close={() => stores.navigation.close()}
      search={{ query, setQuery, placeholder: 'type to search all of them' }}
      note={row && groups.length === 0 ? `Nothing loaded is related to ${name}.` : undefined}
      none={row ? undefined : `This ${resource.one} is not loaded; open it first.`}
      {...size}
    />
  );
}

/** The loaded relations of a row; reads nothing. */
function useRelations(resource: Resource, params: Params) {
  const stores = useStores();
  const cache = useStore(stores.cache);
  const events = useStore(stores.events);
  const row = cachedRow(stores, resource, params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the events only these count
  return useMemo(
    () => ({ row, ...(row ? relationsOf(resource, row, params, stores.view) : { groups: [], unread: [] }) }),
    [resource, row, params, cache, events.events],
  );
}
