import { entryOf, formFields } from '../../resources/body.ts';
import { entriesIn } from '../../resources/inverse.ts';
import { type CacheView, knownField } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { verdictOf } from '../../resources/verdict.ts';
import type { Change } from '../changes/change.ts';
import { isRedacted } from './stepChange.ts';
import { leavesOfStep } from './stepFields.ts';

/**
 * Why a value that a step sends breaks the rule of its field, or one that it needs is missing, as a sentence; undefined where
 * all may be sent, as far as that can be told before its turn.
 */
export function wrongValueOf(change: Change, view: CacheView): string | undefined {
  const { resource, action, changes, body, before } = change;
  const draft = entriesIn(resource, action, isRow(body) ? body : {});
  // A rule that looks at other fields needs them all, as they stand in the form.
  const isForm = !changes && !action.send;
  const sent = changes ? Object.entries({ ...changes.set, ...changes.add }) : leavesOfStep(change);
  for (const [path, value] of sent) {
    const field = knownField(resource, action, path);
    if (!field || isRedacted(value) || [value].flat().some(isRow)) continue;
    const own = isForm ? field : { ...field, check: undefined };
    const says = verdictOf(own, false, entryOf(field, value), draft, view, before);
    if (says !== undefined) return says;
  }
  const needed = isForm ? formFields(resource, action, draft, before, view) : [];
  const missing = needed.find(({ name, field, required }) => required && !field.local && draft[name] === undefined);
  return missing && `${missing.field.label} is required.`;
}
