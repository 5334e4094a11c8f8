import * as v from 'valibot';
import { orSuggestion } from '../text/nearest.ts';
import { quoted } from './settingRules.ts';

/** The end of a sentence about a value: `must be a text; it is 3`. */
export const must =
  (rule: string) =>
  ({ input }: { input: unknown }): string =>
    `must be ${rule}; it is ${quoted(input)}`;

/** A value with what pages say of it. */
export const described = <const T extends v.GenericSchema>(schema: T, says: string) =>
  v.pipe(schema, v.description(says));

/** The same of one that may be absent. */
export const optional = <const T extends v.GenericSchema>(schema: T, says: string) =>
  described(v.optional(schema), says);

/** A text that is not empty. */
export const text = v.pipe(v.string(must('a text')), v.nonEmpty(must('a text')));

/** A text that obeys a rule, which returns the mistake as the end of a sentence. */
export const ruled = (rule: (value: string) => string | undefined) =>
  v.pipe(
    text,
    v.rawCheck(({ dataset, addIssue }) => {
      const wrong = dataset.typed ? rule(dataset.value) : undefined;
      if (wrong !== undefined) addIssue({ message: wrong });
    }),
  );

export const flag = v.boolean(must('true or false'));

/** A program and its arguments, or other texts in an order. */
export const textsLike = (example: string) => {
  const says = must(`a list of texts like ${example}`);
  return v.pipe(
    v.custom<readonly string[]>(
      (value) =>
        Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && word !== ''),
      says,
    ),
    v.metadata({ type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } }),
  );
};

/** A rule about several keys of a table, which returns the mistake of this one as the end of a sentence. */
export const about = <T extends object>(key: keyof T & string, rule: (value: T) => string | undefined) =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    const message = dataset.typed ? rule(dataset.value) : undefined;
    if (message === undefined || !dataset.typed) return;
    const { value } = dataset;
    addIssue({ message, path: [{ type: 'object', origin: 'value', input: value as never, key, value: value[key] }] });
  });

/** One of these words; of another, the nearest is named. */
export const oneOf = <const W extends readonly [string, ...string[]]>(words: W) =>
  v.picklist(words, ({ input }) => {
    const says = must(words.length > 1 ? `one of ${words.join(', ')}` : words[0])({ input });
    return typeof input === 'string' ? says + orSuggestion(input, words) : says;
  });

/** A number within limits; `rule` names it and them. */
export const numberFrom = (from: number, to: number, rule: string) =>
  v.pipe(v.number(must(rule)), v.minValue(from, must(rule)), v.maxValue(to, must(rule)));

/** A whole number, of these units if any, within limits. */
export const wholeFrom = (from: number, to: number, units?: string) => {
  const rule = `a whole number ${units === undefined ? '' : `of ${units} `}from ${from} to ${to}`;
  return v.pipe(numberFrom(from, to, rule), v.integer(must(rule)));
};

/** A list with at least one of these; `example` is one. */
export const listOf = <T extends v.GenericSchema>(item: T, example: string) =>
  v.pipe(v.array(item, must(`a list like ${example}`)), v.nonEmpty(must(`a list like ${example}`)));

/** An array of tables, `[[commands]]`; it may be absent. */
export const tables = <T extends v.GenericSchema>(item: T, header: string) =>
  v.optional(v.array(item, `must be made of tables like [[${header}]]`), []);

/** The end of a sentence about a key that an object does not have. */
type Unknown = (key: string, known: readonly string[]) => string;

/**
 * A table with these keys and no other.
 * @param like how its header is written
 */
export const table = <const E extends v.ObjectEntries>(entries: E, like: string, unknown: Unknown = unknownKey) =>
  strict(entries, `a table like ${like}`, unknown);

/** An object with these keys and no other; `rule` is what it is, as a noun phrase. */
export const strict = <const E extends v.ObjectEntries>(entries: E, rule: string, unknown: Unknown = unknownKey) =>
  // Without a prototype, so that a key like toString is unknown.
  v.strictObject(Object.assign(Object.create(null), entries) as E, ({ expected, input }) => {
    if (expected === 'Object') return must(rule)({ input });
    return expected === 'never' ? unknown(String(input), Object.keys(entries)) : 'is missing';
  });

const unknownKey = (key: string, known: readonly string[]) =>
  `is unknown${orSuggestion(key, known)} The keys are ${known.join(', ')}`;
