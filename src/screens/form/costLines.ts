import type { Theme } from '../../components/theme.ts';
import { costOf } from '../../resources/asking.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { Submission } from '../../store/changes/change.ts';
import { clean, wrapCells } from '../../text/cells.ts';

const label = 'Cost  ';

/** The price of a change before it is sent, `Cost  $24.00 + backups $5.00 = $29.00 a month`; no line where it has none. */
export function costLines(theme: Theme, submission: Submission, view: CacheView, width: number): readonly string[] {
  const { action, targets, draft } = submission;
  const rows = targets.map(({ row }) => row);
  const cost = costOf(action, rows, view, draft);
  if (cost === undefined) return [];
  return wrapCells(clean(cost), width - label.length).map((line, index) =>
    index === 0
      ? `${theme.paint('accent', label)}${theme.paint('title', line)}`
      : `${' '.repeat(label.length)}${theme.paint('title', line)}`,
  );
}
