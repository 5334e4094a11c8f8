import * as v from 'valibot';
import { orSuggestion } from '../text/nearest.ts';
import { described, flag, listOf, must, optional, ruled, table, text, textsLike } from './values.ts';

/** Told what is to be read by this schema and not by that one, so that its own mistakes are told. */
const either = <A extends v.GenericSchema, B extends v.GenericSchema>(
  isFirst: (value: unknown) => boolean,
  first: A,
  second: B,
) => {
  const both = v.union([first, second]);
  const run: (typeof both)['~run'] = (dataset, config) =>
    (isFirst(dataset.value) ? first : second)['~run'](dataset, config) as ReturnType<(typeof both)['~run']>;
  return { ...both, '~run': run };
};

const fieldLike = '{ name = "region", kind = "row", of = "regions" }';
const whole = (meaning: string) =>
  optional(v.pipe(v.number(must('a whole number')), v.integer(must('a whole number'))), meaning);
const limits = { min: whole('The least number, or characters of a text.'), max: whole('The most.') };

/** A field of one kind that a command asks for. */
const asked = <const K extends string, const E extends v.ObjectEntries>(kind: K, more: E) =>
  table(
    {
      name: v.pipe(
        text,
        v.regex(/^[A-Za-z]\w*$/, must('letters, digits and _ that begin with a letter')),
        v.description('Its placeholder: `{region}`; of the same name it comes before that of the row.'),
      ),
      kind: described(v.literal(kind), 'A line of text, a whole number, one of some options, a row of an area.'),
      title: optional(text, 'What it is called in the form; by default its name.'),
      ...more,
    },
    fieldLike,
  );

const askedField = v.variant(
  'kind',
  [
    asked('text', {
      matches: optional(
        ruled(patternMistake),
        'A regular expression that a text must match; `^` and `$` make it the whole.',
      ),
      ...limits,
    }),
    asked('number', limits),
    asked('choice', { options: described(textsLike('["cold", "warm"]'), 'The values of a choice, in their order.') }),
    asked('row', { of: described(text, 'The area whose rows are offered: `regions`.') }),
  ],
  ({ input, expected }) => {
    if (expected === 'Object') return must(`a question or a table like ${fieldLike}`)({ input });
    const kinds = ['text', 'number', 'choice', 'row'];
    return input === undefined
      ? 'is missing'
      : must(`one of ${kinds.join(', ')}`)({ input }) + (typeof input === 'string' ? orSuggestion(input, kinds) : '');
  },
);

function patternMistake(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return `is no regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`;
  }
}

/** Whether a command asks first, its question, or a list of fields with or without one. */
export const askSetting = either(
  (value) => !Array.isArray(value),
  v.union([flag, text], must('true, false, a question or a list of what is asked for')),
  listOf(
    either((value) => typeof value === 'string', text, askedField),
    `[${fieldLike}]`,
  ),
);
