import { nodesUp } from '../../config/planSchema.ts';
import { privateAddressOf } from '../../resources/networking/nodeText.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { plural, statusOf } from '../../resources/wording.ts';
import { capitalized } from '../../text/words.ts';
import type { Change, Tempo } from '../changes/change.ts';
import { type PlanStep, spanText, type Wait } from './plan.ts';
import { isTransient } from './stale.ts';

/** The spans that are offered. */
const spans = ['2m', '5m', '10m', '30m', '1h'];

/** The tempo that is offered first. */
export const firstTempo = (isCareful: boolean): Tempo => ({ within: '10m', ...(isCareful && { atATime: 1 }) });

/** The next tempo of those for so many rows. */
export function nextTempo(tempo: Tempo, count: number): Tempo {
  const offered = [1, 2, 3, 5, 10].filter((one) => one === 1 || one < count);
  return { ...tempo, atATime: tempo.atATime === undefined ? 1 : offered[offered.indexOf(tempo.atATime) + 1] };
}

/** The same with the next longer time. */
export const longerTempo = (tempo: Tempo): Tempo => ({
  ...tempo,
  within: spans[(spans.indexOf(tempo.within) + 1) % spans.length] ?? '10m',
});

/** `one by one`, `2 at a time`; of all at once what that is. */
export const tempoText = ({ atATime }: Tempo, atOnce = 'all at once'): string =>
  atATime === undefined ? atOnce : atATime === 1 ? 'one by one' : `${atATime} at a time`;

/** The conditions that a change of a row is waited for, besides the end of its job. */
function conditionsOf({ resource, action, before }: Change, row: Row | undefined = before): readonly string[] {
  const { reaches, isJob } = action.shownBy ?? {};
  if (action === resource.remove || !row) return [];
  const { words = [] } = resource.columns.find(({ format }) => format === 'status') ?? {};
  const now = statusOf(row);
  const rests = isJob && words.includes(now) && !isTransient(row) ? now : undefined;
  const wanted = reaches ?? rests;
  const isServing = action.disrupts && wanted !== 'offline' && privateAddressOf(row) !== undefined;
  return [...(wanted === undefined ? [] : [wanted]), ...(isServing ? [nodesUp] : [])];
}

/** The wait behind a step, by its place among those that go at a tempo; undefined where there is none. */
export function waitAt(
  { atATime, within }: Tempo,
  change: Change,
  row: Row | undefined,
  place: number,
  count: number,
): Wait | undefined {
  if (atATime === undefined) return undefined;
  const conditions = conditionsOf(change, row);
  const meanwhile = Math.min(atATime - 1 - (place % atATime), count - 1 - place);
  return { ...(conditions.length > 0 && { for: conditions }), within, ...(meanwhile > 0 && { meanwhile }) };
}

/** Tells as a sentence for what a step waits; undefined where it does not. */
export function waitText({ wait }: Pick<PlanStep, 'wait'>, { one }: Pick<Resource, 'one'>): string | undefined {
  if (!wait) return undefined;
  const states = (wait.for ?? []).filter((word) => word !== nodesUp);
  const nodes = wait.for?.includes(nodesUp) ? ['the nodes that it serves are up again'] : [];
  const ends = [
    `this ${one} has no job any more`,
    ...states.map((state) => `it is ${state.replaceAll('_', ' ')}`),
    ...nodes,
  ];
  const { meanwhile = 0 } = wait;
  const ahead =
    meanwhile === 0 ? '' : `; ${meanwhile === 1 ? 'the next step goes' : `the next ${meanwhile} steps go`} meanwhile`;
  return `Then waits until ${joined(ends)}, at most ${spanText(wait)}${ahead}.`;
}

const joined = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ');

/** The meaning of a tempo for rows of a resource, as a sentence. */
export function tempoSays(tempo: Tempo, waits: readonly Wait[], resource: Pick<Resource, 'one' | 'many'>): string {
  const { atATime, within } = tempo;
  if (atATime === undefined) return '';
  const known = new Set(waits.flatMap((wait) => wait.for ?? []));
  const states = [...known].filter((word) => word !== nodesUp);
  const state =
    states.length === 0 ? [] : [states.length === 1 ? `is ${states[0]?.replaceAll('_', ' ')}` : 'is as it was'];
  const ends = joined(['has no job any more', ...state, ...(known.has(nodesUp) ? ['has its nodes up again'] : [])]);
  const which =
    atATime === 1
      ? `each waits until the ${resource.one} before`
      : `the next ${atATime} wait until each ${resource.one} before`;
  return `${capitalized(which)} ${ends}, at most ${spanText({ within })}; then it stops, and the other ${plural(resource)} are left as they are.`;
}
