import { type CacheView, isRow, type Resource, type Row } from '../../resources/resource.ts';
import { type FilterField, fieldNamed, isAbsent, watchedView } from '../filter/fields.ts';
import { parseFilter } from '../filter/filter.ts';
import { type FilterMistake, type Term, termsOf } from '../filter/terms.ts';

/** The values without which it is not known whether a filter finds a row. */
export interface Missing {
  fields: readonly string[];
  /** Resources whose lists are not read. */
  resources: readonly string[];
}

/** Whether a filter finds a row; not told where something is missing. */
export type Found = 'yes' | 'no' | Missing;

/** A filter that knows what it does not know, or an error with its position in the text. */
export type GuardFilter = { find: (row: Row, given?: ReadonlySet<string>) => Found } | FilterMistake;

/**
 * Parses the filter of a guard. It differs from that of a list where a value is missing: a list leaves such a row out,
 * a guard must not let it pass. Fields that are read for themselves, such as the load, cannot be used.
 */
export function guardFilter(where: string, { columns }: Resource, view: CacheView): GuardFilter {
  const missing = { fields: new Set<string>(), resources: new Set<string>() };
  const watched = watchedView(view, (resource) => missing.resources.add(resource));
  const terms = termsOf(where);
  const tests: { term: Term; matches: (row: Row) => boolean; told: readonly FilterField[] }[] = [];
  for (const [index, term] of terms.entries()) {
    const from = term.from;
    const filter = parseFilter(where.slice(from, terms[index + 1]?.from ?? where.length), columns, watched);
    if ('error' in filter) return { ...filter, position: from + filter.position };
    const told: FilterField[] = [];
    for (const { field, at } of term.alternatives) {
      const found = field === undefined ? undefined : fieldNamed(field, columns, view);
      if (found?.fetches)
        return { error: `${found.name} is read row by row, which no guard can wait for`, position: at };
      if (found?.toldBy) told.push(found);
    }
    tests.push({ term, matches: filter.matches, told });
  }
  return {
    find(row, given = new Set()) {
      const unknown: Missing[] = [];
      const looked = watchedRow(row, given, (field) => missing.fields.add(field));
      for (const { term, matches, told } of tests) {
        missing.fields.clear();
        missing.resources.clear();
        const isFound = matches(looked);
        for (const { name, read } of told) if (isAbsent(read(row))) missing.fields.add(name);
        const isKnown = missing.fields.size + missing.resources.size === 0;
        // A word that stands in one column is found, whatever the others hold.
        if (isKnown || (isFound && !term.isNegated && term.alternatives.every(({ field }) => field === undefined))) {
          if (!isFound) return 'no';
        } else unknown.push({ fields: [...missing.fields], resources: [...missing.resources] });
      }
      if (unknown.length === 0) return 'yes';
      return {
        fields: [...new Set(unknown.flatMap(({ fields }) => fields))],
        resources: [...new Set(unknown.flatMap(({ resources }) => resources))],
      };
    },
  };
}

/**
 * A copy of a row that notes each field that is looked at and is not there; one that is null is known to have no value.
 * @param given fields whose absence is known to mean that there is no value
 */
const watchedRow = (row: Row, given: ReadonlySet<string>, note: (field: string) => void, path = ''): Row =>
  new Proxy(
    { ...row },
    {
      get(target, key) {
        const value = Reflect.get(target, key);
        if (typeof key !== 'string' || key === 'toJSON') return value;
        const field = path + key;
        const [first = ''] = field.split('.');
        if (value === undefined && !given.has(first)) note(field);
        return isRow(value) ? watchedRow(value, given, note, `${field}.`) : value;
      },
    },
  );
