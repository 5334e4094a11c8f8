import * as v from 'valibot';
import { isRow, type Row } from '../resources/row.ts';
import { isReserved, type KeyPath, keyText } from './lines.ts';
import { planMistakes } from './planChecks.ts';
import { firstPlanSchema, fromFirstVersion, type PlanFile, planSchema, planVersions } from './planSchema.ts';
import { quoted } from './settingRules.ts';

/** A plan, or sentences about what is wrong with it, each with its path. */
export type ParsedPlan = { plan: PlanFile } | { mistakes: readonly string[] };

/** The deepest nesting of a value. */
const maxDepth = 40;

/** Reads the text of a plan file and checks all that can be checked without an account. */
export function parsePlan(source: string): ParsedPlan {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    return { mistakes: [notJson(error as Error)] };
  }
  if (!isRow(value))
    return { mistakes: [`It must be a plan, an object with version, host and steps; it is ${quoted(value)}.`] };
  const wrong = otherVersion(value) ?? oddNesting(value);
  if (wrong !== undefined) return { mistakes: [wrong] };
  const checked = readAs(value.version, value);
  const told = (path: KeyPath, says: string) =>
    `${path.length > 0 ? keyText(path) : 'It'} ${says.replace(/[^.?]$/, '$&.')}`;
  if ('issues' in checked)
    return {
      mistakes: checked.issues.map(({ path = [], message }) =>
        told(
          path.map(({ key }) => key as string | number),
          message,
        ),
      ),
    };
  const isFirst = value.version === 1;
  const mistakes = planMistakes(checked.plan, isFirst).map(({ path, says }) => told(path, says));
  return mistakes.length > 0 ? { mistakes } : checked;
}

/** A file as its version says it, as one of this version. */
function readAs(version: unknown, value: unknown): { plan: PlanFile } | { issues: readonly v.BaseIssue<unknown>[] } {
  if (version === 1) {
    const { success, output, issues } = v.safeParse(firstPlanSchema, value);
    return success ? { plan: fromFirstVersion(output) } : { issues };
  }
  const { success, output, issues } = v.safeParse(planSchema, value);
  return success ? { plan: output } : { issues };
}

/** The place of a mistake, in the words of V8: by line and column, or by the text around it. */
function notJson({ message }: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  if (line !== undefined) return `It is no JSON: the mistake is at line ${line}, column ${column}.`;
  const [, around] = /, (?:\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  return around === undefined ? 'It is no JSON: it breaks off.' : `It is no JSON near ${quoted(around)}.`;
}

/** A plan of another version is not looked into: its keys may mean something else. */
function otherVersion({ version, program }: Row): string | undefined {
  if (version === undefined || planVersions.includes(version)) return undefined;
  const by = program === undefined ? '' : ` It was saved by Skydeck ${quoted(program)}.`;
  return `version must be ${planVersions.join(' or ')}, which this Skydeck reads; it is ${quoted(version)}.${by}`;
}

/** Whether a list stands where parts have names; the schema takes it for an object without any. */
function isListForObject(value: unknown, [, , , part, inner, ...rest]: KeyPath): boolean {
  const isOfChanges = part === 'changes' && (inner === 'add' || inner === 'remove');
  return Array.isArray(value) && rest.length === 0 && (isOfChanges || (part === 'params' && inner === undefined));
}

/** A mistake that no schema finds: a name of the language's own, values that are nested too deeply, a list for an object. */
function oddNesting(value: unknown, path: KeyPath = []): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (path.length > maxDepth) return `${keyText(path.slice(0, 6))}… is nested more than ${maxDepth} levels deep.`;
  if (isListForObject(value, path)) return `${keyText(path)} must be an object; it is ${quoted(value)}.`;
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    if (isReserved(name)) return `${keyText(at)} cannot be a name here.`;
    const wrong = oddNesting(inner, at);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
