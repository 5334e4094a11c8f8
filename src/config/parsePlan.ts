import * as v from 'valibot';
import { isRow, type Row } from '../resources/row.ts';
import { withStop } from '../text/words.ts';
import { isReserved, type KeyPath, keyText, maxDepth, nestedIn } from './lines.ts';
import { pathOf } from './meant.ts';
import { planMistakes } from './planChecks.ts';
import { firstPlanSchema, fromFirstVersion, type PlanFile, planSchema, planVersions } from './planSchema.ts';
import { quoted } from './settingRules.ts';

/** A plan, or sentences about what is wrong with it, each with its path. */
export type ParsedPlan = { plan: PlanFile } | { mistakes: readonly string[] };

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
  const isFirst = value.version === 1;
  const schema = isFirst ? v.pipe(firstPlanSchema, v.transform(fromFirstVersion)) : planSchema;
  const { success, output: plan, issues } = v.safeParse(schema, value);
  const told = (path: KeyPath, says: string) => `${path.length > 0 ? keyText(path) : 'It'} ${withStop(says)}`;
  if (!success) return { mistakes: issues.map((issue) => told(pathOf(issue), issue.message)) };
  const mistakes = planMistakes(plan, isFirst).map(({ path, says }) => told(path, says));
  return mistakes.length > 0 ? { mistakes } : { plan };
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
function oddNesting(whole: unknown): string | undefined {
  for (const { path, value } of nestedIn(whole)) {
    if (path.length > maxDepth) return `${keyText(path.slice(0, 6))}… is nested more than ${maxDepth} levels deep.`;
    if (isListForObject(value, path)) return `${keyText(path)} must be an object; it is ${quoted(value)}.`;
    const name = Object.keys(value).find(isReserved);
    if (name !== undefined) return `${keyText([...path, name])} cannot be a name here.`;
  }
  return undefined;
}
