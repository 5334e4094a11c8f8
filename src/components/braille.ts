/** The dots that a cell is divided into, and the characters that show them. */
export interface Dots {
  /** Dots beside each other in one cell. */
  across: number;
  /** Dots above each other in one cell. */
  down: number;
  /** The character for the dots of a cell: bit `row * across + column`, rows from the top. The mark of the series without it. */
  glyph?: (bits: number) => string;
}

/** The marks of the first series, second, and so on; they tell series apart without colour. */
export const seriesMarks = { unicode: '●■▲◆▼★○□', ascii: '*+ox#@%&' } as const;

const brailleBits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

/** The ways to draw a line: eight dots a cell, two halves of a cell, or one mark of the series. */
export const drawings = {
  braille: {
    across: 2,
    down: 4,
    glyph: (bits) =>
      String.fromCharCode(brailleBits.reduce((code, bit, index) => (bits & (1 << index) ? code + bit : code), 0x2800)),
  },
  blocks: { across: 1, down: 2, glyph: (bits) => ['', '▀', '▄', '█'][bits] ?? '█' },
  ascii: { across: 1, down: 1 },
} as const satisfies Record<string, Dots>;

/** The name of one of the ways to draw a line. */
export type Drawing = keyof typeof drawings;

/** The character of one cell. */
export interface Drawn {
  /** Undefined where the mark of the series stands there. */
  glyph: string | undefined;
  series: number;
}

/** A field of dots, `columns` × `rows` cells; dots are counted from the left and from the bottom. */
export interface Canvas {
  /** Dots from left to right. */
  width: number;
  /** Dots from bottom to top. */
  height: number;
  /** Sets the dots of a column between two heights, both included. */
  rise(x: number, from: number, to: number, series: number): void;
  /** A line between two dots; dashed, every other pair of cells stays blank. */
  line(fromX: number, fromY: number, toX: number, toY: number, series: number, isDashed?: boolean): void;
  /** The character of a cell, rows counted from the top; the series with the most dots there gives the colour. */
  at(column: number, row: number): Drawn | undefined;
}

/** An empty field of dots. */
export function canvas(columns: number, rows: number, dots: Dots, seriesCount: number): Canvas {
  const { across, down, glyph } = dots;
  const [width, height] = [columns * across, rows * down];
  const layers = Array.from({ length: seriesCount }, () => new Uint8Array(columns * rows));

  const rise: Canvas['rise'] = (x, from, to, series) => {
    const layer = layers[series];
    if (!layer || x < 0 || x >= width) return;
    const [least, most] = [Math.max(0, Math.min(from, to)), Math.min(height - 1, Math.max(from, to))];
    for (let y = least; y <= most; y += 1) {
      const top = height - 1 - y;
      const index = Math.floor(top / down) * columns + Math.floor(x / across);
      layer[index] = (layer[index] ?? 0) | (1 << ((top % down) * across + (x % across)));
    }
  };

  const line: Canvas['line'] = (fromX, fromY, toX, toY, series, isDashed = false) => {
    const isBlank = (x: number) => isDashed && Math.floor(x / across) % 4 >= 2;
    const span = toX - fromX;
    if (span <= 0) return isBlank(fromX) ? undefined : rise(fromX, fromY, toY, series);
    let last = fromY;
    for (let x = fromX; x <= toX; x += 1) {
      const y = Math.round(fromY + ((toY - fromY) * (x - fromX)) / span);
      if (!isBlank(x)) rise(x, Math.abs(y - last) > 1 ? last + Math.sign(y - last) : y, y, series);
      last = y;
    }
  };

  const at: Canvas['at'] = (column, row) => {
    const index = row * columns + column;
    let [bits, series, most] = [0, 0, 0];
    layers.forEach((layer, number) => {
      const own = layer[index] ?? 0;
      const count = bitCount(own);
      if (count > most) [series, most] = [number, count];
      bits |= own;
    });
    return bits === 0 ? undefined : { glyph: glyph?.(bits), series };
  };

  return { width, height, rise, line, at };
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}
