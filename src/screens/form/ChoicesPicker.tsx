import { useState } from 'react';
import { isBlank } from '../../resources/body.ts';
import { roundedText } from '../../resources/verdict.ts';
import { displayText } from '../../text/words.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { useStores } from '../useStores.ts';
import { filterOptions, typedNumber } from './optionFilter.ts';
import { leaveHandler, multiSelectHint, type PickerProps } from './picker.ts';

/** Chooses one of the options of a field, or ticks several. */
export function ChoicesPicker({ form, formField, initialQuery, close, width, height }: PickerProps) {
  const { notices } = useStores();
  const [query, setQuery] = useState(initialQuery);
  const { name, field } = formField;
  const entry = form.submission.draft[name];
  const several = field.kind === 'choices';
  const chosen = Array.isArray(entry) ? (entry as readonly string[]) : [];
  const end = () => {
    if (isBlank(entry)) notices.say('plain', `${field.label}: nothing is ticked; space ticks.`);
    close();
  };
  const choose = (option: string) => {
    form.set(name, isYesOrNo ? option === 'yes' : option);
    close();
  };
  const isYesOrNo = field.kind === 'boolean';
  const items = (isYesOrNo ? ['yes', 'no'] : (field.options ?? [])).map(
    (option): MenuItem => ({
      id: option,
      label: option,
      detail: field.optionHelp?.[option],
      ...(several && { ticked: chosen.includes(option) }),
      run: () => (several ? end() : choose(option)),
    }),
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
      title={field.label}
      items={filterOptions(items, query, number, roundedText(field, number))}
      width={width}
      height={height}
      close={close}
      start={initialQuery === '' ? present : undefined}
      search={{ query, setQuery, placeholder: several ? multiSelectHint() : 'type to narrow' }}
      {...(several ? { tick } : {})}
      leave={leaveHandler(form, notices, query, close)}
    />
  );
}
