import type { FormField } from '../../resources/body.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { MenuItem } from '../menus/Menu.tsx';
import type { Size } from '../props.ts';
import type { Form } from './useForm.ts';

/** The props of a picker. */
export interface PickerProps extends Size {
  form: Form;
  formField: FormField;
  /** The text typed in the form, which opened the picker. */
  initialQuery: string;
  close: () => void;
}

/** The placeholder of the filter where several items can be ticked. */
export const multiSelectHint = (): string =>
  `type to narrow, ${keyLabel('menu.tick', 'space')} ticks, ${keyLabel('menu.choose', 'enter')} ends`;

/**
 * Handles a key of the form that closes a picker: a searched item is chosen, as by enter; `tab` then moves to the next
 * field. If nothing was typed, nothing is chosen.
 */
export const leaveHandler =
  (form: Form, notices: Stores['notices'], query: string, close: () => void) =>
  (item: MenuItem | undefined, key: string): void => {
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
