import type { KeyMistake } from '../../config/lines.ts';
import type { ConfigCheck } from '../../config/parseConfig.ts';
import { resourceCalled, resources } from '../../resources/index.ts';
import { type Column, emptyView, type Resource } from '../../resources/resource.ts';
import { titled } from '../../store/filter/fields.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import { oddWords } from '../../store/filter/hints.ts';
import { columnCalled, type ViewConfig, withChosen } from '../../store/views/columns.ts';
import { listCalled, sectionCalled, wrongName } from '../../store/views/userViews.ts';
import { nearest, orSuggestion } from '../../text/nearest.ts';
import { withoutStop } from '../../text/words.ts';

/** Finds views of lists, sections, columns and orders that do not exist, and filters that cannot be read. */
export const checkViews: ConfigCheck = ({ views }, complain, warn) => {
  const keys = new Map<string, string>();
  for (const [name, view] of Object.entries(views)) {
    const wrong = wrongName(name);
    const other = view.key === undefined ? undefined : keys.get(view.key);
    if (view.key !== undefined) keys.set(view.key, name);
    if (wrong) complain(['views', name], wrong);
    if (other !== undefined) complain(['views', name, 'key'], `is the key of the view ${other} already`);
    const mistakes = mistakesIn(view);
    for (const { path, says } of mistakes) complain(['views', name, ...path], says);
    const columns = mistakes.length > 0 ? undefined : listCalled(view.area)?.columns;
    const odd = columns && oddWords(view.filter ?? '', columns).says;
    if (odd !== undefined) warn(['views', name, 'filter'], odd);
  }
};

/** The mistakes of a view; `says` is the end of a sentence. */
function mistakesIn(view: ViewConfig): readonly KeyMistake[] {
  const resource = listCalled(view.area);
  if (!resource) {
    const names = resources.filter(({ name }) => listCalled(name)).map(({ name }) => name);
    const parent = resourceCalled(view.area)?.under;
    const way = parent ? `, whose rows lie under ${parent}` : orSuggestion(view.area.toLowerCase(), names);
    const says = `names no list: ${view.area}${withoutStop(way)} The lists are ${names.join(', ')}`;
    return [{ path: ['area'], says }];
  }
  return mistakesOfList(resource, view);
}

/** The mistakes in how a list is to be shown. */
export function mistakesOfList(resource: Resource, view: Omit<ViewConfig, 'area'>): readonly KeyMistake[] {
  const mistakes: KeyMistake[] = [];
  const { sections = [] } = resource;
  if (view.section !== undefined && !sectionCalled(resource, view.section)) {
    const titles = sections.map(({ title }) => title);
    const rule =
      titles.length === 0
        ? `; ${resource.name} have none`
        : `${orSuggestion(view.section, titles)} They are ${titles.join(', ')}`;
    mistakes.push({ path: ['section'], says: `is no section: ${view.section}${rule}` });
  }
  const chosen = (view.columns ?? []).map((column) => (typeof column === 'string' ? { value: column } : column));
  for (const [index, { value }] of chosen.entries()) {
    const meant = columnCalled(resource.columns, value) ? undefined : misspelt(value, resource.columns);
    if (value === '') mistakes.push({ path: ['columns', index], says: 'names a column without a name; leave it out' });
    else if (meant) mistakes.push({ path: ['columns', index], says: `is no column: ${value}; did you mean ${meant}?` });
  }
  const real = chosen.filter(
    ({ value }) => columnCalled(resource.columns, value) || !misspelt(value, resource.columns),
  );
  const { columns } = withChosen(resource, resource.columns, real);
  const sort = view.sort?.replace(/^-/, '');
  if (sort !== undefined && !columnCalled(columns, sort)) {
    const names = columns.map(titled);
    const odd = sort === '' ? 'names no column.' : `is no column: ${sort}${orSuggestion(sort.toLowerCase(), names)}`;
    const says = `${odd} They are ${names.join(', ')}`;
    mistakes.push({ path: ['sort'], says });
  }
  const filter = parseFilter(view.filter ?? '', columns, emptyView);
  if ('error' in filter) mistakes.push({ path: ['filter'], says: `cannot be read: ${filter.error}` });
  return mistakes;
}

/** The column that a word is nearly; a path of the row, which may have any, has a dot or an underscore. */
const misspelt = (value: string, columns: readonly Column[]): string | undefined =>
  /[._]/.test(value) ? undefined : nearest(value.toLowerCase(), columns.map(titled));
