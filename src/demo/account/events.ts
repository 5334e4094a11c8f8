import { answers, type Call, idIn } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import { notFound } from '../engine/refusal.ts';

const filters = ['action', 'created', 'entity.id', 'entity.type', 'id'];

function asked(call: Call, cloud: Cloud) {
  const event = cloud.log.row(idIn(call, 'eventId'));
  if (!event) throw notFound();
  return event;
}

/** Events (document 1, 4.3 and 6). */
export const events = answers('events', {
  list: (call, cloud) => collection(cloud.log.rows(), call, filters),
  view: asked,
  read: (call, cloud) => {
    cloud.log.markRead(Number(asked(call, cloud).id));
    return {};
  },
  seen: (call, cloud) => {
    cloud.log.markSeen(Number(asked(call, cloud).id));
    return {};
  },
});
