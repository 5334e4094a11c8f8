import { useState } from 'react';
import { type FormField, isBlank } from '../../resources/body.ts';
import type { Entry, Field } from '../../resources/resource.ts';
import { roundedText } from '../../resources/verdict.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { typedSeconds } from '../../text/times.ts';
import { displayText } from '../../text/words.ts';
import { nameRank } from '../menus/itemLine.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { prepared, searchLabels } from '../palette/match.ts';
import { type Size, useStores } from '../useStores.ts';
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
 * The common part of pickers: what is typed, what the field holds, how an item is chosen or, where there are several,
 * ticked, and the menu around. Of several only ticked ones are taken, and the only one that matches what is typed.
 */
export function usePicker({ form, formField: { name, field }, initialQuery, close, ...size }: PickerProps) {
  const { kind, options = [] } = field;
  const several = kind === 'choices' || kind === 'references' || kind === 'strings';
  const { notices } = useStores();
  const [query, setQuery] = useState(initialQuery);
  const entry = form.submission.draft[name];
  const ids = isBlank(entry) ? [] : [entry].flat().map(String);
  const settle = (value: Entry) => {
    form.set(name, value);
    close();
  };
  const toggled = ({ id }: MenuItem) => {
    const ticked = ids.includes(id) ? ids.filter((item) => item !== id) : [...ids, id];
    // Options keep the order of their list.
    return kind === 'choices' ? options.filter((option) => ticked.includes(option)) : ticked;
  };
  const isTyped = query.trim() !== '';
  /** Takes the only item that matches, as it was meant by typing. */
  const asOnly = (item: MenuItem): MenuItem =>
    !isTyped || item.refusal || ids.includes(item.id) ? item : { ...item, run: () => settle(toggled(item)) };
  const end = () => {
    if (isBlank(entry)) notices.say('plain', `${field.label}: nothing is ticked; space ticks.`);
    close();
  };
  /**
   * Handles a key of the form that closes a picker: a searched item is chosen, as by enter; `tab` then moves to the next
   * field. If nothing was typed, nothing is chosen.
   */
  const leave = (item: MenuItem | undefined, key: string): void => {
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
    several,
    settle,
    choice: (id: string) => ({
      ...(several && { ticked: ids.includes(id) }),
      run: () => (several ? end() : settle(kind === 'boolean' ? id === 'yes' : id)),
    }),
    menu: (items: readonly MenuItem[]) => ({
      ...size,
      title: field.label,
      items: several && items.length === 1 ? items.map(asOnly) : items,
      close,
      leave,
      search: { query, setQuery, placeholder: several ? ticks : 'type to narrow' },
      ...(several && { tick: (item: MenuItem) => form.set(name, toggled(item)) }),
    }),
  };
}

/** Ranks how well an item matches, the least best; undefined if it does not. */
function rankOf(item: MenuItem, typed: string): number | undefined {
  const { id, label, detail = '' } = item;
  const [lowId, lowLabel] = [id.toLowerCase(), label.toLowerCase()];
  if (lowId === typed || lowLabel === typed) return -1;
  const text = `${lowLabel} ${lowId} ${detail.toLowerCase()}`;
  // Spaces need not be typed.
  const has = (word: string) => text.includes(word) || text.replaceAll(' ', '').includes(word);
  // Commas separate too, because space ticks an item.
  return (typed.toLowerCase().match(/[^\s,]+/g) ?? []).every(has) ? nameRank(item, typed) : undefined;
}

/** The items that match, the best first and otherwise in their order. */
export function matching(items: readonly MenuItem[], typed: string): readonly MenuItem[] {
  const ranked = items.flatMap((item) => {
    const rank = rankOf(item, typed);
    return rank === undefined ? [] : [{ item, rank }];
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}

/** Suggestions are searched in this many items only: each prefix goes through all of them. */
const maxSearched = 2000;

/** The number of suggestions if nothing matches. */
const maxSuggested = 3;

/**
 * The items that match a query. If none does: a line that cannot be chosen and names suggestions, then these.
 * @param number the number typed if the items are numbers, e.g. the 300 seconds of `5m`
 * @param becomes what the API would make of it, as the end of a sentence
 */
export function filterOptions(
  items: readonly MenuItem[],
  typed: string,
  number?: number,
  becomes = '',
): readonly MenuItem[] {
  const text = typed.trim().toLowerCase();
  if (text === '' || items.length === 0) return items;
  const found = number === undefined ? matching(items, text) : matchingNumbers(items, text, number);
  if (found.length > 0) return found;
  const near = number === undefined ? similarTo(items, text) : nearestNumbers(items, number);
  const names = near.map(({ label, detail }) => (number === undefined || !detail ? label : `${label} (${detail})`));
  const refusal = `is not offered${names.length > 0 ? `; the nearest: ${names.join(', ')}` : ''}${becomes}`;
  return [{ id: `not offered: ${text}`, label: typed.trim(), refusal, run: () => undefined }, ...near];
}

/** The item of this number, then those that begin with the text. */
function matchingNumbers(items: readonly MenuItem[], text: string, number: number): readonly MenuItem[] {
  const exact = items.find(({ id }) => id !== '' && Number(id) === number);
  const begun = items.filter(({ id }) => id.startsWith(text));
  return [...new Set([...(exact ? [exact] : []), ...begun])];
}

/** The next lower and the next higher number. */
function nearestNumbers(items: readonly MenuItem[], number: number): readonly MenuItem[] {
  const numbers = items.filter(({ id }) => /^\d+$/.test(id)).sort((one, other) => Number(one.id) - Number(other.id));
  const lower = numbers.findLast(({ id }) => Number(id) < number);
  const higher = numbers.find(({ id }) => Number(id) > number);
  return [lower, higher].filter((item) => item !== undefined);
}

/** The items whose labels have the letters in their order, else those that match the longest prefix of at least two. */
function similarTo(items: readonly MenuItem[], text: string): readonly MenuItem[] {
  const looked = items.slice(0, maxSearched);
  const labels = looked.map((item) => ({ item, label: prepared(item.label) }));
  const { found: spelt } = searchLabels(text, labels, maxSuggested);
  if (spelt.length > 0) return spelt.map(({ thing }) => thing.item);
  for (let length = text.length - 1; length > 1; length--) {
    const found = matching(looked, text.slice(0, length));
    if (found.length > 0) return found.slice(0, maxSuggested);
  }
  return [];
}

/** The number typed into a choice of numbers; seconds may have a unit, as in `5m`. */
export function typedNumber({ numeric }: Field, typed: string): number | undefined {
  if (!numeric) return undefined;
  if (numeric === 'seconds') return typedSeconds(typed);
  return /^\d+(?:\.\d+)?$/.test(typed.trim()) ? Number(typed) : undefined;
}

/** Chooses one of the options of a field, or ticks several. */
export function ChoicesPicker(props: PickerProps) {
  const { initialQuery } = props;
  const { field } = props.formField;
  const { query, entry, choice, menu } = usePicker(props);
  const items = (field.kind === 'boolean' ? ['yes', 'no'] : (field.options ?? [])).map(
    (option): MenuItem => ({ id: option, label: option, detail: field.optionHelp?.[option], ...choice(option) }),
  );
  const number = typedNumber(field, query);
  const present = displayText(isBlank(entry) ? field.fallback : entry);
  return (
    <Menu
      {...menu(filterOptions(items, query, number, roundedText(field, number)))}
      start={initialQuery === '' ? present : undefined}
    />
  );
}
