/** The wall monitor shows these, one after the other. */
export const boardNames = ['home', 'problems', 'servers', 'fleet', 'nodebalancers', 'managed', 'activity'] as const;

export type BoardName = (typeof boardNames)[number];
