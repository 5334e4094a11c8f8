import type { ChangeRecord } from '../../resources/changeRecord.ts';
import type { Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';

/** The change that a row of the audit log tells of; undefined where the row does not say what it was done to. */
export function recordIn({ resource, action, params, label, body, before }: Row): ChangeRecord | undefined {
  if (typeof resource !== 'string' || typeof action !== 'string' || !isRow(params)) return undefined;
  return {
    resource,
    action,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    label: typeof label === 'string' ? label : '',
    body,
    ...(isRow(before) && { before }),
  };
}
