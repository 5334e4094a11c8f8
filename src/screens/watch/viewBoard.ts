import { memoizeOne } from '../../resources/memoize.ts';
import type { Row } from '../../resources/resource.ts';
import { viewWith } from '../../resources/row.ts';
import type { OwnView } from '../../store/views/userViews.ts';
import { grouped } from '../../text/numbers.ts';
import { linkToList } from '../home/tile.ts';
import { createListRows } from '../list/listRows.ts';
import { queriesAbout } from '../list/useAskedRows.ts';
import { withActivity } from './activityBoard.ts';
import type { Board } from './board.ts';
import { ownedBy, rowsUnder } from './rowsBoard.ts';

/** So many rows are asked about for a filter or an order at once. */
const maxAsked = 100;

/** The list of one of the user's own views. */
export function viewBoard({ name, resource, section, filter, sort }: OwnView): Board {
  const rowsOf = createListRows();
  const belonging = memoizeOne((rows: readonly Row[]) => (section ? rows.filter(section.only) : rows));
  let isAsking = false;
  return {
    name,
    title: name,
    reads: [resource.name, ...(resource.reads ?? [])],
    isEmpty: (view) => belonging(view.rows(resource.name)).length === 0,
    draw: (accounts, context) => {
      const [account] = accounts;
      const { data, profile } = account;
      // Another view makes the filter look again at what was answered meanwhile.
      const view = isAsking ? viewWith(data.view, {}) : data.view;
      const all = belonging(data.view.rows(resource.name));
      const { rows, asked } = rowsOf(resource, all, { filter, sort: sort ?? resource.sort }, view);
      isAsking = asked.length > 0;
      const count = filter === '' ? grouped(rows.length) : `${grouped(rows.length)} of ${grouped(all.length)}`;
      const tile = {
        name: 'servers' as const,
        title: resource.many,
        figures: [{ text: count }, ...(filter === '' ? [] : [{ text: filter, role: 'dim' as const }])],
        link: linkToList(resource.name),
        lines: [],
      };
      const content = rowsUnder(tile, resource, ownedBy(account, rows), accounts, context);
      const queries = asked.flatMap(({ operation, rows: those }) =>
        queriesAbout(resource, those.slice(0, maxAsked), [operation]),
      );
      const queriesOf = { [profile]: [...queries, ...(content.queriesOf?.[profile] ?? [])] };
      return withActivity({ ...content, queriesOf }, accounts, context);
    },
  };
}
