import { fitSpans } from '../../components/spans.ts';
import { idIn, liesUnder } from '../../resources/identity.ts';
import type { Params, Row } from '../../resources/resource.ts';
import { valueChanges } from '../../store/history/valueChanges.ts';
import type { KeptChangesState } from '../../store/kept/keptChanges.ts';
import { cell, clean } from '../../text/cells.ts';
import { momentWords } from '../../text/times.ts';
import { changeSpans } from '../history/changeSpans.ts';
import type { LineContext } from '../history/historyLines.ts';
import type { TileLine } from '../home/tile.ts';
import type { OverviewBlock } from './layout.ts';

interface ChangedParts extends LineContext {
  params: Params;
  row: Row;
  lists: KeptChangesState['lists'];
}

const nameWidth = 16;

/** Lists the values of a row that an earlier session has read otherwise; undefined where none is known. */
export function changedBlock({
  resource,
  params,
  row,
  lists,
  theme,
  now,
  width,
}: ChangedParts): OverviewBlock | undefined {
  const id = idIn(resource, params) ?? '';
  const list = Object.values(lists).find(
    (one) =>
      one.resource === resource.name &&
      liesUnder(params, one.query.params) &&
      (one.came.has(id) || one.changed.has(id)),
  );
  if (!list) return undefined;
  const before = list.changed.get(id);
  const changes = before ? valueChanges(resource, before, row) : [];
  if (before && changes.length === 0) return undefined;
  const lines = changes.map((change): TileLine => {
    const path = change.path.join('.');
    const name = clean(path).padEnd(nameWidth);
    const spans = fitSpans(changeSpans(resource, change, theme), Math.max(8, width - 4 - name.length));
    return { id: `changed:${path}`, draw: () => [{ text: `  ${cell(name, name.length)}  `, role: 'dim' }, ...spans] };
  });
  return {
    name: 'changed',
    title: `Since ${momentWords(list.since, now)}`,
    figures: [{ text: before ? `${changes.length} changed` : 'new', role: 'warn' }],
    lines,
    usual: 4,
  };
}
