/** A statistic of servers that is summed up and compared. */
export type Load = (typeof loads)[number];

/** All of them, in the order in which they are offered. */
export const loads = ['cpu', 'networkIn', 'networkOut', 'io'] as const;

/** The past 24 hours of one load: means of half hours, the oldest first, NaN where there was no reading. */
export interface LoadDay {
  buckets: Float32Array;
  /** Means of five minutes, likewise; kept for the servers that were read last. */
  fine?: Float32Array;
  /** The newest reading, a mean of five minutes; the mean and the largest of all. */
  last?: number;
  mean?: number;
  max?: number;
}

/** The past 24 hours of a server; CPU in percent of one processor, the network in bit/s, I/O in blocks/s. */
export interface Day extends Readonly<Record<Load, LoadDay>> {
  /** The end of the last half hour, in ms since the epoch. */
  until: number;
}
