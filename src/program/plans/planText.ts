import type { Glyphs } from '../../components/format.ts';
import type { PlanFile, PlanFileStep } from '../../config/planSchema.ts';
import type { CacheView } from '../../resources/resource.ts';
import { costsOf, costText } from '../../store/plans/stepCost.ts';
import { headingOf, type StepWords, sharedWait, stepWords, toldLines } from '../../store/plans/stepWords.ts';
import { clean } from '../../text/cells.ts';
import { csv, tsv } from '../../text/csv.ts';
import { visibleJson } from '../../text/escapes.ts';
import { dateText, timeOf } from '../../text/times.ts';
import { counted, listed } from '../../text/words.ts';
import { columnsNamed } from '../document.ts';
import type { Format } from '../invocation.ts';

/** The words of a step of a checked plan. */
export function wordsOfStep(step: PlanFileStep, { steps }: PlanFile, view?: CacheView, glyphs?: Glyphs): StepWords {
  const words = stepWords(step, { steps, view, glyphs });
  if ('why' in words) throw new Error(words.why);
  return words;
}

/**
 * A plan as text: each step with all that is said of it.
 * @param view what is loaded of its account; without it only the file tells
 */
export function planText(plan: PlanFile, glyphs: Glyphs, view?: CacheView): string {
  const { steps } = plan;
  const width = Math.max(...steps.map(({ id }) => String(id).length));
  const costs = costsOf({ steps, view, glyphs });
  const when = view ? '' : ', when it was planned';
  const all = steps.map((step) => ({ step, words: wordsOfStep(step, plan, view, glyphs) }));
  const each = sharedWait(all.map(({ words }) => words));
  const lines = all.flatMap(({ step, words }) => {
    const cost = costs.of(step.id);
    // The account may know the others.
    const price = cost && (view || step.record.price) ? [`${costText(cost, glyphs)}${when}`] : [];
    // A label in a file is its writer's word, until an account is asked.
    const address = view || words.address === undefined ? '' : `  (${words.address})`;
    const head = `${String(step.id).padStart(width)}  ${headingOf(words)}${address}`;
    return stepLines(head, { ...words, wait: each ? undefined : words.wait }, price, width);
  });
  const isPriced = view || steps.some(({ record }) => record.price);
  const total = isPriced ? costs.total(steps.map(({ id }) => id)) : '';
  return `${[...headLines(plan), ...(each ? [each] : []), '', ...lines, ...(total === '' ? [] : ['', `Altogether ${total}${when}`])].join('\n')}\n`;
}

/** The columns of steps, for spreadsheets. */
const columns = columnsNamed('id', 'resource', 'action', 'label', 'title');

/** A plan for programs: as one document, or a line for each step. */
export function planDocument(plan: PlanFile, format: Exclude<Format, 'text'>): string {
  const { steps, $schema: _schema, ...head } = plan;
  const documents = steps.map((step) => stepDocument(step, plan));
  if (format === 'jsonl') return documents.map((step) => `${visibleJson(step)}\n`).join('');
  if (format !== 'json') return { csv, tsv }[format](columns, documents);
  return `${visibleJson({ ...head, steps: documents }, 2)}\n`;
}

function stepDocument(step: PlanFileStep, plan: PlanFile) {
  const { title, where, lines, losses, fields, needs } = wordsOfStep(step, plan);
  const { resource, action, params, label, price } = step.record;
  const secrets = fields.filter(({ secret }) => secret === 'left out').map(({ name }) => name);
  return {
    id: step.id,
    resource,
    action,
    title,
    where,
    params,
    label,
    fields: fields.map(({ secret: _, ...field }) => field),
    lines: lines.map((line) => `${line.label}: ${line.text}`),
    losses,
    ...(price && { price }),
    ...(step.wait && { wait: step.wait }),
    needs,
    secrets,
  };
}

/** Clean, whatever its length: what is shown is what is carried out. */
const whole = (text: string): string => clean(text, Number.POSITIVE_INFINITY);

function headLines({ steps, madeAt, program, host, euuid, profile }: PlanFile): readonly string[] {
  const by = profile === undefined ? '' : ` with the profile ${profile}`;
  return [
    `A plan of ${counted(steps.length, 'step')}, saved ${dateText(timeOf(madeAt))} UTC by Skydeck ${program}${by}`,
    `for ${host}${euuid === undefined ? '; it names no account' : `, account ${euuid}`}`,
  ].map(whole);
}

function stepLines(head: string, words: StepWords, price: readonly string[], width: number): readonly string[] {
  const { secrets, plainSecrets: plain } = words;
  const absent = secrets.length === 1 ? 'is a secret that is' : 'are secrets that are';
  const held = plain.length === 1 ? 'is a secret, and this file holds it' : 'are secrets, and this file holds them';
  const below = [
    ...price,
    ...toldLines(words).map(({ text }) => whole(text)),
    ...(secrets.length > 0
      ? [`${listed(secrets, secrets.length)} ${absent} in no file; apply asks for it, or --secret says where it is`]
      : []),
    ...(plain.length > 0 ? [`${listed(plain, plain.length)} ${held} in plain text`] : []),
  ];
  const indent = ' '.repeat(width + 2);
  return [whole(head), ...below.map((line) => indent + line)];
}
