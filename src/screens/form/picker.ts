import { useState } from 'react';
import { type FormField, isBlank } from '../../resources/body.ts';
import type { Entry } from '../../resources/resource.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { MenuItem } from '../menus/Menu.tsx';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';
import type { Form } from './useForm.ts';

/** The props of a picker. */
export interface PickerProps extends Size {
  form: Form;
  formField: FormField;
  /** The text typed in the form, which opened the picker. */
  initialQuery: string;
  close: () => void;
}

/**
 * The common part of pickers: what is typed, what the field holds, how an item is chosen or ticked, and the menu around.
 * @param several whether items are ticked; only ticked ones are taken then
 * @param entryOf the entry of the item of an id
 */
export function usePicker(
  { form, formField: { name, field }, initialQuery, close }: PickerProps,
  several: boolean,
  entryOf: (id: string) => Entry = (id) => id,
) {
  const { notices } = useStores();
  const [query, setQuery] = useState(initialQuery);
  const entry = form.submission.draft[name];
  const ids = isBlank(entry) ? [] : [entry].flat().map(String);
  const settle = (value: Entry) => {
    form.set(name, value);
    close();
  };
  const end = () => {
    if (isBlank(entry)) notices.say('plain', `${field.label}: nothing is ticked; space ticks.`);
    close();
  };
  /**
   * Handles a key of the form that closes a picker: a searched item is chosen, as by enter; `tab` then moves to the next
   * field. If nothing was typed, nothing is chosen.
   */
  const leave = (item: MenuItem | undefined, key: string): void => {
    const isTyped = query.trim() !== '';
    if (isTyped && (!item || item.refusal)) {
      notices.say(
        'plain',
        `${query.trim()} is not offered; ${keyLabel('menu.clear', 'ctrl-u')} clears it, ${keyLabel('menu.close', 'esc')} leaves the list.`,
      );
      return;
    }
    if (isTyped) item?.run();
    else close();
    // The chosen value may have added fields.
    if (key === 'tab') form.setFocus(form.focus + 1);
    else
      notices.say(
        'plain',
        `The list is closed${form.isPlanned ? '.' : `; ${keyLabel('form.send', 'ctrl-s')} again sends the form.`}`,
      );
  };
  const ticks = `type to narrow, ${keyLabel('menu.tick', 'space')} ticks, ${keyLabel('menu.choose', 'enter')} ends`;
  return {
    query,
    entry,
    ids,
    settle,
    choice: (id: string) => ({
      ...(several && { ticked: ids.includes(id) }),
      run: () => (several ? end() : settle(entryOf(id))),
    }),
    menu: {
      title: field.label,
      close,
      leave,
      search: { query, setQuery, placeholder: several ? ticks : 'type to narrow' },
    },
  };
}
