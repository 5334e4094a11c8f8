import type { Row } from '../../resources/resource.ts';
import { collection } from '../engine/collection.ts';

const { handlers } = collection<Row>('events', {
  rows: (cloud) => cloud.log.rows(),
  filters: ['action', 'created', 'entity.id', 'entity.type', 'id'],
  onRow: {
    read: ({ id }, _call, cloud) => cloud.log.markRead(Number(id)),
    seen: ({ id }, _call, cloud) => cloud.log.markSeen(Number(id)),
  },
});

/** Events (document 1, 4.3 and 6). */
export const events = handlers();
