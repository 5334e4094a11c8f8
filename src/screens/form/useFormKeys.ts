import { useState } from 'react';
import { entryOf, type FormField, isBlank } from '../../resources/body.ts';
import { isSecret } from '../../resources/field.ts';
import { at, type Entry, type Field, type Row } from '../../resources/resource.ts';
import { planOnlySays, whyNotPlanned } from '../../store/plans/planning.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { inOneLine } from '../../text/unseen.ts';
import { useKeys } from '../keyboard.tsx';
import { useStopKey } from '../transfers/useProgress.ts';
import { useAppContext } from '../useStores.ts';
import { entryFrom, isEditableArea, isEditableLine, isMultiline, isTyped, typedText } from './typedText.ts';
import type { Form } from './useForm.ts';

/**
 * The keys of a form; they depend on the kind of the focused field. While it is sent, input is ignored: it would be
 * neither sent nor kept.
 * @param pick opens the list of the field, filtered by a text
 * @param offer receives the names that complete a path
 * @param refuse called for a key that does nothing while the form is busy
 */
export function useFormKeys(
  form: Form,
  pick: (narrowedTo?: string) => void,
  offer: (names: readonly string[]) => void,
  refuse: () => void,
): void {
  const { stores, edit } = useAppContext();
  const formField = form.fields[form.focus];
  const { action, draft, targets } = form.submission;
  const [target] = targets;
  const entry = formField && draft[formField.name];
  const set = (value: Entry) => formField && form.set(formField.name, value);
  const step = (by: number) => form.setFocus((form.focus + by + form.fields.length) % form.fields.length);
  const next = form.fields.length > 1 ? () => step(1) : onlyField(form);
  const isPicked =
    formField !== undefined && ['reference', 'references', 'device', 'choices'].includes(formField.field.kind);
  const isCycled = formField !== undefined && ['boolean', 'choice'].includes(formField.field.kind);
  // A choice that the row has can be changed but not cleared.
  const stays = isCycled && targets.length === 1 && action.name === 'edit' && !isBlank(entryAt(formField, target?.row));
  const isMany = targets.length > 1 && form.isEdit;
  const isText = formField !== undefined && isTyped(formField.field);
  const manyLines = formField !== undefined && isMultiline(formField.field);
  const isWritten = manyLines && isEditableArea(formField.field, entry);
  const canLeaveOut = !stays && !(isCycled && formField.required);

  async function write(): Promise<void> {
    if (!formField) return;
    const [, line] = /\bline (\d+)/i.exec(form.complaints.get(formField.name) ?? '') ?? [];
    const text = await edit(typedText(entry), line ? Number(line) : undefined);
    if (text !== undefined) set(entryFrom(formField.field, text));
  }

  /** Completes a path as far as it is unique and offers the rest; a complete path moves to the next field. */
  async function complete(): Promise<void> {
    const typed = typedText(entry);
    const { path, names } = await stores.files.complete(typed);
    if (path !== typed) set(path);
    else if (names.length <= 1) step(1);
    offer(names.length > 1 ? names : []);
  }

  /** Replaces the path in a field of several lines by the content of the file. */
  async function load(): Promise<void> {
    if (!formField) return;
    set(entryFrom(formField.field, new TextDecoder().decode(await stores.files.read(typedText(entry).trim()))));
  }

  const failed = (error: Error) => stores.notices.say('bad', error.message);

  /** Clears the field, or says why it cannot be cleared. */
  function leaveOut(): void {
    if (!formField) return;
    const why = stays ? 'it can be changed but not cleared' : 'it is required';
    // Clearing a field that had a value sends it as empty.
    if (canLeaveOut) set(Array.isArray(entry) ? [] : entry === undefined ? undefined : '');
    else stores.notices.say('plain', `${formField.field.label}: ${why}.`);
  }

  /** Removes the last of several values, or the only one. */
  function leaveLastOut(): void {
    if (Array.isArray(entry) && entry.length > 1) set(entry.slice(0, -1));
    else leaveOut();
  }

  /** Handles text typed into a field without a text input: it searches the options. */
  function typedInto(text: string): void {
    if (!formField) return;
    const { label, kind } = formField.field;
    const typed = text.trim().replace(/\s+/g, ' ');
    const meant = kind === 'boolean' ? booleanFrom(typed) : undefined;
    const way = isText
      ? `${keyLabel('form.clear', 'ctrl-u')} clears it, a paste goes behind it`
      : `y or n, or ${keyLabel('form.change', 'space')} to change it`;
    if (kind !== 'boolean' && !isText) pick(typed);
    else if (meant !== undefined) set(meant);
    else stores.notices.say('plain', `${label}: ${way}.`);
  }

  useStopKey(form.sending);
  const close = () => stores.navigation.close();
  useKeys(
    'form',
    form.isBusy
      ? { close, busy: refuse }
      : {
          // A part of a dialog is sent by that, and a step goes back into the plan.
          [form.isNested || form.step !== undefined ? 'handOver' : 'send']: form.isPlanned
            ? planOnlySays(stores, action)
            : form.send,
          close,
          previous: () => step(-1),
          // The dialog that a part of it belongs to says why that cannot be planned.
          plan: form.isNested ? partOfDialog : (whyNotPlanned(action) ?? (() => form.plan())),
          preview: form.isNested ? undefined : form.preview,
          discard: form.startOver,
          clear: leaveOut,
          ...(!isText && { leaveOut: leaveLastOut }),
          ...(isPicked && { choose: () => pick() }),
          ...(formField?.field.kind === 'file' && !isBlank(entry) && { complete: () => void complete() }),
          ...(isText &&
            manyLines &&
            isPossiblePath(formField.field, typedText(entry)) && { load: () => void load().catch(failed) }),
          ...(formField?.field.picks &&
            formField.field.picksWhen?.(draft, targets.length > 1 ? undefined : target?.row) !== false && {
              pick: () => pick(),
            }),
          ...(isCycled && { list: () => pick() }),
          ...(isWritten ? { leave: next } : { next }),
          ...(isCycled && {
            change: (key: string) => set(cycled(formField, entry, stays, isMany, key === 'left' ? -1 : 1)),
          }),
          ...(isText && manyLines && !isSecret(formField.field) && { editor: () => void write().catch(failed) }),
        },
    form.isBusy
      ? { onText: refuse, onPaste: refuse }
      : {
          typing: isText && !manyLines && isEditableLine(typedText(entry)),
          onText: isWritten ? undefined : typedInto,
          onPaste: isText ? (text) => set(pasted(formField, entry, form.seen(formField.field, text))) : typedInto,
          lead: form.isPlanned ? 'plan' : undefined,
        },
  );
}

/** Why no key leads to another field where there is one alone. */
const onlyField = ({ isNested, isPlanned, step }: Form): string =>
  isNested || step !== undefined
    ? `It is the only field; ${keyLabel('form.handOver', 'ctrl-s')} goes back with it.`
    : isPlanned
      ? `It is the only field; ${keyLabel('form.plan', 'ctrl-a')} puts it into the plan.`
      : `It is the only field; ${keyLabel('form.send', 'ctrl-s')} sends it.`;

/** A part of a dialog is sent with the rest of that. */
const partOfDialog = 'It is a part of a dialog, which sends it; no plan can hold that.';

/** Whether what is typed into a field of several lines can be the path of a file. */
const isPossiblePath = ({ hidden }: Field, text: string): boolean =>
  text !== '' && text !== hidden && !text.includes('\n');

const booleanFrom = (typed: string): boolean | undefined =>
  /^(?:y|yes|true|on)$/i.test(typed) ? true : /^(?:n|no|false|off)$/i.test(typed) ? false : undefined;

const entryAt = ({ name, field }: FormField, row: Row | undefined): Entry => entryOf(field, at(row, name));

/** The next value of a choice or boolean; an optional choice can also be blank, and what several rows have left alone. */
function cycled({ field, required }: FormField, entry: Entry, stays: boolean, isMany: boolean, by: 1 | -1): Entry {
  const options = field.options ?? [];
  const values: readonly Entry[] =
    field.kind === 'boolean'
      ? isMany
        ? [undefined, true, false]
        : [true, false]
      : required || stays
        ? options
        : [undefined, ...options];
  const shown = entry ?? (field.fallback as Entry);
  const index = values.indexOf(shown);
  return values[(Math.max(index, by < 0 ? 0 : -1) + by + values.length) % values.length];
}

/** Appends pasted text to an entry; only fields of several lines keep line breaks. */
function pasted({ field }: FormField, entry: Entry, text: string): Entry {
  const separators = field.kind === 'strings' ? ', ' : ' ';
  const flat = isMultiline(field) ? text : inOneLine(text.trim(), separators);
  return entryFrom(field, typedText(entry) + flat);
}

/** Answers keys that do nothing while a dialog is busy. */
export function useBusyKeys(isUnderWay: boolean) {
  const [isPressed, setPressed] = useState(false);
  if (isPressed && !isUnderWay) setPressed(false);
  return {
    /** Blank until the first such key. */
    message: isPressed ? 'Keys do nothing until the API has answered.' : '',
    /** Call it for such a key. */
    press: () => setPressed(true),
  };
}
