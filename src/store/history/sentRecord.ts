import type { ChangeRecord } from '../../resources/changeRecord.ts';
import type { Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { textOf } from '../../text/words.ts';

/** A change that was sent, by its name. */
export interface SentChange extends ChangeRecord {
  uid: string;
  /** It took another one back. */
  isBack: boolean;
}

/** The name of the change of a row of the audit log; older lines have only their number. */
export const uidOf = ({ uid, id }: Row): string => textOf(uid ?? id);

/** The change that a row of the audit log tells of; undefined where the row does not say what it was done to. */
export function recordIn(row: Row): SentChange | undefined {
  const { resource, action, params, label, body, before, isBack } = row;
  if (typeof resource !== 'string' || typeof action !== 'string' || !isRow(params)) return undefined;
  return {
    resource,
    action,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)])),
    label: typeof label === 'string' ? label : '',
    body,
    ...(isRow(before) && { before }),
    uid: uidOf(row),
    isBack: isBack === true,
  };
}
