import { isBlank } from '../../resources/body.ts';
import { roundedText } from '../../resources/verdict.ts';
import { displayText } from '../../text/words.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { filterOptions, typedNumber } from './optionFilter.ts';
import { type PickerProps, usePicker } from './picker.ts';

/** Chooses one of the options of a field, or ticks several. */
export function ChoicesPicker(props: PickerProps) {
  const { form, formField, initialQuery, width, height } = props;
  const { name, field } = formField;
  const several = field.kind === 'choices';
  const isYesOrNo = field.kind === 'boolean';
  const entryOf = (option: string) => (isYesOrNo ? option === 'yes' : option);
  const { query, entry, ids: chosen, choice, menu } = usePicker(props, several, entryOf);
  const items = (isYesOrNo ? ['yes', 'no'] : (field.options ?? [])).map(
    (option): MenuItem => ({ id: option, label: option, detail: field.optionHelp?.[option], ...choice(option) }),
  );
  /** Keeps the chosen options in the order of the list. */
  const tick = ({ id }: MenuItem) =>
    form.set(
      name,
      (field.options ?? []).filter((option) => (option === id ? !chosen.includes(id) : chosen.includes(option))),
    );
  const number = typedNumber(field, query);
  const present = displayText(isBlank(entry) ? field.fallback : entry);
  return (
    <Menu
      {...menu}
      items={filterOptions(items, query, number, roundedText(field, number))}
      width={width}
      height={height}
      start={initialQuery === '' ? present : undefined}
      {...(several ? { tick } : {})}
    />
  );
}
