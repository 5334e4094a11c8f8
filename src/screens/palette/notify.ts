import type { Reminded } from '../../store/problems/reminders.ts';
import type { Stores } from '../../store/stores.ts';
import type { KeySubject } from '../keys/keyboard.ts';
import type { Thing } from './match.ts';
import { paramsOfIndexed, type SearchIndex } from './rowIndex.ts';

const word = 'notify';

/** So many rows of a name are offered. */
const maxRows = 8;

/** `notify` for the rows or the problem under the cursor, `notify web-3` for loaded rows of that name. */
export function notifyThings(
  stores: Stores,
  subjects: readonly KeySubject[],
  index: SearchIndex,
  typed: string,
): readonly Thing[] {
  const [first = '', ...rest] = typed.split(' ');
  if (first.length < 3 || !word.startsWith(first)) return [];
  const name = rest.join(' ');
  const named = (): readonly Reminded[] =>
    index
      .search(name, maxRows)
      .found.map(({ thing }) => ({ resource: thing.resource, row: thing.row, params: paramsOfIndexed(thing) }));
  // A server comes before a record of its name, and what something can be told of before both.
  const rank = ({ refusal }: Thing, { resource }: Reminded) => (refusal === undefined ? 0 : resource.under ? 2 : 1);
  return (name === '' ? subjects.flatMap(remindedOf) : named())
    .map((about) => ({ about, thing: notifyThing(stores, about) }))
    .toSorted((one, other) => rank(one.thing, one.about) - rank(other.thing, other.about))
    .map(({ thing }) => thing);
}

const remindedOf = ({ resource, targets, params, problem }: KeySubject): readonly Reminded[] =>
  problem ? [{ resource, params, problem }] : targets.map((target) => ({ resource, ...target }));

function notifyThing({ reminders }: Stores, about: Reminded): Thing {
  const { resource, row, problem, params } = about;
  const isSet = reminders.isSet(about);
  const end = reminders.endOf(about);
  const label = problem ? problem.label : row ? resource.label(row) : resource.one;
  return {
    id: `notify ${resource.name} ${JSON.stringify(params)}`,
    label: isSet ? `Do not notify of ${label}` : `Notify of ${label}`,
    names: [word],
    kind: resource.one,
    detail: isSet ? 'it is set' : end,
    refusal: isSet || end !== undefined ? undefined : 'it has no job in progress and no known problem',
    run: () => reminders.toggle(about),
  };
}
