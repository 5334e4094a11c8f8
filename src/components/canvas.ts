import type { Glyphs } from './format.ts';

/** The dots of one cell. */
export interface DotGrid {
  /** Dots from left to right. */
  across: number;
  /** Dots from top to bottom. */
  down: number;
  /** The character for the dots that are set: bit `row * across + column`, rows from the top. The mark of the series without it. */
  glyph?: (bits: number) => string;
}

/** The marks of the series in their order; they distinguish series without colour. */
export const seriesMarks = { unicode: '●■▲◆▼★○□', ascii: '*+ox#@%&' } as const;

const brailleBits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

/** Lines are drawn in braille, with eight dots a cell, or in ASCII with the mark of the series. */
export const dotGrids: Readonly<Record<Glyphs, DotGrid>> = {
  unicode: {
    across: 2,
    down: 4,
    glyph: (bits) =>
      String.fromCharCode(brailleBits.reduce((code, bit, index) => (bits & (1 << index) ? code + bit : code), 0x2800)),
  },
  ascii: { across: 1, down: 1 },
};

/** Creates an empty canvas of `columns` × `rows` cells. Its dots are counted from the left and from the bottom. */
export function canvas(columns: number, rows: number, grid: DotGrid, seriesCount: number) {
  const { across, down, glyph } = grid;
  const [width, height] = [columns * across, rows * down];
  const layers = Array.from({ length: seriesCount }, () => new Uint8Array(columns * rows));

  /** Sets the dots of a column between two heights, both included. */
  function column(x: number, from: number, to: number, series: number): void {
    const layer = layers[series];
    if (!layer || x < 0 || x >= width) return;
    const [bottom, top] = [Math.max(0, Math.min(from, to)), Math.min(height - 1, Math.max(from, to))];
    for (let y = bottom; y <= top; y += 1) {
      const fromTop = height - 1 - y;
      const index = Math.floor(fromTop / down) * columns + Math.floor(x / across);
      layer[index] = (layer[index] ?? 0) | (1 << ((fromTop % down) * across + (x % across)));
    }
  }

  /** Draws a line between two dots; of a dashed one every other pair of cells stays blank. */
  function line(fromX: number, fromY: number, toX: number, toY: number, series: number, isDashed: boolean) {
    const isBlank = (x: number) => isDashed && Math.floor(x / across) % 4 >= 2;
    const span = toX - fromX;
    if (span <= 0 && !isBlank(fromX)) column(fromX, fromY, toY, series);
    if (span <= 0) return;
    let last = fromY;
    for (let x = fromX; x <= toX; x += 1) {
      const y = Math.round(fromY + ((toY - fromY) * (x - fromX)) / span);
      if (!isBlank(x)) column(x, Math.abs(y - last) > 1 ? last + Math.sign(y - last) : y, y, series);
      last = y;
    }
  }

  /**
   * The cell of a column and row, rows from the top; it belongs to the series with the most dots in it, whose mark it has
   * where it has no glyph.
   */
  function at(cellColumn: number, row: number): { glyph: string | undefined; series: number } | undefined {
    const index = row * columns + cellColumn;
    let [bits, series, highestCount] = [0, 0, 0];
    layers.forEach((layer, number) => {
      const own = layer[index] ?? 0;
      const count = bitCount(own);
      if (count > highestCount) [series, highestCount] = [number, count];
      bits |= own;
    });
    return bits === 0 ? undefined : { glyph: glyph?.(bits), series };
  }

  return { column, line, at };
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
