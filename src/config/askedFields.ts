import { sentValue } from '../resources/body.ts';
import { resourceCalled } from '../resources/index.ts';
import { optionRule, whyUnfit } from '../resources/placeholders.ts';
import type { CacheView, Draft, Field } from '../resources/resource.ts';
import { capitalized, listed, wordsOf } from '../text/words.ts';
import type { CommandConfig } from './schema.ts';

type Ask = NonNullable<CommandConfig['ask']>;

/** A field that a command asks for. */
export type AskedConfig = Exclude<Extract<Ask, readonly unknown[]>[number], string>;

/** The fields that a command asks for. */
export const askedIn = ({ ask }: Pick<CommandConfig, 'ask'>): readonly AskedConfig[] =>
  Array.isArray(ask) ? ask.filter((one) => typeof one !== 'string') : [];

/** The question of a command, or whether it has one. */
export const questionIn = ({ ask }: Pick<CommandConfig, 'ask'>): string | boolean | undefined =>
  Array.isArray(ask) ? ask.find((one) => typeof one === 'string') : (ask as Exclude<Ask, readonly unknown[]>);

/** The fields that are asked for, and their answers. */
export type AskedFields = ReturnType<typeof askedOf>;

/** The fields that a command asks for, with the rules of the places where the answers go. */
export function askedOf(command: CommandConfig) {
  /** By the names of their placeholders. */
  const fields = Object.fromEntries(askedIn(command).map((one) => [one.name, fieldOf(one, command)]));
  const all = Object.entries(fields);
  return {
    fields,
    /** The values that fill the placeholders in; of a form that is not filled in, none. */
    answers: (draft: Draft | undefined) =>
      draft ? Object.fromEntries(all.map(([name, field]) => [name, sentValue(field, draft[name])])) : {},
    /** Stands for the answers while they are not known. */
    standIns: Object.fromEntries(all.map(([name]) => [name, 'x'])),
    /** Names the answers, as the end of a sentence: ` with region us-east and size 20`; empty where nothing was. */
    words: (view: CacheView, draft: Draft) => {
      const said = all.flatMap(([name, field]) => {
        const entry = draft[name];
        return entry === undefined ? [] : [`${wordsOf(name)} ${rowLabel(field, String(entry), view) ?? entry}`];
      });
      return said.length === 0 ? '' : ` with ${listed(said, said.length)}`;
    },
  };
}

type Limits = { min?: number; max?: number; options?: readonly string[]; matches?: string; of?: string };

const kinds = { text: 'text', number: 'integer', choice: 'choice', row: 'reference' } as const;

function fieldOf(one: AskedConfig, { request, run }: CommandConfig): Field {
  const { name, kind, title = capitalized(wordsOf(name)) } = one;
  const { min, max, options, matches, of: area }: Limits = one;
  const hole = `{${name}}`;
  const isInPath = request?.path.includes(hole) === true;
  const before = run?.slice(0, run.includes('--') ? run.indexOf('--') : undefined);
  const isInOptions = before?.some((word) => word.startsWith(hole)) === true;
  const rule = (value: string) => (isInPath && pathRule(value)) || (isInOptions && optionRule(value)) || undefined;
  return {
    label: title,
    kind: kinds[kind],
    min,
    max,
    options,
    check: (entry) => whyUnfit(entry, rule),
    // A program has its answers for a body; a request has one of its own.
    local: request && true,
    pattern: matches
      ? { test: new RegExp(matches, 'u'), says: `a text that matches ${matches}`, whole: true }
      : undefined,
    to: area === undefined ? undefined : resourceCalled(area)?.name,
  };
}

function rowLabel({ kind, to }: Field, id: string, view: CacheView): string | undefined {
  const row = kind === 'reference' && typeof to === 'string' ? view.row(to, id) : undefined;
  return row && resourceCalled(String(to))?.label(row);
}

/** Why a value is no part of a path, as the end of a sentence; some ids have a slash. */
export function pathRule(value: string, mayHaveSlash = false): string | undefined {
  if (value.includes('/') && !mayHaveSlash) return 'has a slash, which no part of a path can have';
  return /^\.\.?$/.test(value) ? 'is no part of a path' : undefined;
}
