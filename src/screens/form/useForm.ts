import { useMemo, useState } from 'react';
import { type FormField, formFields, isBlank, isPatch } from '../../resources/body.ts';
import { fieldChanges } from '../../resources/edits.ts';
import type { Action, Entry, Field, Params, Resource } from '../../resources/resource.ts';
import type { Target } from '../../store/changes/change.ts';
import type { FormOverlay } from '../../store/navigation.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { inOneLine, withLineFeeds, withoutUnseen } from '../../text/unseen.ts';
import { sentence } from '../../text/words.ts';
import { whereIn } from '../places.ts';
import { backTitle } from '../undo/outlook.ts';
import { useSame, useStores } from '../useStores.ts';
import { complaintsIn, isEdit } from './submitForm.ts';
import { isMultiline } from './typedText.ts';
import { useFileChecks } from './useFileChecks.ts';
import { formTitle, sharedEntries, useFormEdits } from './useFormEdits.ts';
import { useReferencedRows } from './useFormReads.ts';
import { useSubmit } from './useSubmit.ts';

/** A form while it is filled in. */
export type Form = ReturnType<typeof useForm>;

/** The state of a form; its draft outlives it until it is sent. */
export function useForm(overlay: FormOverlay, resource: Resource, action: Action, targets: readonly Target[]) {
  const stores = useStores();
  const { view, api } = stores;
  const formEdits = useFormEdits(overlay, resource, action, targets);
  const { draft, current } = formEdits;
  const back =
    overlay.takesBack && targets[0] && isPatch(action)
      ? fieldChanges(resource, action, formEdits.edits, targets[0].row, view, targets[0].params)
      : [];
  const rows = useSame(targets.length > 1 ? targets.map(({ row }) => row) : []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: thousands of rows are compared again only when one of them has changed
  const shared = useMemo(() => sharedEntries(stores, resource, action, rows.length > 0 ? targets : []), [rows]);
  const row = targets.length === 1 ? targets[0]?.row : undefined;
  const params: Params = targets[0]?.params ?? overlay.params;
  const [wanted, setFocus] = useState<number>();
  // A field that goes back is marked like one that was typed.
  const [touched, setTouched] = useState<ReadonlySet<string>>(() => new Set(back.map(({ name }) => name)));
  const [attempted, setAttempted] = useState(false);
  const fields = formFields(resource, action, draft, row, view).map((one) =>
    ofSeveral(withFallback(withOptions(one, targets), api)),
  );
  const focus = Math.max(0, wanted ?? fields.findIndex(({ name }) => name === back[0]?.name));
  useReferencedRows(fields, draft);
  const localComplaints = complaintsIn(stores, overlay, { resource, action, targets, draft }, current);
  const files = useFileChecks(fields, draft);
  const submit = useSubmit({
    overlay,
    resource,
    action,
    targets,
    formEdits,
    fields,
    checkFiles: files.check,
    showComplaints: () => setAttempted(true),
    focusOn,
  });
  const { refusals, clearRefusals, ...rest } = submit;
  const apiComplaints = refusals.flatMap(({ field, says }) => {
    const name = fieldFor(fields, field);
    return name === undefined ? [] : [[name, says] as const];
  });
  const visible = localComplaints.filter(({ field }) => attempted || touched.has(field));
  /** Complaints by field; the API's own words after a refusal. */
  const complaints = new Map([
    // A path that is still being typed is no mistake yet.
    ...[...files.complaints].filter(([name]) => attempted || fields[focus]?.name !== name),
    ...visible.map(({ field, says }) => [field, says] as const),
    ...apiComplaints,
  ]);
  const unassigned = refusals.filter(({ field }) => fieldFor(fields, field) === undefined);

  function focusOn(named: string | undefined): void {
    const name = named === undefined ? undefined : fieldFor(fields, named);
    const index = fields.findIndex((field) => field.name === name);
    if (index >= 0) setFocus(index);
  }

  /** Of several rows that are edited nothing has to be entered, and what is left out has no fallback: each keeps its own. */
  function ofSeveral(formField: FormField): FormField {
    if (targets.length < 2 || !isEdit(overlay, action)) return formField;
    const required = formField.required && action.name !== resource.edit?.name;
    return { ...formField, required, field: { ...formField.field, fallback: undefined } };
  }

  const where =
    targets.length > 1 ? '' : whereIn(stores, resource, params, action.tellsWhere ?? overlay.takesBack !== undefined);
  const title = `${formTitle(action, resource, targets)}${where}`;
  return {
    ...rest,
    /** Names the action and its rows: "Edit api-1". */
    title: backTitle(overlay.takesBack, title),
    takesBack: overlay.takesBack,
    fields,
    formEdits,
    complaints,
    /** The refusal of the API that belongs to no field. */
    refusal:
      unassigned.length > 0
        ? unassigned.map(({ field, says }) => sentence(field ? `${field}: ${says}` : says)).join(' ')
        : undefined,
    focus: Math.min(focus, fields.length - 1),
    setFocus,
    /** Whether the input of a field is known to be valid. */
    isGood: ({ name, field }: FormField) =>
      touched.has(name) &&
      !complaints.has(name) &&
      !isBlank(draft[name]) &&
      (field.kind !== 'file' || files.isGood(name)),
    /** The form belongs to a dialog, which sends it. */
    isNested: overlay.into !== undefined,
    /** The step of the plan that it changes. */
    step: overlay.step,
    /** It can only be planned, because the session is read-only. */
    isPlanned: overlay.into === undefined && overlay.step === undefined && isPlanOnly(stores, action),
    set: (name: string, entry: Entry) => {
      setTouched(new Set([...touched, name]));
      clearRefusals(({ field }) => fieldFor(fields, field) === name);
      formEdits.set(name, entry);
    },
    /** A pasted text without what cannot be seen of it; a notice tells where something was left out. */
    seen: (field: Field, pasted: string) => {
      const { text, dropped } = withoutUnseen(isMultiline(field) ? withLineFeeds(pasted) : inOneLine(pasted, '\n'));
      const many =
        dropped === 1 ? 'one character that cannot be seen was' : `${dropped} characters that cannot be seen were`;
      if (dropped > 0) stores.notices.say('plain', `${field.label}: ${many} left out of the paste.`);
      return text;
    },
    /** The entry that all of several rows have in a field, in a list of one, or `different`; undefined for one row. */
    shared: (name: string) => shared.get(name),
    /** Rows are edited, so that what is not touched stays as it is. */
    isEdit: isEdit(overlay, action),
    startOver: () => {
      if (touched.size === 0 && !attempted && !formEdits.restored)
        return stores.notices.say('plain', 'Nothing was entered here yet.');
      formEdits.discard();
      setTouched(new Set());
      setAttempted(false);
      clearRefusals(() => true);
      setFocus(0);
    },
  };
}

/** A field with the options that its rows determine. */
const withOptions = (formField: FormField, targets: readonly Target[]): FormField => {
  const { field } = formField;
  if (!field.optionsOf) return formField;
  return { ...formField, field: { ...field, options: field.optionsOf(targets.map(({ row }) => row)) ?? [] } };
};

/** A reference with its default translated to this API's ids. */
function withFallback(formField: FormField, api: Stores['api']): FormField {
  const { name, field } = formField;
  if (field.kind !== 'reference' || field.fallback === undefined) return formField;
  const fallback = Object.values(api.translated({ [name]: field.fallback }) as object)[0] as string;
  return { ...formField, field: { ...field, fallback } };
}

/** The form's field for a field that the API names, which may lie deeper or higher: `devices.sda.disk_id` is `devices.sda`. */
function fieldFor(fields: readonly FormField[], named: string): string | undefined {
  const within = (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}.`);
  return fields.find(({ name }) => named !== '' && (within(name, named) || within(named, name)))?.name;
}
