import type { FormField } from '../../resources/body.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import type { Form } from './useForm.ts';

interface ChoicesPickerProps {
  form: Form;
  formField: FormField;
  close: () => void;
  width: number;
  height: number;
}

/** Chooses one of the options of a field, or ticks several. */
export function ChoicesPicker({ form, formField: { name, field }, close, width, height }: ChoicesPickerProps) {
  const entry = form.errand.draft[name];
  const several = field.kind === 'choices';
  const chosen = Array.isArray(entry) ? (entry as readonly string[]) : [];
  const items = (field.options ?? []).map(
    (option): MenuItem => ({
      id: option,
      label: option,
      detail: field.optionHelp?.[option],
      ...(several && { ticked: chosen.includes(option) }),
      run: () => {
        // Of several, where none was ticked, the one under the cursor is meant.
        if (!several) form.set(name, option);
        else if (chosen.length === 0) form.set(name, [option]);
        close();
      },
    }),
  );
  /** The options stay in the order in which they are offered. */
  const tick = ({ id }: MenuItem) =>
    form.set(
      name,
      (field.options ?? []).filter((option) => (option === id ? !chosen.includes(id) : chosen.includes(option))),
    );
  return (
    <Menu
      title={several ? `${field.label}: tab ticks, enter ends` : field.label}
      items={items}
      width={width}
      height={height}
      close={close}
      start={typeof entry === 'string' ? entry : String(field.fallback)}
      tick={several ? tick : undefined}
    />
  );
}
