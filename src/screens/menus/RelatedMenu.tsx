import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Theme, useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import {
  ancestorsOf,
  type Relative,
  type Relatives,
  relationsOf,
  type UnreadResource,
} from '../../resources/relations.ts';
import type { CacheView, Params, Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { sorted } from '../../store/sorting.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { capitalized } from '../../text/words.ts';
import { keptValues } from '../list/rowLines.ts';
import { placeOfArea, placeOfRow } from '../places.ts';
import { type OverlayProps, useStores } from '../useStores.ts';
import { Menu, type MenuItem } from './Menu.tsx';

/** `subject` is the resource of the row whose relations are shown. */
export interface RelatedContext {
  stores: Stores;
  theme: Theme;
  subject: Resource;
}

/** A key by side and resource, because a resource may be on both sides. */
export const groupKey = ({ side, resource }: Relatives): string => `${side} ${resource.name}`;

/** Names a row; by its id where it is not loaded. */
export const relativeName = (resource: Resource, { row, params }: Relative): string =>
  row ? resource.label(row) : (params[resource.param] ?? resource.one);

/** The rows in the order of their list, those that are not loaded last. */
export function inOrder({ resource, rows }: Relatives, view: CacheView): readonly Relative[] {
  const byRow = new Map(rows.flatMap((relative) => (relative.row ? [[relative.row, relative] as const] : [])));
  const order = sorted([...byRow.keys()], resource.sort, resource.columns, view);
  return [...order.flatMap((row) => byRow.get(row) ?? []), ...rows.filter(({ row }) => !row)];
}

const openerOf = ({ navigation }: Stores, resource: Resource, { params }: Relative) => {
  return () => navigation.go(placeOfRow(resource, params));
};

/**
 * A group of related rows and their number; a single row opens at once.
 * @param enter shows the rows of the group of this key
 */
function groupItem(group: Relatives, stores: Stores, enter: (key: string) => void): MenuItem {
  const { resource, rows, side } = group;
  const ordered = inOrder(group, stores.view);
  const [first] = ordered;
  const isOne = first && rows.length === 1;
  return {
    id: groupKey(group),
    group: side,
    label: isOne ? capitalized(resource.one) : `${resource.many} ${rows.length}`,
    detail: ordered
      .slice(0, 20)
      .map((relative) => relativeName(resource, relative))
      .join(', '),
    run: isOne ? openerOf(stores, resource, first) : () => enter(groupKey(group)),
  };
}

/**
 * The rows of a group, each with the text to search.
 * @param kind whether each names its resource
 */
function rowItems(
  group: Relatives,
  context: RelatedContext,
  kind: boolean,
): readonly { item: MenuItem; text: string }[] {
  const { resource } = group;
  return inOrder(group, context.stores.view).map((relative) => {
    const label = relativeName(resource, relative);
    const facts = factsOf(resource, relative, label, context);
    const detail = [...(kind ? [resource.one] : []), ...facts].join('  ');
    const id = `${groupKey(group)} ${JSON.stringify(relative.params)}`;
    return {
      item: { id, label, detail, isName: true, run: openerOf(context.stores, resource, relative) },
      text: `${label} ${detail} ${resource.many} ${relative.params[resource.param] ?? ''}`.toLowerCase(),
    };
  });
}

/** The parent of a row, and the columns that its list always shows. */
function factsOf(
  resource: Resource,
  { row, params }: Relative,
  label: string,
  { stores, theme, subject }: RelatedContext,
): readonly string[] {
  if (!row) return ['not loaded'];
  const [parent] = ancestorsOf(resource);
  const above = parent && parent !== subject && stores.view.row(parent.name, params[parent.param]);
  const { events } = stores.events.getState();
  const pen = { resource, columns: resource.columns, theme, cacheView: stores.view, events };
  const texts = keptValues(row, pen).map(({ text }) => text);
  return [above ? `of ${parent.label(above)}` : '', ...texts].filter((text) => text !== '' && text !== label);
}

/** A resource that is not fully loaded; choosing it loads the rest. */
function unreadItem(
  { resource, below, missing, of }: UnreadResource,
  { navigation }: Stores,
  subject: Resource,
  params: Params,
): MenuItem {
  const [parent] = ancestorsOf(resource);
  const tab = subject.tabs?.find((tab) => 'list' in tab && tab.list === resource.name)?.title.toLowerCase();
  const top = ancestorsOf(resource).at(-1) ?? resource;
  return {
    id: `unread ${resource.name}`,
    group: 'not loaded',
    label: resource.many,
    detail:
      parent && of !== undefined
        ? `${keyLabel('menu.choose', 'enter')} opens ${missing} of ${of} ${plural(parent)}`
        : `${keyLabel('menu.choose', 'enter')} opens ${below || top === resource ? 'them' : `the ${plural(top)}`}`,
    run: () => navigation.go(below ? { ...placeOfRow(subject, params), ...(tab && { tab }) } : placeOfArea(top)),
  };
}

/** Loaded rows that a row belongs to or that use it, by kind, then those of one kind. Typing searches all. */
export function RelatedMenu({ overlay, ...size }: OverlayProps<'related'>) {
  const stores = useStores();
  const theme = useTheme();
  const resource = resourceNamed(overlay.resource);
  const [query, setQuery] = useState('');
  const { row, groups, unread } = useAllRelations(resource, overlay.params);
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

/** The loaded relations of a row, the rows below it and events among them; reads nothing. */
function useAllRelations(resource: Resource, params: Params) {
  const stores = useStores();
  const cache = useStore(stores.cache);
  const events = useStore(stores.events);
  const row = cachedRow(stores.view, resource, params);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the events only these count
  return useMemo(
    () => ({ row, ...(row ? relationsOf(resource, row, params, stores.view) : { groups: [], unread: [] }) }),
    [resource, row, params, cache, events.events],
  );
}
