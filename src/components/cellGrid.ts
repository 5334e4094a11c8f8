import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

/** A grid of cells that are overwritten one by one and read line by line. */
export interface CellGrid {
  /** Writes a text from a cell to the right; characters outside of the grid are dropped. */
  put(column: number, row: number, text: string, role: Role): void;
  /** Whether all cells between two columns are empty or have this role. */
  isFree(row: number, from: number, to: number, role: Role): boolean;
  /** One line; neighbours of the same role share a span. */
  spans(row: number): readonly Span[];
}

/** Creates an empty grid of `columns` × `rows` cells. */
export function cellGrid(columns: number, rows: number): CellGrid {
  const texts: string[] = Array.from({ length: columns * rows }, () => ' ');
  const roles: (Role | undefined)[] = Array.from({ length: columns * rows }, () => undefined);

  const put: CellGrid['put'] = (column, row, text, role) => {
    if (row < 0 || row >= rows) return;
    [...text].forEach((character, offset) => {
      const at = column + offset;
      if (at < 0 || at >= columns) return;
      texts[row * columns + at] = character;
      roles[row * columns + at] = role;
    });
  };

  const isFree: CellGrid['isFree'] = (row, from, to, role) =>
    roles.slice(row * columns + from, row * columns + to).every((own) => own === undefined || own === role);

  const spans: CellGrid['spans'] = (row) => {
    const found: Span[] = [];
    for (let index = row * columns; index < (row + 1) * columns; index += 1) {
      const before = found.at(-1);
      const [text, role] = [texts[index] ?? ' ', roles[index]];
      if (before && before.role === role) before.text += text;
      else found.push({ text, role });
    }
    return found;
  };

  return { put, isFree, spans };
}
