import type { FormField } from '../../resources/body.ts';
import type { Stores } from '../../store/stores.ts';
import type { MenuItem } from '../menus/Menu.tsx';
import type { Form } from './useForm.ts';

/** Given to the list of a field in a form. */
export interface PickerProps {
  form: Form;
  formField: FormField;
  /** The text typed in the form, which opened it. */
  initialQuery: string;
  close: () => void;
  width: number;
  height: number;
}

/** Said in the empty filter of a list of which several can be ticked. */
export const multiSelectHint = 'type to narrow, space ticks, enter ends';

/**
 * Leaves a list by a key of the form: what was looked for is taken, as by enter; `tab` then goes to the next field.
 * Where nothing was typed, nothing is taken.
 */
export const leaveHandler =
  (form: Form, notices: Stores['notices'], query: string, close: () => void) =>
  (item: MenuItem | undefined, key: string): void => {
    const isTyped = query.trim() !== '';
    if (isTyped && (!item || item.refusal)) {
      notices.say('plain', `${query.trim()} is not offered; ctrl-u clears it, esc leaves the list.`);
      return;
    }
    if (isTyped) item?.run();
    else close();
    // A value that was taken may have brought further fields.
    if (key === 'tab') form.setFocus(form.focus + 1);
    else notices.say('plain', 'The list is closed; ctrl-s again sends the form.');
  };
