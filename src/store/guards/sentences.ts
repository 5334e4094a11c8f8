/** Words about guards: the reasons of refusals, without a capital and a full stop. */

import type { ApiError } from '../../api/error.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import type { Guard, Level, Subject } from './concern.ts';
import type { Missing } from './guardFilter.ts';

/** Names the row on which a guard depends: `web-1`, `server web-1` where that is the one above, `a new server`. */
export function labelOf({ resource, isNew }: Level, subject: Subject, row: Row | undefined): string {
  if (isNew) return `a new ${resource.one}`;
  const label = row ? resource.label(row) : `the ${resource.one}`;
  return resource === subject.resource || !row ? label : `${resource.one} ${label}`;
}

/** `: production is left alone`, or what the guard is about where it has no reason. */
function because({ reason, where }: Guard): string {
  const own = said(reason);
  return own ? `: ${own}` : ` by the configuration${where === undefined ? '' : ` (${where})`}`;
}

const said = (reason: string | undefined) => reason?.replace(/[.\s]+$/, '');

/** Why a guard that denies refuses. */
export const denied = (guard: Guard, label = ''): string => `${label} is guarded${because(guard)}`;

/** Said on the page of a row of a guard that denies these actions. */
export const denies = (guard: Guard, actions: string): string => `Guarded${because(guard)}. Denied: ${actions}.`;

/** Why so many rows are too many. */
export function tooMany({ at_most, reason, where }: Guard, resource: Resource, count: number): string {
  const why = said(reason) ? `: ${said(reason)}` : where === undefined ? '' : ` (${where})`;
  return `these are ${count} ${plural(resource)}, and a guard allows ${at_most} at once${why}`;
}

/** Why it is not sent although it was confirmed. */
export const untyped = (guard: Guard, label = ''): string =>
  `${label} is guarded${because(guard)}; its label must be typed first, so nothing was sent: do it again`;

/** Said above the question. */
export const asked = (guard: Guard): string => `Guarded${because(guard)}.`;

/** Why nothing is sent where it is not known whether a guard holds. */
export const unknown = ({ where }: Guard, label: string, why: string): string =>
  `it is not known whether ${label} is guarded (${where}), so nothing was sent: ${why}`;

/** Why a row is not known. */
export const unread = ({ one }: Resource, failure: ApiError | undefined): string =>
  failure ? `the ${one} could not be read. ${failure.message}` : `the ${one} could not be read`;

/** Names the values that are missing. */
export function missing({ fields, resources }: Missing, { resource, isNew }: Level): string {
  const whose = isNew ? `the ${resource.one} is not made yet` : `the API does not tell it of this ${resource.one}`;
  if (fields.length > 0) return `${fields.join(' and ')}: ${whose}`;
  return resources.length > 0 ? `${resources.join(' and ')} could not be read` : whose;
}
