import { Box } from 'ink';
import { Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { CacheView, Resource } from '../../resources/resource.ts';
import { noneMatching, plural } from '../../resources/wording.ts';
import type { Collection } from '../../store/cache.ts';
import { hintFor, wordHint } from '../../store/filter/hints.ts';
import { changesNothing } from '../../store/session.ts';
import { wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { listed } from '../../text/words.ts';
import { againText } from '../freshness.ts';
import { type Size, useStores } from '../useStores.ts';
import type { FetchProgress } from './useFetches.ts';

interface EmptyStateProps extends Size {
  resource: Resource;
  collection: Collection | undefined;
  filter: string;
  isMistaken: boolean;
  /** Counts of the rows that the filter needs read. */
  progress?: readonly FetchProgress[];
  /** The shown section, if the list has several. */
  section?: string;
}

/** Says why a list is empty, and what to do about it. */
export function EmptyState(props: EmptyStateProps) {
  const theme = useTheme();
  const { api, view } = useStores();
  const lines = sentences(props, view, changesNothing(api)).flatMap((text, nth) =>
    wrapCells(text, props.width - 4).map((line) => (nth === 0 ? line : theme.paint('dim', line))),
  );
  return (
    <Box flexDirection="column" height={props.height} paddingTop={1} paddingLeft={3}>
      <Lines of={lines} />
    </Box>
  );
}

function sentences(
  { resource, collection, filter, isMistaken, progress = [], section }: EmptyStateProps,
  view: CacheView,
  readOnly: boolean,
): readonly string[] {
  if (isMistaken) return ['No row is shown before the filter is understood.'];
  // A list may have a title of its own.
  const whole = resourceNamed(resource.name);
  const many = plural(whole);
  const isUnread = collection?.loadedAt === undefined && !(collection?.keptAt !== undefined && filter !== '');
  if (!collection || (isUnread && !collection.error)) return [`Reading ${many} …`];
  if (collection.error && isUnread) return [collection.error.message, againText(collection.error)];
  if (filter !== '') {
    const unread = progress.find(({ read, failed, of }) => read + failed < of);
    const looked = collection.more === undefined ? unread?.read : collection.rows.length;
    if (looked !== undefined) return [`None of the ${looked} read so far matches; reading on …`];
    const hint = wordHint(filter, resource.columns, view, collection.rows) ?? hintFor(filter) ?? '';
    const way = `${keyLabel('list.filter', '/')} changes the filter; ${keyLabel('list.clear', 'esc')} clears it.`;
    const beside = (resource.reads ?? []).map(resourceNamed).filter(({ name, under }) => !under && !view.isRead(name));
    const unknown = `The ${listed(beside.map(plural))} are not read, so what they would tell is not known.`;
    const told = beside.length > 0 ? unknown : '';
    return [noneMatching(whole, filter), told, hint, way].filter(Boolean);
  }
  // The words of a section stand alone.
  if (section && resource.empty !== whole.empty) return [resource.empty ?? ''];
  const way = resource.create && !readOnly ? `${keyLabel('list.create', 'n')} makes the first ${resource.one}.` : '';
  return [`There are no ${many}${section ? ' here' : ''}.`, resource.empty ?? '', way];
}
