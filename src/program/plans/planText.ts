import type { PlanFile } from '../../config/planSchema.ts';
import { clean, widthOf } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { dateText, timeOf } from '../../text/times.ts';
import { counted, displayText, listed } from '../../text/words.ts';
import { factsOf, type StepFacts } from './planFacts.ts';

export type Glyphs = 'unicode' | 'ascii';

const signs = { unicode: { arrow: '→', none: '–' }, ascii: { arrow: '->', none: '-' } } as const;

/** A plan as text, with a line for each step and for each of its fields. */
export function planText(plan: PlanFile, glyphs: Glyphs): string {
  const facts = factsOf(plan);
  const width = Math.max(...facts.map(({ id }) => String(id).length));
  const lines = facts.flatMap((step) => stepLines(step, width, glyphs));
  return `${[...headLines(plan), '', ...lines].join('\n')}\n`;
}

/** A plan as a JSON document. */
export function planDocument(plan: PlanFile): string {
  const { steps: _, $schema: _schema, ...head } = plan;
  return `${visibleJson({ ...head, steps: factsOf(plan) }, 2)}\n`;
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

function stepLines(
  { id, title, resource, params, fields, secrets }: StepFacts,
  width: number,
  glyphs: Glyphs,
): readonly string[] {
  const { arrow, none } = signs[glyphs];
  const indent = ' '.repeat(width + 2);
  const names = fields.map(({ label }) => whole(label));
  const nameWidth = Math.max(0, ...names.map(widthOf));
  const values = fields.map(({ before, after, ...field }, nth) => {
    const name = names[nth] ?? '';
    const was = 'before' in field || before !== undefined ? `${valueText(before, none)} ${arrow} ` : '';
    return `${indent}${name}${' '.repeat(nameWidth - widthOf(name))}  ${was}${valueText(after, none)}`;
  });
  return [
    `${String(id).padStart(width)}  ${whole(title)}  (${whole(placeText(resource, params))})`,
    ...values,
    ...(secrets.length > 0
      ? [
          `${indent}${listed(secrets, secrets.length)} is a secret that is in no file, so only the dashboard can carry it out`,
        ]
      : []),
  ];
}

/** The row, or the list in which one is made: `volumes 12`. */
const placeText = (resource: string, params: StepFacts['params']): string =>
  Object.values(params).reduce<string>(
    (text, value) => `${text}${typeof value === 'string' ? '' : ','} ${valueText(value, '')}`,
    resource,
  );

function valueText(value: unknown, none: string): string {
  if (value === undefined || value === null || value === '') return none;
  if (Array.isArray(value)) return value.length === 0 ? none : value.map((one) => valueText(one, none)).join(', ');
  if (typeof value === 'object' && '$step' in value) {
    const { $step, field = 'id' } = value as { $step: unknown; field?: unknown };
    return whole(`the ${field} of step ${$step}`);
  }
  return whole(displayText(value));
}
