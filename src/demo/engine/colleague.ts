import type { Params, Row } from '../../resources/resource.ts';
import { users } from './access.ts';
import type { Cloud } from './cloud.ts';
import type { Route } from './handler.ts';

/** A colleague leaves it at one change in this time, in milliseconds: who reads it because of that meets no further one. */
const cooldownMs = 15_000;

/** A colleague adds this to labels and takes it off again, and the same with the tag. */
const suffix = '-new';
const tag = 'colleague';

/**
 * Somebody else who changes the label and tags of a row just before it is read alone, as when it is read again before an
 * edit is sent. Rows that have neither, and requests for anything else, are left alone.
 */
export function colleagueOf(routes: readonly Route[], cloud: Cloud) {
  let workedAt = Number.NEGATIVE_INFINITY;
  return async ({ resource, operation, endpoint }: Route, params: Params, request: Request): Promise<void> => {
    const editing = routes.find((route) => route.resource === resource && route.operation === resource.edit);
    if (operation !== resource.view || !editing || Date.now() - workedAt < cooldownMs) return;
    const call = { params, query: {}, body: {}, user: users.colleague, filter: undefined, request };
    try {
      const body = changeOf((await endpoint.handler(call, cloud)) as Row);
      if (Object.keys(body).length === 0) return;
      await editing.endpoint.handler({ ...call, body }, cloud);
      workedAt = Date.now();
    } catch {
      // A colleague may be refused like anybody else.
    }
  };
}

function changeOf({ label, tags }: Row): Row {
  const change: Record<string, unknown> = {};
  if (typeof label === 'string')
    change.label = label.endsWith(suffix) ? label.slice(0, -suffix.length) : label + suffix;
  if (Array.isArray(tags)) change.tags = tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag];
  return change;
}
