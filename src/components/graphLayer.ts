import type { Span } from './spans.ts';
import type { Role } from './theme.ts';

/** A field of single cells that are written over one another, and read out line by line. */
export interface Layer {
  /** Writes a text from a cell on; what lies outside is dropped. */
  put(column: number, row: number, text: string, role: Role): void;
  /** Whether nothing, or only what has this role, stands between two columns. */
  isFree(row: number, from: number, to: number, role: Role): boolean;
  /** One line, neighbours of the same role together. */
  spans(row: number): readonly Span[];
}

/** An empty field of `columns` × `rows` cells. */
export function layer(columns: number, rows: number): Layer {
  const texts: string[] = Array.from({ length: columns * rows }, () => ' ');
  const roles: (Role | undefined)[] = Array.from({ length: columns * rows }, () => undefined);

  const put: Layer['put'] = (column, row, text, role) => {
    if (row < 0 || row >= rows) return;
    [...text].forEach((character, offset) => {
      const at = column + offset;
      if (at < 0 || at >= columns) return;
      texts[row * columns + at] = character;
      roles[row * columns + at] = role;
    });
  };

  const isFree: Layer['isFree'] = (row, from, to, role) =>
    roles.slice(row * columns + from, row * columns + to).every((own) => own === undefined || own === role);

  const spans: Layer['spans'] = (row) => {
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
