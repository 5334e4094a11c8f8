import { useState } from 'react';
import { useTheme } from '../../components/theme.ts';
import { type FormField, isBlank } from '../../resources/body.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type Entry, type Field, type Params, type Row } from '../../resources/resource.ts';
import { idOf, type Question } from '../../store/records.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { useCollection, useDeck } from '../useDeck.ts';
import { useMore } from '../useMore.ts';
import { rowDetail } from './rowDetail.ts';
import type { Form } from './useForm.ts';

interface ReferencePickerProps {
  form: Form;
  formField: FormField;
  close: () => void;
  width: number;
  height: number;
}

/** Picks the row or rows that a field refers to, or what they enter into a field that is typed; an id that is not in the list can be typed. */
export function ReferencePicker({ form, formField, close, width, height }: ReferencePickerProps) {
  const { known } = useDeck();
  const theme = useTheme();
  const [query, setQuery] = useState('');
  const { name, field } = formField;
  const { draft, subjects, params } = form.errand;
  const [subject] = subjects;
  const own: Params = subject?.params ?? params;
  const [first, second] = [field.to ?? []].flat().flatMap((to) => questionsFor(to, field, form, own));
  const one = useCollection(first);
  const other = useCollection(second);
  const entry = draft[name];
  const several = field.kind === 'references' || field.kind === 'strings';
  const ids = isBlank(entry) ? [] : [entry].flat().map(String);
  const chosen = new Set(ids);
  const sources = [
    { resource: first?.resource, collection: one },
    { resource: second?.resource, collection: other },
  ];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = sources.flatMap(({ resource, collection }) =>
    resource === undefined ? [] : (collection?.rows ?? []).map((row) => ({ resource, row })),
  );
  const offered = rows.filter(({ row }) => isOffered(row));
  const matching = offered.map(({ resource, row }) => itemOf(resource, row)).filter(matches);
  const items = [...new Map(matching.map((item) => [item.id, item])).values()].slice(0, 500);
  useMore(first, one, items.length < height);
  useMore(second, other, items.length < height);
  const loading = sources.some(({ collection }) => collection?.loading);
  const failure = sources.find(({ collection }) => collection?.error)?.collection?.error;
  const blank: MenuItem = { id: '', label: 'none', detail: 'leave it out', run: () => settle(undefined) };
  const typed = query.trim();
  const isId = field.kind !== 'device' && (field.textId === true || /^\d+$/.test(typed));
  const typedId: MenuItem = {
    id: `typed ${typed}`,
    label: typed,
    detail: 'use it as an id',
    run: () => settle(several ? [...ids, typed] : typed),
  };
  const extra = field.picks
    ? []
    : query === ''
      ? formField.required || several
        ? []
        : [blank]
      : items.length === 0 && !loading && isId
        ? [typedId]
        : [];

  /** Offered is what fits at least one of the rows that are changed. */
  function isOffered(row: Row): boolean {
    const { offers, picks } = field;
    if (picks && picks(row, draft, subject?.row) === undefined) return false;
    if (!offers) return true;
    const fits = (one: Row | undefined) => offers(row, draft, known, one, own);
    return subjects.length > 0 ? subjects.some((one) => fits(one.row)) : fits(undefined);
  }

  function settle(value: Entry): void {
    form.set(name, value);
    close();
  }

  /** Ends the choice of several; where nothing was ticked, the row under the cursor is meant. */
  function end(id: string): void {
    if (isBlank(entry)) form.set(name, [id]);
    close();
  }

  function itemOf(resource: string, row: Row): MenuItem {
    const description = resourceNamed(resource);
    const id = field.picks?.(row, draft, subject?.row) ?? referenceTo(field, resource, row);
    const label = description.label(row);
    return {
      id,
      label,
      detail: [label === id ? '' : id, at(row, 'region'), rowDetail(description, row, known, theme.glyphs)]
        .filter(Boolean)
        .join('  '),
      ...(several && { ticked: chosen.has(id) }),
      run: () => (several ? end(id) : settle(id)),
    };
  }

  function matches({ label, detail = '' }: MenuItem): boolean {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  }

  const tick = ({ id }: MenuItem) => form.set(name, chosen.has(id) ? ids.filter((item) => item !== id) : [...ids, id]);
  return (
    <Menu
      title={field.label}
      items={[...extra, ...items]}
      width={width}
      height={height}
      close={close}
      start={several ? undefined : ids[0]}
      search={{ query, setQuery, placeholder: several ? 'type to narrow, tab ticks, enter ends' : 'type to narrow' }}
      none={
        failure?.message ??
        (loading
          ? 'Reading …'
          : query === ''
            ? 'There is nothing to choose from.'
            : 'Nothing matches; ctrl-u clears what is typed.')
      }
      tick={several ? tick : undefined}
    />
  );
}

/** How a field refers to a row. */
function referenceTo({ kind }: Field, resource: string, row: Row): string {
  const id = idOf(resourceNamed(resource), row);
  return kind === 'device' ? `${resource}/${id}` : id;
}

/** The lists to choose from: below the parents that the field names, where they lie under any. */
function questionsFor(to: string, field: Field, form: Form, own: Params): readonly Question[] {
  const { under, sections = [] } = resourceNamed(to);
  const params = under ? field.under?.(form.errand.draft, own) : {};
  if (!params) return [];
  const operations = new Set(sections.length > 0 ? sections.map(({ operation = 'list' }) => operation) : ['list']);
  return [...operations].map((operation) => ({ resource: to, operation, params }));
}
