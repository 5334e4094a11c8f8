import type { CellFormat } from '../text/cellFormat.ts';

/** A share of something that is taken, shown as a bar. */
export interface Gauge {
  used: number;
  of: number;
  /** Both are written so. */
  format: CellFormat;
  /** A participle for the share: "allocated". */
  says: string;
}
