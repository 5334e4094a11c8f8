import type { Row } from '../../resources/resource.ts';
import { collection } from '../engine/collection.ts';

const { find, handlers } = collection<Row>('events', {
  rows: (cloud) => cloud.log.rows(),
  filters: ['action', 'created', 'entity.id', 'entity.type', 'id'],
});

/** Events (document 1, 4.3 and 6). */
export const events = handlers({
  read: (call, cloud) => cloud.log.markRead(Number(find(call, cloud).id)),
  seen: (call, cloud) => cloud.log.markSeen(Number(find(call, cloud).id)),
});
