import { marksOf, type Theme } from '../../components/theme.ts';
import { jobOf, jobText } from '../../store/changes/whoDidIt.ts';
import type { Event } from '../../store/events.ts';
import { isInDoubt, type PlanStep } from '../../store/plans/plan.ts';
import { openSteps } from '../../store/plans/plans.ts';
import type { Stores } from '../../store/stores.ts';
import { cell, clean, cut, widthOf, wrapCells } from '../../text/cells.ts';
import { dollars, priceChangeWords } from '../../text/money.ts';
import { counted, sentence } from '../../text/words.ts';
import { type ShownStep, type StepCost, shownStep, totalOf } from './planStep.ts';

/** The lines of one step. */
export interface StepLines {
  id: number;
  lines: readonly string[];
}

/** A plan as it is shown. */
export interface ShownPlan {
  steps: readonly StepLines[];
  /** `+$24.00 a month` */
  total: string;
  /** `2 would be refused   1 guarded` */
  facts: string;
}

const isDone = ({ result }: PlanStep) => result?.state === 'done';

/** The plan as lines; the first of each step is marked where the cursor is by whoever draws it. */
export function shownPlan(stores: Stores, theme: Theme, width: number): ShownPlan {
  const state = stores.plans.getState();
  const shown = state.steps.map((step) => shownStep(stores, step));
  const running = state.run && openSteps(state)[0]?.id;
  const steps = shown.map((one) => ({
    id: one.step.id,
    lines:
      'why' in one
        ? unknownLines(theme, one, width)
        : stepLines(theme, { ...one, job: jobOfStep(stores, one) }, width, one.step.id === running),
  }));
  const open = shown.filter(({ step }) => !isDone(step)).flatMap((one) => ('why' in one ? [] : [one]));
  const refused = shown.filter((one) => 'why' in one || one.refusals.length > 0 || one.lacksSecret).length;
  const asked = open.filter(({ asks }) => asks.length > 0).length;
  const total = totalText(open.flatMap(({ cost }) => (cost ? [cost] : [])));
  const facts = [refused > 0 ? `${refused} would be refused` : '', asked > 0 ? `${asked} guarded` : ''];
  return { steps, total, facts: facts.filter(Boolean).join('   ') };
}

/** The sum that the open steps add to the price of a month: `+$24.00 a month, 1 unknown`. */
export function totalText(costs: readonly StepCost[]): string {
  if (costs.length === 0) return '';
  const { sum, unknown } = totalOf(costs);
  const known = `${sum > 0 ? '+' : ''}${dollars(sum)} a month`;
  if (unknown === 0) return known;
  return unknown === costs.length ? 'cost unknown' : `${known}, ${counted(unknown, 'price')} unknown`;
}

const unknownLines = (theme: Theme, { step, why }: { step: PlanStep; why: string }, width: number): readonly string[] =>
  wrapCells(`${step.id}  ${clean(why)}`, width, 4).map((line) => theme.paint('bad', line));

/** The job that a step has begun and that goes on. */
const jobOfStep = ({ events }: Stores, { step, change }: ShownStep): Event | undefined =>
  isDone(step) ? jobOf(events.getState().events, change, { ...change.params, ...step.result?.made }) : undefined;

/** Its number, state, method, target and price; below it each field, whole, and why it is held back. */
function stepLines(
  theme: Theme,
  shown: ShownStep & { job: Event | undefined },
  width: number,
  isRunning: boolean,
): readonly string[] {
  const { step, change, title, cost, refusals, asks, lacksSecret, job } = shown;
  const { result } = step;
  const wouldFail = refusals.length > 0 || lacksSecret;
  const [hue, mark] = markOf(theme, step, isRunning || job !== undefined, wouldFail, asks.length > 0);
  const [number, method] = [`${String(step.id).padStart(2)}  `, ` ${change.action.method.padEnd(6)} `];
  const head = number + theme.paint(hue, mark) + method;
  const price = cost && !isDone(step) ? priceText(cost).replace('→', arrowOf(theme)) : '';
  // The price stays near the name where the screen is wide.
  const room = Math.min(width, 110) - widthOf(number + mark + method);
  const isBeside = price !== '' && widthOf(price) + 12 <= room;
  const name = cut(clean(title), Math.max(8, isBeside ? room - widthOf(price) - 2 : room));
  const first = `${head}${theme.paint('title', isBeside ? cell(name, room - widthOf(price) - 2) : name)}`;
  const wrapped = (text: string, hue: Parameters<Theme['paint']>[0]) =>
    wrapCells(clean(text, Number.POSITIVE_INFINITY), width - indent, 2).map(
      (line) => `${' '.repeat(indent)}${theme.paint(hue, line)}`,
    );
  return [
    isBeside ? `${first}  ${theme.paint('dim', price)}` : first,
    ...(price !== '' && !isBeside ? wrapped(price, 'dim') : []),
    ...fieldTexts(theme, shown).flatMap((text) => wrapped(text, 'dim')),
    ...(result?.says ? wrapped(result.says, isDone(step) ? 'good' : isInDoubt(result) ? 'warn' : 'bad') : []),
    ...(job ? wrapped(`It ${jobText(job)}.`, 'busy') : []),
    ...(result?.state === 'sent' && !result.says && !isRunning ? wrapped(unseen, 'warn') : []),
    ...refusals
      .map((why) => sentence(why, change.label))
      .filter((why) => why !== result?.says)
      .flatMap((why) => wrapped(why, 'warn')),
    ...asks.flatMap((why) => wrapped(why, 'warn')),
    ...(lacksSecret ? wrapped('Its secret is kept in no file: e opens its form to type it again.', 'warn') : []),
  ];
}

const unseen = 'The answer was not seen: carrying out looks first whether it was done.';

const arrowOf = ({ glyphs }: Theme): string => (glyphs === 'ascii' ? '->' : '→');

/** Each field, before and after: `Label: web-3 → web-3-old`. */
export const fieldTexts = (theme: Theme, { fields }: ShownStep): readonly string[] =>
  fields.map(({ label, before, after }) => `${label}: ${before === '' ? '' : `${before} ${arrowOf(theme)} `}${after}`);

/** The price of a new row, or that before and after. */
function priceText({ before, after }: StepCost): string {
  if (before !== 0) return priceChangeWords(before, after);
  return after === undefined ? 'price unknown' : `+${dollars(after)} a month`;
}

const indent = 6;

function markOf(
  theme: Theme,
  { result }: PlanStep,
  isRunning: boolean,
  wouldFail: boolean,
  isAsked: boolean,
): readonly ['good' | 'bad' | 'warn' | 'dim' | 'busy', string] {
  const { good, bad, busy } = marksOf(theme);
  if (isRunning) return ['busy', busy];
  if (result?.state === 'done') return ['good', good];
  if (result && isInDoubt(result)) return ['warn', '?'];
  if (result) return ['bad', bad];
  return wouldFail || isAsked ? ['warn', '!'] : ['dim', '·'];
}
