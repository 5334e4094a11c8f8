import type { Row } from '../../resources/resource.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { type FieldError, HttpError, notFound } from '../engine/errors.ts';
import type { Entity } from '../engine/eventLog.ts';
import { type Call, handlersFor, logEvent, needUnrestricted, page } from '../engine/handler.ts';
import { serversOf, volumesOf } from '../inventory.ts';
import { balancersOf } from '../networking/balancers.seed.ts';
import { zonesOf } from '../networking/zones.ts';

/** Something that can bear tags. */
interface Thing {
  id: number;
  tags: readonly string[];
}

/** The kinds of things that can bear tags, by the type of their members; the body of a new tag names them with an `s`. */
const kinds: readonly { type: string; things: (cloud: Cloud) => readonly Thing[] }[] = [
  { type: 'server', things: (cloud) => [...serversOf(cloud).values()] },
  { type: 'volume', things: (cloud) => [...volumesOf(cloud).values()] },
  { type: 'domain', things: (cloud) => [...zonesOf(cloud).values()].map(({ domain }) => domain) },
  { type: 'nodebalancer', things: (cloud) => [...balancersOf(cloud).values()].map(({ balancer }) => balancer) },
];

/** Tags stay when nothing bears them any more. */
const made = perCloud(() => new Set<string>());

function labels(cloud: Cloud): readonly string[] {
  const known = made(cloud);
  for (const kind of kinds) for (const { tags } of kind.things(cloud)) for (const tag of tags) known.add(tag);
  return [...known].sort();
}

/** The label in a path. @throws 404 when there is no such tag */
function labelIn({ params }: Call, cloud: Cloud): string {
  const { label = '' } = params;
  if (!labels(cloud).includes(label)) throw notFound();
  return label;
}

/** The things that have a tag, each with its kind. */
const membersOf = (cloud: Cloud, label: string) =>
  kinds.flatMap(({ type, things }) =>
    things(cloud).flatMap((data) => (data.tags.includes(label) ? [{ type, data }] : [])),
  );

const tagEntity = (label: string): Entity => ({ id: label, label, type: 'tag', url: null });

/** The things that a body names. @throws 400 when one of them is not there, so that nothing is changed */
function named(cloud: Cloud, body: Row): readonly Thing[] {
  const errors: FieldError[] = [];
  const found = kinds.flatMap(({ type, things }) => {
    const field = `${type}s`;
    const ids = Array.isArray(body[field]) ? (body[field] as readonly number[]) : [];
    if (ids.length === 0) return [];
    const all = new Map(things(cloud).map((thing) => [thing.id, thing]));
    return ids.flatMap((id) => {
      const thing = all.get(id);
      if (!thing) errors.push({ field, reason: `${type} ${id} was not found or may not be changed` });
      return thing ?? [];
    });
  });
  if (errors.length > 0) throw new HttpError(400, errors);
  return found;
}

/** Tag Create (document 1, 4.5): all the things get it, or it is not made. */
function create(call: Call, cloud: Cloud): Row {
  needUnrestricted(call);
  const label = String(call.body.label);
  for (const thing of named(cloud, call.body)) thing.tags = [...new Set([...thing.tags, label])];
  made(cloud).add(label);
  logEvent(call, cloud, 'tag_create', tagEntity(label));
  return { label };
}

function remove(call: Call, cloud: Cloud): void {
  needUnrestricted(call);
  const label = labelIn(call, cloud);
  for (const { data } of membersOf(cloud, label)) data.tags = data.tags.filter((tag) => tag !== label);
  made(cloud).delete(label);
  logEvent(call, cloud, 'tag_delete', tagEntity(label));
}

/** Tags (document 1, 4.5). */
export const tags = handlersFor('tags', {
  list: (call, cloud) =>
    page(
      labels(cloud).map((label) => ({ label })),
      call,
      ['label'],
    ),
  create,
  delete: remove,
});

/** The things that have a tag, of several kinds (document 1, 2.9). */
export const tagged = handlersFor('tagged', {
  list: (call, cloud) => page(membersOf(cloud, labelIn(call, cloud)), call),
});
