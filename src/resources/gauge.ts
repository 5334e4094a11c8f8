import type { Look } from './look.ts';

/** A share of something that is taken, shown as a bar. */
export interface Gauge {
  used: number;
  of: number;
  /** Both are written so. */
  look: Exclude<Look, 'sparkline'>;
  /** A participle for the share: "allocated". */
  says: string;
}
