import type { Page } from '../api/pages.ts';
import type { Row } from '../resources/resource.ts';

/** A collection read to its end. */
export interface Whole {
  rows: readonly Row[];
  results: number;
}

/**
 * Reads all pages and gives every row once, in the order of the API. Rows that move between pages while they are read
 * come twice or not at all; twice is undone by id, and where some are missing all is read once more.
 * @param pages starts a reading from the first page
 * @param id the field that identifies a row
 * @param onPage told the rows so far after each page
 */
export async function readEveryRow(
  pages: () => AsyncGenerator<Page>,
  id: string,
  onPage: (rows: readonly Row[], results: number | undefined) => void,
): Promise<Whole> {
  const rows = new Map<unknown, Row>();
  for (let attempt = 1; ; attempt++) {
    let results: number | undefined;
    const latest = new Map<unknown, Row>();
    for await (const page of pages()) {
      results = page.results ?? results;
      for (const row of page.rows) {
        rows.set(row[id], row);
        latest.set(row[id], row);
      }
      onPage([...rows.values()], results);
    }
    const missing = results !== undefined && latest.size < results;
    if (!missing || attempt === 2) {
      const seen = missing ? rows : latest;
      return { rows: [...seen.values()], results: Math.max(results ?? 0, seen.size) };
    }
  }
}
