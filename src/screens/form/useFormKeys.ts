import { type FormField, isBlank } from '../../resources/body.ts';
import type { Entry } from '../../resources/resource.ts';
import { useKeys } from '../keyboard.tsx';
import { useBridge } from '../useDeck.ts';
import { entryFrom, isSecret, isTyped, typedText } from './fieldLines.ts';
import type { Form } from './useForm.ts';

/**
 * The keys of a form; which of them there are depends on the kind of the field in focus.
 * @param offer told the names that may follow in a path
 */
export function useFormKeys(
  form: Form,
  pick: () => void,
  togglePreview: () => void,
  offer: (names: readonly string[]) => void,
): void {
  const { deck, edit } = useBridge();
  const formField = form.fields[form.focus];
  const entry = formField && form.errand.draft[formField.name];
  const set = (value: Entry) => formField && form.set(formField.name, value);
  const step = (by: number) => form.setFocus((form.focus + by + form.fields.length) % form.fields.length);
  const isPicked =
    formField !== undefined && ['reference', 'references', 'device', 'choices'].includes(formField.field.kind);
  const isCycled = formField !== undefined && ['boolean', 'choice'].includes(formField.field.kind);
  const isLong = formField?.field.kind === 'choice' && (formField.field.options?.length ?? 0) > longest;
  const isText = formField !== undefined && isTyped(formField.field);
  const manyLines =
    formField?.field.kind === 'paragraph' ||
    formField?.field.kind === 'secretParagraph' ||
    formField?.field.kind === 'json';

  async function write(): Promise<void> {
    if (!formField) return;
    try {
      const text = await edit(typedText(entry));
      if (text !== undefined) set(entryFrom(formField.field, text));
    } catch (error) {
      deck.notices.say('bad', (error as Error).message);
    }
  }

  /** Adds to a path what can only follow, and tells what may; a path that is whole leads to the next field. */
  async function complete(): Promise<void> {
    const typed = typedText(entry);
    const { path, names } = await deck.files.complete(typed);
    if (path !== typed) set(path);
    else if (names.length <= 1) step(1);
    offer(names.length > 1 ? names : []);
  }

  /** Takes the file whose path stands in a field of several lines. */
  async function load(): Promise<void> {
    try {
      set(new TextDecoder().decode(await deck.files.read(typedText(entry).trim())));
    } catch (error) {
      deck.notices.say('bad', (error as Error).message);
    }
  }

  useKeys(
    'form',
    {
      send: form.send,
      close: () => deck.navigation.close(),
      previous: () => step(-1),
      preview: form.isPart ? undefined : togglePreview,
      discard: form.startOver,
      clear: () => set(undefinedOrBlank(entry)),
      ...(isPicked ? { choose: pick } : {}),
      ...(formField?.field.kind === 'file' && !isBlank(entry) && { complete: () => void complete() }),
      ...(isText && manyLines && !isBlank(entry) && !typedText(entry).includes('\n') && { load: () => void load() }),
      ...(formField?.field.picks && { pick }),
      ...(isLong && { list: pick }),
      next: () => step(1),
      ...(isCycled && { change: (key: string) => set(cycled(formField, entry, key === 'left' ? -1 : 1)) }),
      ...(isText && manyLines && !isSecret(formField.field) && { editor: () => void write() }),
    },
    {
      typing: isText && !typedText(entry).includes('\n'),
      onPaste: isText ? (text) => set(pasted(formField, entry, text)) : undefined,
    },
  );
}

/** Of so many options at most each is reached by going round; more are also shown as a list. */
const longest = 6;

/** Clearing a field that had something sends that it is empty. */
const undefinedOrBlank = (entry: Entry): Entry => (Array.isArray(entry) ? [] : entry === undefined ? undefined : '');

/** The next value of a choice; a switch goes round yes, no and left out. */
function cycled({ field, required }: FormField, entry: Entry, by: 1 | -1): Entry {
  const values: readonly Entry[] =
    field.kind === 'boolean' ? [true, false] : required ? (field.options ?? []) : [undefined, ...(field.options ?? [])];
  const shown = entry ?? (field.fallback as Entry);
  const index = values.indexOf(shown);
  return values[(Math.max(index, by < 0 ? 0 : -1) + by + values.length) % values.length];
}

/** What was there and what is pasted; line breaks stay only where a field has lines. */
function pasted({ field }: FormField, entry: Entry, text: string): Entry {
  const lines = ['paragraph', 'secretParagraph', 'json'].includes(field.kind);
  const separators = field.kind === 'strings' ? ', ' : ' ';
  const flat = lines ? text.replace(/\r\n?/g, '\n') : text.trim().replace(/[\r\n]+/g, separators);
  return entryFrom(field, typedText(entry) + flat);
}
