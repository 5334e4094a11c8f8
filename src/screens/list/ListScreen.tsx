import type { Params, Resource } from '../../resources/resource.ts';
import { Card } from '../Card.tsx';
import { ListPane } from './ListPane.tsx';
import { useSections } from './useSections.ts';

interface ListScreenProps {
  resource: Resource;
  params: Params;
  width: number;
  height: number;
}

/** The list of a resource, with the row under the cursor beside it if there is room. */
export function ListScreen({ resource, params, width, height }: ListScreenProps) {
  const shown = useSections(resource, params);
  return (
    <ListPane
      key={shown.viewKey}
      {...shown}
      width={width}
      height={height}
      preview={(row, room, reads) => <Card resource={resource} row={row} width={room} height={height} reads={reads} />}
    />
  );
}
