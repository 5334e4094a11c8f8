import { nodesUp, privateAddressOf } from '../../resources/networking/nodeText.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { plural, statusOf } from '../../resources/wording.ts';
import { listed } from '../../text/words.ts';
import type { Change, Tempo } from '../changes/change.ts';
import { rowKey } from './own.ts';
import { type PlanStep, spanText, type Wait } from './plan.ts';
import { isUnsettled } from './stale.ts';
import { sketchOf } from './stepChange.ts';

const spans = ['2m', '5m', '10m', '30m', '1h'];

/** The numbers at a time that are offered for so many; undefined is all at once. */
export const sizesFor = (count: number): readonly (number | undefined)[] => [
  ...[1, 2, 3, 5, 10].filter((size) => size === 1 || size < count),
  undefined,
];

/** The same with the next longer time. */
export const longerTempo = (tempo: Tempo): Tempo => ({
  ...tempo,
  within: spans[(spans.indexOf(tempo.within) + 1) % spans.length] ?? '10m',
});

/** The conditions that a change of a row is waited for, besides the end of its job. */
function conditionsOf({ resource, action }: Change, row: Row | undefined): readonly string[] {
  const { reaches, isJob } = action.shownBy ?? {};
  if (action === resource.remove || !row) return [];
  const { words = [] } = resource.columns.find(({ format }) => format === 'status') ?? {};
  const now = statusOf(row);
  const rests = isJob && words.includes(now) && !isUnsettled(row) ? now : undefined;
  const wanted = reaches ?? rests;
  const isServing = action.disrupts && wanted !== 'offline' && privateAddressOf(row) !== undefined;
  return [...(wanted === undefined ? [] : [wanted]), ...(isServing ? [nodesUp] : [])];
}

/**
 * The wait behind each of some changes that go at a tempo, with their rows where they are known.
 * @param earlier the steps before them, which leave rows in other states
 */
export function waitsAt(
  { atATime, within }: Tempo = { within: '' },
  all: readonly { change: Change; row?: Row | undefined }[],
  earlier: readonly PlanStep[] = [],
): readonly (Wait | undefined)[] {
  if (atATime === undefined) return all.map(() => undefined);
  const states = new Map<string, string | undefined>();
  const conditionsThen = (change: Change, row?: Row) => {
    const own = rowKey(change.resource.name, change.params[change.resource.param]);
    const status = states.get(own) ?? row?.status;
    states.set(own, change.action.shownBy?.reaches ?? states.get(own));
    return conditionsOf(change, row && { ...row, status });
  };
  for (const change of earlier.map(sketchOf)) if (!('why' in change)) conditionsThen(change);
  return all.map(({ change, row = change.before }, place) => {
    const conditions = conditionsThen(change, row);
    const meanwhile = atATime === 1 ? 0 : all.length - 1 - place;
    return { ...(conditions.length > 0 && { for: conditions }), within, ...(meanwhile > 0 && { meanwhile, atATime }) };
  });
}

/** The ends that are waited for, as a clause: `its job has ended, it is running and its nodes are up again`. */
function endsText(conditions: readonly string[]): string {
  const said = conditions.map((one) =>
    one === nodesUp ? 'its nodes are up again' : `it is ${one.replaceAll('_', ' ')}`,
  );
  return listed(['its job has ended', ...said], said.length + 1);
}

/**
 * Tells as a sentence for what a step waits; undefined where it does not.
 * @param after the number of the step after whose end it goes
 */
export function waitText({ wait }: Pick<PlanStep, 'wait'>, after?: number): string | undefined {
  if (!wait) return after === undefined ? undefined : `Goes once step ${after} has ended.`;
  const { meanwhile = 0, atATime } = wait;
  const next = meanwhile === 1 ? 'the next step goes' : `the next ${meanwhile} steps go`;
  const most = atATime === undefined || atATime > meanwhile ? '' : `, ${atATime} at a time`;
  return `Then waits until ${endsText(wait.for ?? [])}, at most ${spanText(wait)}${meanwhile === 0 ? '' : `; ${next} meanwhile${most}`}.`;
}

/** The meaning of a tempo for rows of a resource, in sentences. */
export function tempoSays(
  { atATime, within }: Tempo,
  waits: readonly (Wait | undefined)[],
  { one, many }: Pick<Resource, 'one' | 'many'>,
) {
  if (atATime === undefined) return '';
  const all = new Set(waits.flatMap((wait) => wait?.for ?? []));
  const states = [...all].filter((word) => word !== nodesUp);
  // Rows that had different states reach different ones.
  const ends = endsText([...(states.length > 1 ? ['as it was'] : states), ...(all.has(nodesUp) ? [nodesUp] : [])]);
  const isOne = atATime === 1;
  const few = `${atATime} go at a time, and as one ends the next goes`;
  const which =
    all.size === 0
      ? isOne
        ? `Each goes once the ${one} before is done`
        : few
      : isOne
        ? `Each waits for the ${one} before: until ${ends}`
        : `${few}: once ${ends}`;
  return `${which}. Where that takes longer than ${spanText({ within })}, nothing more is sent, and the other ${plural({ many })} stay as they are.`;
}
