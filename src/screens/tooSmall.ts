const narrowest = { columns: 60, rows: 16 };

/** What is said where a window has too few cells for any screen; undefined where it has enough. */
export function tooSmall(columns: number, rows: number): string | undefined {
  if (columns >= narrowest.columns && rows >= narrowest.rows) return undefined;
  return `Skydeck needs ${narrowest.columns} columns and ${narrowest.rows} rows; here are ${columns} and ${rows}.`;
}
