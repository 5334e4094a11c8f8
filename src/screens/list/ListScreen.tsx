import { useEffect, useMemo } from 'react';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { isAcross, listedAt } from '../../resources/relations.ts';
import type { Row } from '../../resources/resource.ts';
import { keepMade } from '../../store/madeRows.ts';
import { placeKey } from '../../store/navigation.ts';
import { shownKey } from '../../store/views/userViews.ts';
import { cut } from '../../text/cells.ts';
import { previewIn } from '../Preview.tsx';
import type { ListProps } from '../props.ts';
import { useStores } from '../useStores.ts';
import { ListPane, type ListPaneProps } from './ListPane.tsx';
import { useAcross } from './useAcross.ts';
import { useSections } from './useSections.ts';

/** The list of a resource; of one that lies under others, below one of these or over all. */
export function ListScreen({ resource, ...props }: ListProps) {
  const isOverAll = isAcross(resource, props.params);
  const List = isOverAll ? AcrossList : PlainList;
  return <List {...props} resource={listedAt(resource, props.params)} />;
}

/** The rows of a resource over all that it lies under. */
function AcrossList({ resource, params, view, width, height }: ListProps) {
  const shown = useSections(resource, params, view);
  const parents = useMemo(() => ({ resource: resource.under ?? '', operation: 'list', params }), [resource, params]);
  const across = useAcross(resourceNamed(resource.name), parents);
  const preview: ListPaneProps['preview'] = (row, room, page) =>
    previewIn(resource, page.tree.kindOf(row).params, height)(row, room, page);
  const size = { width, height };
  return <ListPane key={shown.viewKey} {...shown} query={parents} {...across} preview={preview} {...size} />;
}

/** The list of a resource, with the row under the cursor beside it if there is room. */
function PlainList({ resource, params, view, width, height }: ListProps) {
  const stores = useStores();
  const theme = useTheme();
  const shown = useSections(resource, params, view);
  const { made } = resource;
  useEffect(() => keepMade(stores, resource), [stores, resource]);

  /** Shows the rows that a row is the sum of. */
  function open(row: Row): (() => void) | undefined {
    const to = made?.opens(row);
    return (
      to &&
      (() => {
        const place = { screen: 'list' as const, resource: resource.name, params, view };
        const section = resource.sections?.find(({ title }) => title === to.section);
        stores.navigation.setListView(shownKey(place, resource, section), { filter: to.filter });
        stores.navigation.setListView(placeKey(place), { section: to.section });
      })
    );
  }

  return (
    <ListPane
      key={shown.viewKey}
      {...shown}
      width={width}
      height={height}
      open={open}
      below={made && (() => theme.paint('dim', cut(` ${made.foot(stores.view)}`, width)))}
      preview={made ? undefined : previewIn(resource, params, height)}
    />
  );
}
