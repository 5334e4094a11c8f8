/** The boards of the wall monitor, in their order. */
export const boardNames = [
  'home',
  'problems',
  'servers',
  'fleet',
  'nodebalancers',
  'managed',
  'activity',
  'big',
] as const;

export type BoardName = (typeof boardNames)[number];
