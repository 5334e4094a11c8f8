import { idIn, idOf, paramsOf } from '../resources/identity.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import { liesUnder, questionOf } from './questions.ts';
import type { RecordsState } from './records.ts';

/** The state without some entries. */
export function without(state: RecordsState, keys: ReadonlySet<string>): RecordsState {
  const rest = <T>(entries: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.has(key)));
  return { ...state, collections: rest(state.collections), answers: rest(state.answers) };
}

/** The state with one entry no longer being read; what was known of it stays. */
export function brokenOff(state: RecordsState, key: string): RecordsState {
  const ended = { loading: false };
  const collection = state.collections[key];
  const answer = state.answers[key];
  if (collection?.loading)
    return { ...state, collections: { ...state.collections, [key]: { ...collection, ...ended } } };
  if (answer?.loading) return { ...state, answers: { ...state.answers, [key]: { ...answer, ...ended } } };
  return state;
}

/** The state without what lies under rows that are gone: their lists, and the answers about them. */
export function withoutUnder(state: RecordsState, resource: Resource, gone: readonly Params[]): RecordsState {
  const byId = new Map(gone.map((params) => [idIn(resource, params), params]));
  const { collections, answers } = state;
  const keys = [...Object.keys(collections), ...Object.keys(answers)].filter((key) => {
    const question = questionOf(key);
    const row = byId.get(idIn(resource, question.params));
    if (!row || idIn(resource, row) === undefined) return false;
    // That there is no such row any more stays known.
    const isItself = question.resource === resource.name && question.operation === 'view';
    return !isItself && liesUnder(question.params, row);
  });
  return keys.length > 0 ? without(state, new Set(keys)) : state;
}

/** The parameters of the rows of a list that are not in it any more. */
export function missingFrom(
  resource: Resource,
  params: Params,
  before: readonly Row[],
  after: readonly Row[],
): readonly Params[] {
  if (before === after || before.length === 0) return [];
  const there = new Set(after.map((row) => idOf(resource, row)));
  return before.filter((row) => !there.has(idOf(resource, row))).map((row) => paramsOf(resource, row, params));
}
