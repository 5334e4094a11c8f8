import { weighted } from '../chance.ts';

/**
 * The ways in which a request can go wrong:
 * - `refused`: there is no connection
 * - `dropped`: the connection breaks before it arrives; `silent`: it does not arrive, and nothing ever comes back
 * - `lost`: it is done, and the connection breaks before the answer; `mute`: it is done, and nothing ever comes back
 * - `cut`: it is done, and the connection breaks in the middle of the answer; `short`: the answer ends there
 * - `slow`: the answer takes its time, and may come too late
 * - `done, 500`, `done, 502`: it is done, and a gateway says that it failed
 * - a status: it is refused, and not done; 429 asks for a pause
 * - `killed before`, `killed after`, `killed answered`: the process ends before it is sent, after it is done, or as the
 *   answer comes
 */
export type Fault = (typeof faults)[number];

export const faults = [
  ...(['refused', 'dropped', 'silent', 'lost', 'mute', 'cut', 'short', 'slow', 'done, 500', 'done, 502'] as const),
  ...(['400', '403', '404', '409', '429', '500', '502', '503'] as const),
  ...(['killed before', 'killed after', 'killed answered'] as const),
] as const;

/** A fault of the requests of a deed: of the nth that reads, or of the nth that changes something, from 0 on. */
export interface Planned {
  readonly of: 'read' | 'write';
  readonly nth: number;
  readonly how: Fault;
}

/** The weights of the faults of reads, and of changes, whose answers matter more. */
const weights: Readonly<Record<Planned['of'], Readonly<Partial<Record<Fault, number>>>>> = {
  write: {
    ...{
      refused: 1,
      dropped: 3,
      silent: 2,
      lost: 5,
      mute: 3,
      cut: 2,
      short: 1,
      slow: 3,
      'done, 500': 1,
      'done, 502': 1,
    },
    ...{ 400: 2, 403: 1, 404: 1, 409: 1, 429: 2, 500: 1, 502: 1, 503: 1 },
    ...{ 'killed before': 2, 'killed after': 3, 'killed answered': 2 },
  },
  read: {
    ...{ refused: 2, dropped: 3, silent: 1, cut: 1, short: 1, slow: 3, 404: 1, 403: 1, 429: 2, 500: 1, 502: 1, 503: 1 },
    ...{ 'killed before': 1, 'killed answered': 1 },
  },
};

/**
 * The faults of one deed.
 * @param trouble how likely it is that there are any
 */
export function drawFaults(random: () => number, trouble: number): readonly Planned[] {
  if (random() >= trouble) return [];
  const count = random() < 0.75 ? 1 : 2;
  return Array.from({ length: count }, () => {
    const of = random() < 0.75 ? 'write' : 'read';
    const nth = Math.floor(random() * random() * (of === 'write' ? 4 : 8));
    const how = weighted(random, Object.entries(weights[of]) as [Fault, number][]);
    return { of, nth, how };
  });
}
