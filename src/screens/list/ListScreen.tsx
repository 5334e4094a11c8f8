import type { Params, Resource } from '../../resources/resource.ts';
import { placeKey } from '../../store/navigation.ts';
import { Card } from '../Card.tsx';
import { ListPane } from './ListPane.tsx';

interface ListScreenProps {
  resource: Resource;
  params: Params;
  width: number;
  height: number;
}

/** The list of a resource over the whole screen, with the row under the cursor beside it where there is room. */
export function ListScreen({ resource, params, width, height }: ListScreenProps) {
  return (
    <ListPane
      question={{ resource: resource.name, operation: 'list', params }}
      resource={resource}
      width={width}
      height={height}
      viewKey={placeKey({ screen: 'list', resource: resource.name, params })}
      preview={(row, room) => <Card resource={resource} row={row} width={room} height={height} />}
    />
  );
}
