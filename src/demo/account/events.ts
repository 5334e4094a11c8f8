import type { Row } from '../../resources/resource.ts';
import { answers } from '../engine/answer.ts';
import { collectionRoutes } from '../engine/collection.ts';

const { find, routes } = collectionRoutes<Row>({
  rows: (cloud) => cloud.log.rows(),
  id: 'eventId',
  filters: ['action', 'created', 'entity.id', 'entity.type', 'id'],
});

/** Events (document 1, 4.3 and 6). */
export const events = answers('events', {
  ...routes,
  read: (call, cloud) => {
    cloud.log.markRead(Number(find(call, cloud).id));
    return {};
  },
  seen: (call, cloud) => {
    cloud.log.markSeen(Number(find(call, cloud).id));
    return {};
  },
});
