import { costOf as costWords, isCharged } from '../../resources/asking.ts';
import { creationsOf } from '../../resources/index.ts';
import type { Action, Row } from '../../resources/resource.ts';
import { attempt } from '../../text/errno.ts';
import { dollars, priceChangeWords } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { rowKey } from './own.ts';
import type { PlannedRecord, PlanStep } from './plan.ts';
import type { Around } from './stepFields.ts';
import { type StepSubject, subjectOf } from './stepWords.ts';

/** The price of a row before and after a step, in US dollars a month; a member is undefined where that is not known. */
export interface StepCost {
  before: number | undefined;
  after: number | undefined;
}

/** The price of a step's row by what is loaded; undefined where it costs nothing before or after. */
function costOf({ change, row, draft, view }: StepSubject): StepCost | undefined {
  const { resource, action } = change;
  const isRemoved = action === resource.remove;
  const isMade = !row && creationsOf(resource).includes(action);
  const costs = (one: Action | undefined, rows: readonly Row[]) =>
    one && (one.monthly !== undefined || attempt(() => costWords(one, rows, view, draft)) !== undefined);
  // The deletion of what costs something to make saves that, also where the API does not tell how much.
  const isPriced = isRemoved ? attempt(() => isCharged(resource, view)) : costs(action, row ? [row] : []);
  if (!isPriced && !(isMade && resource.monthly)) return undefined;
  return {
    before: isMade || action.makes ? 0 : row && attempt(() => resource.monthly?.(row, view)),
    after: isRemoved ? 0 : attempt(() => action.monthly?.(row ?? {}, view, draft)),
  };
}

/** The price that is kept in a step; undefined where it is not known. */
export function knownPrice(subject: StepSubject): PlannedRecord['price'] {
  const { before, after } = costOf(subject) ?? {};
  return before === undefined || after === undefined ? undefined : { before, after };
}

/**
 * The prices of steps of a plan, or some of it, in their order: before a step its row costs what it does after the one before.
 * Without an account the prices are those of when they were planned.
 */
export function costsOf({ steps, all = steps, view, glyphs }: Omit<Around, 'numberOf'> & { all?: Around['steps'] }) {
  const costs = new Map<number, StepCost & { row: string }>();
  const latest = new Map<string, StepCost>();
  for (const step of steps) {
    const subject = subjectOf(step, { steps: all, view });
    const found = 'why' in subject ? undefined : costOf(subject);
    if (!found || 'why' in subject) continue;
    const { before, after } = view ? found : { before: undefined, after: undefined, ...step.record.price };
    const row = rowOf(step, subject);
    const earlier = latest.get(row);
    const cost = { before: earlier ? earlier.after : before, after };
    costs.set(step.id, { ...cost, row });
    latest.set(row, cost);
  }
  return {
    of: (id: number) => costs.get(id),
    /** `$58.00 → $116.00 a month (+$58.00), 2 prices unknown`; empty where nothing costs anything. */
    total: (ids: readonly number[]) =>
      totalText(
        ids.flatMap((id) => costs.get(id) ?? []),
        glyphs,
      ),
  };
}

function rowOf({ id, record: { resource, params } }: PlanStep, { change }: StepSubject): string {
  const isNew = change.action.makes || creationsOf(change.resource).includes(change.action);
  return rowKey(resource, isNew ? { $step: id } : params[change.resource.param]);
}

/** The price of a new row, or that before and after; one that is not known wholly is not told. */
export function costText({ before, after }: StepCost, glyphs: Around['glyphs']): string {
  if (before === undefined || after === undefined) return 'price unknown';
  const said = before === 0 ? `+${dollars(after)} a month` : priceChangeWords(before, after);
  return glyphs === 'ascii' ? said.replace('→', '->') : said;
}

/** The price of all rows before the first of the steps, and after the last. */
function totalText(costs: readonly (StepCost & { row: string })[], glyphs: Around['glyphs']): string {
  const byRow = [...Map.groupBy(costs, ({ row }) => row).values()];
  const isKnown = ({ before, after }: StepCost) => before !== undefined && after !== undefined;
  const known = byRow.filter((those) => those.every(isKnown));
  const sum = (prices: readonly (number | undefined)[]) => prices.reduce<number>((all, one) => all + (one ?? 0), 0);
  const unknown = byRow.length - known.length;
  const total = {
    before: sum(known.map(([first]) => first?.before)),
    after: sum(known.map((those) => those.at(-1)?.after)),
  };
  const parts = [
    ...(known.length > 0 ? [costText(total, glyphs)] : []),
    ...(unknown > 0
      ? [known.length === 0 && unknown === 1 ? 'price unknown' : `${counted(unknown, 'price')} unknown`]
      : []),
  ];
  return parts.join(', ');
}
