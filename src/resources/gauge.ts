import type { Look } from './look.ts';

/** How much of something is taken, shown as a bar. */
export interface Gauge {
  used: number;
  of: number;
  /** How both are written. */
  look: Exclude<Look, 'sparkline'>;
  /** What has become of what is used, as a participle: "allocated". */
  says: string;
}
