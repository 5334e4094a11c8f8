import type { Theme } from '../../components/theme.ts';
import { costOf, savedBy } from '../../resources/asking.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Submission } from '../../store/changes/change.ts';
import { clean, wrapCells } from '../../text/cells.ts';

/** The price of a change before it is sent, `Cost  $24.00 + backups $5.00 = $29.00 a month`, or what a deletion saves; no line where it has none. */
export function costLines(theme: Theme, submission: Submission, view: CacheView, width: number): readonly string[] {
  const { resource, action, targets, draft } = submission;
  const rows = targets.map(({ row }) => row);
  const isRemoved = action === resource.remove;
  const label = isRemoved ? 'Saves  ' : 'Cost  ';
  const cost = isRemoved ? savedBy(resource, rows, view) : costOf(action, rows, view, draft);
  if (cost === undefined) return [];
  return wrapCells(clean(cost), width - label.length).map((line, index) =>
    index === 0
      ? `${theme.paint('accent', label)}${theme.paint('title', line)}`
      : `${' '.repeat(label.length)}${theme.paint('title', line)}`,
  );
}
