import type { Row } from '../../resources/resource.ts';
import { noneMatching } from '../../resources/wording.ts';
import type { OwnView } from '../../store/views/userViews.ts';
import type { Timestamp } from '../../text/times.ts';
import type { BoardDocument, SnapshotDocument } from '../document.ts';
import type { ListFlags } from '../invocation.ts';
import type { AccountLine } from '../views/accountColumns.ts';
import { narrowed } from '../views/listFlags.ts';
import { accountsBoard } from './accountsSnapshot.ts';

/** A snapshot with as many rows as options ask for, of all accounts together; the board of accounts also in their order. */
export function shownDocument(
  document: SnapshotDocument,
  view: OwnView | undefined,
  list: ListFlags,
  now: Timestamp,
): SnapshotDocument {
  const { area, rows, table, sections, report } = document;
  if (!view) return document;
  if (area === 'accounts') {
    const lines = narrowed((rows ?? []) as AccountLine[], (line) => line as unknown as Row, view, list, now);
    return { ...document, ...accountsBoard(lines, noneMatching(view.resource, view.filter)) };
  }
  const { limit } = list;
  if (limit === undefined) return document;
  const short = table && { ...table, rows: table.rows.slice(0, limit) };
  const cut: BoardDocument = {
    rows: rows?.slice(0, limit),
    table: short,
    sections: sections.map((section) => (short && section === table ? short : section)),
  };
  // The rows of a board of problems are these.
  return {
    ...document,
    ...cut,
    report: report && !rows ? { ...report, problems: report.problems.slice(0, limit) } : report,
  };
}
