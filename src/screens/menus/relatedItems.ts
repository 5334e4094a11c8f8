import type { Theme } from '../../components/theme.ts';
import { ancestorsOf, type Relative, type Relatives, type UnreadResource } from '../../resources/relations.ts';
import type { CacheView, Params, Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { sorted } from '../../store/sorting.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { capitalized } from '../../text/words.ts';
import { formatCell } from '../list/rowLines.ts';
import { placeOfArea, placeOfRow } from '../places.ts';
import type { MenuItem } from './Menu.tsx';

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
export function groupItem(group: Relatives, stores: Stores, enter: (key: string) => void): MenuItem {
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
export function rowItems(
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
      item: { id, label, detail, run: openerOf(context.stores, resource, relative) },
      text: `${label} ${detail} ${relative.params[resource.param] ?? ''}`.toLowerCase(),
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
  const pen = {
    resource,
    columns: resource.columns,
    theme,
    cacheView: stores.view,
    events: stores.events.getState().events,
  };
  const texts = resource.columns
    .filter(({ keep, fetches, format }) => keep === 1 && !fetches && format !== 'mark')
    .map((column) => formatCell(row, column, pen).text);
  return [above ? `of ${parent.label(above)}` : '', ...texts].filter((text) => text !== '' && text !== label);
}

/** A resource that is not fully loaded; choosing it loads the rest. */
export function unreadItem(
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
