import { marksOf, type Theme } from '../../components/theme.ts';
import { jobOf, jobText } from '../../store/changes/whoDidIt.ts';
import type { Event } from '../../store/events.ts';
import { hasBegun, isDone, isInDoubt, openSteps, type PlanStep, partOf, wasAnswered } from '../../store/plans/plan.ts';
import { costsOf, costText } from '../../store/plans/stepCost.ts';
import { headingOf, sharedWait, toldLines } from '../../store/plans/stepWords.ts';
import type { Stores } from '../../store/stores.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sentence } from '../../text/words.ts';
import { type ShownStep, shownStep } from './planStep.ts';

/** Steps of the plan as lines, the same where they are asked about; the first of each is marked where the cursor is by whoever draws it. */
export function shownPlan(stores: Stores, theme: Theme, width: number, those?: readonly PlanStep[]) {
  const state = stores.plans.getState();
  const { glyphs } = theme;
  const shown = (those ?? state.steps).map((step) => shownStep(stores, step, glyphs));
  const open = shown.filter(({ step }) => !isDone(step));
  const known = open.flatMap((one) => ('why' in one ? [] : [one]));
  const costs = costsOf({ steps: open.map(({ step }) => step), all: state.steps, view: stores.view, glyphs });
  const next = partOf(openSteps(state), state.rolling).find((step) => !hasBegun(step));
  const each = sharedWait(known.map(({ words }) => words));
  const told = new Set<string>();
  /** Whether its answer is awaited, here or by another session. */
  const isAwaited = ({ id, uid, result }: PlanStep) =>
    result?.state === 'sent' && (state.run ? id === next?.id : state.others?.uids.includes(uid) === true);
  const steps = shown.map((one) => {
    // Of several steps the first says it for all.
    const isRunning = isAwaited(one.step);
    const said = thenTexts[one.step.result?.state ?? ''] ?? '';
    const then = isRunning || told.has(said) ? '' : said;
    told.add(then);
    const cost = costs.of(one.step.id);
    const price = cost ? costText(cost, glyphs) : '';
    return {
      id: one.step.id,
      lines:
        'why' in one
          ? wrapCells(`${String(one.number).padStart(2)}  ${clean(one.why)}`, width, 4).map((line) =>
              theme.paint('bad', line),
            )
          : stepLines(theme, { ...one, price, each, then, job: jobOfStep(stores, one) }, width, isRunning),
    };
  });
  const refused = shown.filter((one) => 'why' in one || one.refusals.length > 0 || one.lacksSecret).length;
  const asked = known.filter(({ asks }) => asks.length > 0).length;
  /** `2 would be refused   1 guarded` */
  const facts = [refused > 0 ? `${refused} would be refused` : '', asked > 0 ? `${asked} guarded` : ''];
  return {
    steps,
    /** Those that are not done, as far as this version knows them. */
    known,
    each,
    /** `$58.00 → $82.00 a month (+$24.00)` */
    total: costs.total(open.map(({ step }) => step.id)),
    facts: facts.filter(Boolean).join('   '),
  };
}

/** The job that a step has begun and that goes on. */
const jobOfStep = ({ events }: Stores, { step, change }: ShownStep): Event | undefined =>
  wasAnswered(step) ? jobOf(events.getState().events, change, { ...change.params, ...step.result?.made }) : undefined;

/** The colours of what is said of a step. */
const hues = { field: 'dim', loss: 'bad', note: 'warn' } as const;

/** Its number, state, heading and price; below it each field, whole, what is lost, and why it is held back. */
function stepLines(
  theme: Theme,
  shown: ShownStep & Record<'price' | 'then', string> & { each: string | undefined; job: Event | undefined },
  width: number,
  isRunning: boolean,
): readonly string[] {
  const { step, number, change, words, price, each, then, refusals, asks, lacksSecret, job } = shown;
  const { result } = step;
  const wouldFail = refusals.length > 0 || lacksSecret;
  const [hue, mark] = markOf(theme, step, isRunning || job !== undefined, wouldFail, asks.length > 0);
  const head = `${String(number).padStart(2)}  ${theme.paint(hue, mark)} `;
  // The price stays near the name where the screen is wide.
  const room = Math.min(width, 110) - indent;
  const heading = clean(headingOf(words), Number.POSITIVE_INFINITY);
  const isBeside = price !== '' && widthOf(heading) + widthOf(price) + 2 <= room;
  const [name = '', ...more] = isBeside
    ? [cell(heading, room - widthOf(price) - 2)]
    : wrapCells(heading, width - indent, 0);
  const wrapped = (text = '', hue: Parameters<Theme['paint']>[0]) =>
    wrapCells(clean(text, Number.POSITIVE_INFINITY), width - indent, 2)
      .filter(Boolean)
      .map((line) => `${' '.repeat(indent)}${theme.paint(hue, line)}`);
  // Of what is done the row tells no more as it was.
  const told = toldLines(isDone(step) ? { ...words, losses: [], wait: undefined, twin: undefined } : words, each);
  const [only, ...others] = told.map(({ kind, text }) => ({ kind, text: clean(text, Number.POSITIVE_INFINITY) }));
  // Long plans are of such steps.
  const isShort = only?.kind === 'field' && others.length === 0 && price === '';
  const beside = isBeside ? price : isShort && widthOf(`${heading}  ${only.text}`) <= room ? only.text : '';
  return [
    `${head}${theme.paint('title', name)}${beside === '' ? '' : `  ${theme.paint('dim', beside)}`}`,
    ...more.map((line) => `${' '.repeat(indent)}${theme.paint('title', line)}`),
    ...(price !== '' && !isBeside ? wrapped(price, 'dim') : []),
    ...(beside === only?.text ? [] : told).flatMap(({ kind, text }) => wrapped(text, hues[kind])),
    ...wrapped(result?.says, isDone(step) ? 'good' : isInDoubt(step) || hasBegun(step) ? 'warn' : 'bad'),
    ...wrapped(job && `It ${jobText(job)}.`, 'busy'),
    ...wrapped(then, hasBegun(step) ? 'busy' : 'warn'),
    ...[
      ...refusals.map((why) => sentence(why, change.label)).filter((why) => why !== result?.says),
      ...asks,
      lacksSecret && `Its secret is kept in no file: ${keyLabel('plan.edit', 'e')} opens its form to type it again.`,
    ].flatMap((why) => wrapped(why || '', 'warn')),
  ];
}

/** Said of a step that was sent before, be it by a session that is gone. */
const thenTexts: Readonly<Record<string, string>> = {
  sent: 'The answer was not seen: carrying out looks first whether it was done.',
  unknown:
    'It may have been done already: carrying out looks once more, and where nothing tells, sends it a second time.',
  begun: 'Its end is waited for, and it is not sent again.',
};

const indent = 6;

function markOf(
  theme: Theme,
  step: PlanStep,
  isRunning: boolean,
  wouldFail: boolean,
  isAsked: boolean,
): readonly ['good' | 'bad' | 'warn' | 'dim' | 'busy', string] {
  const { good, bad, busy } = marksOf(theme);
  if (isRunning || hasBegun(step)) return ['busy', busy];
  if (isDone(step)) return ['good', good];
  if (isInDoubt(step)) return ['warn', '?'];
  if (step.result) return ['bad', bad];
  return wouldFail || isAsked ? ['warn', '!'] : ['dim', '·'];
}
