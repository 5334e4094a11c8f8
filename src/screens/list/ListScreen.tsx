import { Preview } from '../Preview.tsx';
import type { ListProps } from '../props.ts';
import { ListPane } from './ListPane.tsx';
import { useSections } from './useSections.ts';

/** The list of a resource, with the row under the cursor beside it if there is room. */
export function ListScreen({ resource, params, view, width, height }: ListProps) {
  const shown = useSections(resource, params, view);
  return (
    <ListPane
      key={shown.viewKey}
      {...shown}
      width={width}
      height={height}
      preview={(row, room, { operations, placed }) => (
        <Preview {...{ resource, row, params, height, placed }} width={room} reads={operations} />
      )}
    />
  );
}
