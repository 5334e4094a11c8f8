import { redacted } from '../../api/redact.ts';
import type { CacheView, Column, Resource, Row } from '../../resources/resource.ts';
import { csv } from '../../text/csv.ts';
import { visibleJson } from '../../text/escapes.ts';
import { valueIn } from '../filter/fields.ts';

export const exportFormats = ['csv', 'json'] as const;

/** Rows of a list as a file has them, like a snapshot: as CSV with its columns, as JSON whole; without secrets. */
export function exportText(
  format: (typeof exportFormats)[number],
  { name }: Resource,
  columns: readonly Column[],
  rows: readonly Row[],
  view: CacheView,
): string {
  const whole = rows.map((row) => redacted(row) as Row);
  if (format === 'json')
    return `${visibleJson({ area: name, takenAt: new Date(view.now).toISOString(), rows: whole }, 2)}\n`;
  return csv(
    columns.map((column) => ({ title: column.title, value: (row: Row) => valueIn(row, column, view) })),
    whole,
  );
}
