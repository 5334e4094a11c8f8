import { redacted } from '../../api/redact.ts';
import { isFieldOfRow } from '../../resources/body.ts';
import { isId } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { bodyNames, type Field } from '../../resources/resource.ts';
import { at, type CacheView, type Draft, isEmpty, isRow, type Params, type Row } from '../../resources/row.ts';
import { secondsWords } from '../../resources/wording.ts';
import { grouped, unitText } from '../../text/numbers.ts';
import { displayText, uncapitalized, wordsOf } from '../../text/words.ts';
import type { Change } from '../changes/change.ts';
import { isReference, type StepReference } from '../changes/references.ts';
import { isSame } from '../rows.ts';
import { nameOf } from './names.ts';
import { ownBefore, rowAfter } from './own.ts';
import { type PlanStep, type Steps, stepNumber } from './plan.ts';
import { isRedacted } from './stepChange.ts';
import { draftOfStep, fieldAt, leavesOfStep, rowsIn, type Told } from './stepFields.ts';

/** The change of one field: `web-3 → web-3-old`, `+api −old`, or what a new row has. */
export interface StepLine {
  label: string;
  text: string;
}

type Said = (value: unknown, field: Field | undefined) => string;
type Leaf = readonly [path: string, value: unknown];

const signs = { unicode: { arrow: '→', minus: '−' }, ascii: { arrow: '->', minus: '-' } } as const;

/** The lines of a step: of a change what differs, before and after; of what is made what it has. */
export function stepLines(step: PlanStep, change: Change, around: Told): readonly StepLine[] {
  const { record, entries } = step;
  const { action, changes } = change;
  const draft = draftOfStep(change, entries);
  const said: Said = (value, field) => valueText(value, field, { ...around, record, params: change.params, draft });
  const sent: readonly Leaf[] = changes ? Object.entries(redacted(changes.set ?? {}) as Row) : leavesOfStep(change);
  const lines = [
    ...fieldLines(asPlanned(change, around, step), [...sent, ...Object.entries(action.leaves ?? {})], said, around),
    ...listLines(change, said, around),
  ];
  if (!action.makes || lines.length === 0) return lines;
  return [{ label: 'made', text: lines.map(pairText).join(', ') }];
}

const pairText = ({ label, text }: StepLine): string => `${uncapitalized(label)} ${text}`;

/** A change with the values before it as the steps before it leave them. */
export function asPlanned(change: Change, plan: Steps, step: PlanStep): Change {
  const earlier = ownBefore(plan, step);
  const then = change.before && rowAfter(change.before, earlier);
  return isRow(then) ? { ...change, before: then } : change;
}

/** A line for each field; the parts of one entry of a list are together on one. */
function fieldLines(change: Change, leaves: readonly Leaf[], said: Said, around: Told): readonly StepLine[] {
  const places = Map.groupBy(leaves, ([path]) => (change.changes ? path : path.replace(/(\.\d+)\..*$/, '$1')));
  return [...places].flatMap(([place, those]): readonly StepLine[] => {
    const lines = those.flatMap((leaf) => lineOf(change, leaf, said, around) ?? []);
    const [[path] = ['']] = those;
    if (lines.length === 0 || path === place) return lines;
    const { section } = change.resource.fields[path] ?? change.action.fields?.[path] ?? {};
    return [{ label: section ?? wordsOf(place.replaceAll('.', ' ')), text: lines.map(pairText).join(', ') }];
  });
}

function lineOf(change: Change, [path, value]: Leaf, said: Said, { glyphs = 'unicode' }: Told): StepLine | undefined {
  const { action, before, changes } = change;
  const field = fieldAt(change, path);
  const label = field?.label ?? path;
  const was = isFieldOfRow(action, path) ? at(before && redacted(before), path) : undefined;
  const now = said(value, field);
  const isBlank = isEmpty(value) || (field?.kind === 'device' && now === said(null, field));
  if (was === undefined) return isBlank && !changes ? undefined : { label, text: now };
  if (isSame(was, value)) return bodyNames(change.action).includes(path) ? { label, text: now } : undefined;
  return { label, text: `${said(was, field)} ${signs[glyphs].arrow} ${now}` };
}

/** The entries that come into lists and go out of them: `+api −old`. */
function listLines(change: Change, said: Said, { glyphs = 'unicode' }: Told): readonly StepLine[] {
  const { add = {}, remove = {} } = change.changes ?? {};
  return [...new Set([...Object.keys(add), ...Object.keys(remove)])].map((path) => {
    const field = fieldAt(change, path);
    const signed = (sign: string, those: readonly unknown[] = []) => those.map((one) => sign + said(one, field));
    return {
      label: change.resource.fields[path]?.label ?? field?.label ?? path,
      text: [...signed('+', add[path]), ...signed(signs[glyphs].minus, remove[path])].join(' '),
    };
  });
}

interface Place extends Told, Pick<PlanStep, 'record'> {
  params: Params;
  draft: Draft;
}

/** A value in words: the row that an id names, or that of the step that makes it. */
function valueText(value: unknown, field: Field | undefined, around: Place): string {
  if (isEmpty(value)) return 'nothing';
  if (Array.isArray(value)) return value.map((one) => valueText(one, field, around)).join(', ');
  if (isReference(value)) return referenceText(value, around);
  const { view, record, params, draft } = around;
  if (field?.kind === 'device') {
    const [device] = rowsIn(field, value, params, draft);
    const [kind, id] = isId(at(value, 'disk_id')) ? ['disk', at(value, 'disk_id')] : ['volume', at(value, 'volume_id')];
    if (isReference(id)) return referenceText(id, around);
    if (!isId(id)) return 'nothing';
    const name = (device && nameOf(device, view, record)) ?? loadedName(`${kind}s`, id, view);
    return name === undefined ? `${kind} ${id}` : `${name} (${kind} ${id})`;
  }
  // An entry that was typed as one text is told as one.
  if (isRow(value))
    return Object.entries(value)
      .filter(([, one]) => !isEmpty(one))
      .map(([name, one]) => (field?.kind === 'strings' ? '' : `${wordsOf(name)} `) + valueText(one, undefined, around))
      .join(field?.kind === 'strings' ? ' ' : ', ');
  if (isRedacted(value)) return 'a secret';
  const seconds = field && secondsWords(field, value);
  if (seconds !== undefined) return seconds;
  const [row] = field ? rowsIn(field, value, params, draft) : [];
  const said = displayText(value);
  const name = row
    ? nameOf(row, view, record)
    : typeof field?.to === 'string'
      ? loadedName(field.to, value, view)
      : undefined;
  if (name !== undefined && name !== said) return `${name} (${said})`;
  return field?.unit && typeof value === 'number' ? grouped(value) + unitText(field.unit) : said;
}

/** The name of a row of which only the id is known. */
function loadedName(resource: string, id: unknown, view: CacheView): string | undefined {
  const row = view.row(resource, id);
  return row && (resourceNamed(resource).label(row) || undefined);
}

/** The row that a step makes: `step 2 (archive)`, `ipv4.0 of step 2 (archive)`. */
function referenceText({ $step, field }: StepReference, around: Told): string {
  const label = around.steps.find(({ id }) => id === $step)?.record.label;
  const named = `step ${stepNumber(around, $step)}${label === undefined ? '' : ` (${label})`}`;
  return field === undefined ? named : `${field} of ${named}`;
}
