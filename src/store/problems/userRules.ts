import type { RuleConfig } from '../../config/schema.ts';
import { isSingle, resourceCalled, resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import { placeholdersIn, replaced } from '../../resources/placeholders.ts';
import { type Rule, rule } from '../../resources/problems/rule.ts';
import { namesAbove } from '../../resources/relations.ts';
import { at, type CacheView, emptyView, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { rounded } from '../../text/numbers.ts';
import { displayText, freeName, wordsOf } from '../../text/words.ts';
import { type FilterField, fieldNamed, isAbsent, readOf, titled } from '../filter/fields.ts';
import { type Filter, parseFilter } from '../filter/filter.ts';
import { type Term, termsOf } from '../filter/terms.ts';
import { eventsName } from '../queries.ts';
import { isGradual } from '../reading.ts';

/** The rules of the configuration in the language of Skydeck's own; those that its check refuses are not among them. */
export function userRules(configured: readonly RuleConfig[]): readonly Rule[] {
  const names = new Set<string>();
  return configured.flatMap((one) => {
    const resource = resourceCalled(one.for);
    if (!resource || !isExaminable(resource)) return [];
    const name = freeName(slugOf(`own ${resource.name} ${one.where}`), (taken) => names.has(taken));
    names.add(name);
    return [userRule(one, name, resource)];
  });
}

/** Whether all rows of a resource are read for rules. */
export function isExaminable(resource: Resource): boolean {
  const { name, local, list, under } = resource;
  if (local) return false;
  if (isSingle(resource) || name === eventsName) return true;
  if (!list || isGradual(list)) return false;
  return under === undefined ? !list.path.includes('{') : isExaminable(resourceNamed(under));
}

function userRule({ where, severity, says }: RuleConfig, name: string, resource: Resource): Rule {
  const plain = plainPart(where, resource);
  const lookIn = memoize<Look, CacheView>((view) => ({
    filter: parseFilter(where, resource.columns, view),
    plain: parseFilter(plain, resource.columns, view),
    negated: askedFields(where, resource, view).filter(({ isNegated }) => isNegated),
  }));
  const asked = [
    ...askedFields(where, resource, emptyView).map(({ fetches }) => fetches),
    ...placeholdersIn(says).flatMap((path) => resource.columns.find((one) => titled(one) === path)?.fetches ?? []),
  ];
  return rule<Row>(resource.name)({
    name,
    severity,
    reads: resource.reads,
    fetches: [...new Set(asked)],
    isUserRule: true,
    ...(asked.length > 0 &&
      plain !== '' && {
        fetchesOf: (row, view) => {
          const { plain } = lookIn(view);
          return 'error' in plain || plain.matches(row);
        },
      }),
    several: `{first}, and {more} more ${plural(resource)}`,
    evidence: () => [`A rule of the configuration, "${says}", finds ${plural(resource)} by ${where}`],
    find: (row, view, params) => {
      const { filter, negated } = lookIn(view);
      if ('error' in filter || !filter.matches(row)) return undefined;
      // A row whose figures are not read is not below any of them.
      if (negated.some(({ read }) => isAbsent(read(row)))) return undefined;
      return placed(sentenceOf(says, row, resource, view), resource, view, params);
    },
  });
}

/** A sentence with the rows that its own lies under, unless it names them: records are called alike in many domains. */
function placed(sentence: string, resource: Resource, view: CacheView, params: Params): string {
  const names = namesAbove(view, resource, params).filter((name) => !sentence.includes(name));
  return names.length === 0 ? sentence : `${sentence} (in ${names.join(' of ')})`;
}

/** The filter of a rule, and of the fields for which rows are asked about those that it negates. */
interface Look {
  filter: Filter;
  /** Its terms that need no request about a row. */
  plain: Filter;
  negated: readonly AskedField[];
}

interface AskedField extends FilterField {
  fetches: string;
  isNegated: boolean;
}

const askedFields = (where: string, resource: Resource, view: CacheView): readonly AskedField[] =>
  termsOf(where).flatMap((term) => askedIn(term, resource, view));

const askedIn = ({ isNegated, alternatives }: Term, { columns }: Resource, view: CacheView): readonly AskedField[] =>
  alternatives.flatMap(({ field }): readonly AskedField[] => {
    const found = field === undefined ? undefined : fieldNamed(field, columns, view);
    return found?.fetches === undefined ? [] : [{ ...found, fetches: found.fetches, isNegated }];
  });

/** The terms of a filter that need no request about a row. */
const plainPart = (where: string, resource: Resource): string =>
  termsOf(where)
    .flatMap((term, index, all) => {
      const isPlain = askedIn(term, resource, emptyView).length === 0;
      return isPlain ? [where.slice(term.from, all[index + 1]?.from).trim()] : [];
    })
    .join(' ');

/** The sentence of a rule about a row; what the row does not have is said to be unknown, and a unit is said once. */
const sentenceOf = (says: string, row: Row, resource: Resource, view: CacheView): string =>
  replaced(says, (path) => valueText(valueAt(path, row, resource, view))).replace(/%(?= ?%)/g, '');

/** The value of a column by its name, or at a path of the row. */
function valueAt(path: string, row: Row, resource: Resource, view: CacheView): unknown {
  const value = at(row, path);
  if (path === 'status') return wordsOf(displayText(value));
  if (!isAbsent(value)) return value;
  if (path === 'label') return resource.label(row);
  const column = resource.columns.find((one) => titled(one) === path);
  const read = column && readOf(column, view)(row);
  const isPercent = column?.format === 'load' || column?.format === 'percent';
  return isPercent && typeof read === 'number' ? `${rounded(read, 1)}%` : read;
}

function valueText(value: unknown): string {
  if (isAbsent(value)) return 'unknown';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'number' ? rounded(value, 1) : displayText(value);
}

const signs: Readonly<Record<string, string>> = {
  '!': ' not ',
  '>': ' above ',
  '<': ' below ',
  '=': ' is ',
  '|': ' or ',
};

/** A text as lower-case words with dashes, with words for the signs of filters. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[!<>=|]/g, (sign) => signs[sign] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/-$/, '');
