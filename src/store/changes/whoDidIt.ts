import type { TimeSpan } from '../../api/apiClock.ts';
import { entityName, isInProgress } from '../../resources/account/events.ts';
import { compareIds, idIn, idOf, keptId } from '../../resources/identity.ts';
import { isSingle } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import { ancestorsOf, type ResourceAction } from '../../resources/relations.ts';
import { type Action, at, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { timeOf } from '../../text/times.ts';
import { textIn } from '../../text/words.ts';
import { type Event, percentOf } from '../events.ts';
import { methodWords } from '../history/causes.ts';
import type { Stores } from '../stores.ts';
import { type Change, changeKey, isKeyOf, type Result } from './change.ts';
import type { Baseline, OwnRows, PendingChange } from './pendingChanges.ts';

/** A time of the API is whole seconds, the fraction cut off. */
const timeStepMs = 1000;

/** Whether a time that the API gives may lie behind a moment of its clock. */
export const mayBeSince = (time: unknown, { from }: TimeSpan): boolean => timeOf(time) + timeStepMs > from;

/** Whether an event may be of a change like it before: it is of a time before, or its id is of one. */
export const isEarlier = ({ id, created }: Event, { event, sent }: Baseline): boolean =>
  (sent !== undefined && timeOf(created) + timeStepMs <= sent.from) ||
  (event !== undefined && compareIds(id, event) <= 0);

const keyOf = (resource: Resource, id: string): string => `${resource.name} ${id}`;

/**
 * Notes a row that a change has made.
 * @param isAnswered the API has said so, and it was not found in a list
 */
export function noteMade({ rows }: OwnRows, resource: Resource, id: string, isAnswered: boolean): void {
  rows.set(keyOf(resource, id), isAnswered && resource.entity !== undefined ? `${resource.entity} ${id}` : undefined);
}

/** Whether a change of this session has made a row, as far as is known. */
export const isOwnRow = ({ rows }: OwnRows, resource: Resource, row: Row): boolean =>
  rows.has(keyOf(resource, idOf(resource, row)));

/** Counts the other rows of a kind that were made here since a change was sent, or may have been, as their answers are not here. */
export function madeHere({ own, inflight, lostAnswers }: Stores['changes'], change: Change, { ids }: Baseline): number {
  const { resource } = change;
  const kind = keyOf(resource, '');
  const of = [...own.rows.keys()].flatMap((key) => (key.startsWith(kind) ? [key.slice(kind.length)] : []));
  const made = of.filter((id) => !ids.includes(keptId(resource, id)));
  const open = new Set([...inflight, ...lostAnswers.keys()].filter((key) => isKeyOf(key, change)));
  open.delete(changeKey(change));
  return made.length + open.size;
}

/** So many answered changes are remembered until the name of the user is known. */
const maxAnswered = 10;

/** Notes a change that was answered just now, so that its event tells the name of the user. */
export function noteAnswered({ api, changes: { own }, events }: Stores, change: Change, before: Baseline): void {
  if (own.user !== undefined) return;
  own.answered = [...own.answered, { change, before, polls: events.begun(), until: api.time()?.to }].slice(
    -maxAnswered,
  );
}

/**
 * The name of the user whose token this is, from the event about a row that was made here, or the only one that an answered
 * change can have caused; undefined where none tells it.
 * @param before the state before a change, whose user may have been known when it was sent
 */
export function ownName(stores: Stores, before?: Pick<Baseline, 'user'>): string | undefined {
  if (before?.user !== undefined) return before.user;
  const { own } = stores.changes;
  if (own.user !== undefined) return own.user;
  const made = new Set(own.rows.values());
  const { events, poll = 0 } = stores.events.getState();
  const ofRow = events.find((event) => isCreation.test(event.action) && made.has(entityName(event.entity)));
  const ofChange = () =>
    own.answered
      // Events that were read before may be those of others alone.
      .filter(({ polls }) => poll > polls)
      .map(({ change, before, until }) =>
        eventsSince(stores, change, change.params, before).filter(
          ({ created }) =>
            (before.sent === undefined || mayBeSince(created, before.sent)) &&
            (until === undefined || timeOf(created) <= until),
        ),
      )
      .find(({ length }) => length === 1)?.[0];
  own.user = textIn((ofRow ?? ofChange())?.username);
  if (own.user !== undefined) own.answered = [];
  return own.user;
}

/** A baseline with the user who has sent the change: who carries it on may know less. */
export function withUser(stores: Stores, since: Baseline): Baseline {
  const user = ownName(stores, since);
  return user === undefined ? since : { ...since, user };
}

/** A row as the subjects of events name it; undefined where they name none of its kind, or it is not known which it is. */
export function entityOf(resource: Resource, params: Params): string | undefined {
  const id = idIn(resource, params);
  return resource.entity === undefined || id === undefined ? undefined : `${resource.entity} ${id}`;
}

/**
 * The events since a change was sent that may have come from it, the newest first: called as it is, and about its row, or
 * one that it lies under.
 * @param params those of the row, or of the new one
 */
export function eventsSince(
  stores: Stores,
  { resource, action }: ResourceAction,
  params: Params,
  before: Baseline,
): readonly Event[] {
  const named = action.shownBy?.events;
  const about = new Set(
    [resource, ...(named ? ancestorsOf(resource) : [])].flatMap((one) => entityOf(one, params) ?? []),
  );
  const isAbout = (entity: unknown) =>
    about.has(entityName(entity)) || (isSingle(resource) && at(entity, 'type') === resource.entity);
  return newEvents(stores, action, before).filter(
    ({ entity, secondary_entity: second }) => isAbout(entity) || isAbout(second),
  );
}

/** The events since a change was sent that are called as its action, the newest first. */
function newEvents({ events }: Stores, action: Action, { event: since, sent }: Baseline): readonly Event[] {
  // Where several databases give the ids, a later event may have a lower one.
  const isNew = ({ id, created }: Event) =>
    since === undefined
      ? sent !== undefined && mayBeSince(created, sent)
      : compareIds(id, since) > 0 || (sent !== undefined && timeOf(created) > sent.to);
  return events.getState().events.filter((event) => isNew(event) && isCalledAs(action, event.action));
}

/**
 * The row of which an event tells that a creation may have made it, and which is not there: its kind and id, or `one` where
 * events name only the row that it lies under, and tell of more than are there.
 * @param there the ids of all rows that were there before, or are now, but for those that were made here
 */
export function madeAndGone(
  stores: Stores,
  change: Change,
  before: Baseline,
  there: ReadonlySet<string>,
): string | undefined {
  const { resource, action, body, params } = change;
  const { own } = stores.changes;
  const user = ownName(stores, before);
  const isOurs = ({ username }: Event) => user === undefined || (textIn(username) ?? user) === user;
  const names = (action.shownBy?.names ?? []).flatMap((name) => textIn(at(body, name)) ?? []);
  const found = newEvents(stores, action, before).find((event) => {
    const [id, label] = [String(at(event.entity, 'id')), textIn(at(event.entity, 'label'))];
    return (
      isCreation.test(event.action) &&
      at(event.entity, 'type') === resource.entity &&
      isOurs(event) &&
      (names.length === 0 || label === undefined || names.includes(label)) &&
      !there.has(keptId(resource, id)) &&
      !own.rows.has(keyOf(resource, id))
    );
  });
  if (found) return `${resource.one} ${at(found.entity, 'id')}`;
  const told = eventsSince(stores, change, params, before).filter((event) => isCreation.test(event.action));
  const here = madeHere(stores.changes, change, before);
  const isMore = told.length - here > there.size - before.ids.length;
  return isMore && told.filter(isOurs).length > here ? 'one' : undefined;
}

/** The names of events about rows that were made. */
const isCreation = /_(?:create|import)$/;

function isCalledAs({ name, path, method, shownBy }: Action, event: string): boolean {
  if (shownBy?.events) return shownBy.events.includes(event);
  return [name, path.split('/').at(-1), methodWords[method]].includes(event.split('_').at(-1));
}

/** The jobs that go on; hardly any event is of one. */
const jobsIn = memoize((events: readonly Event[]) => events.filter(isInProgress));

/** The job in progress that an action has begun on a row, as far as events tell. */
export function jobOf(
  events: readonly Event[],
  { resource, action }: ResourceAction,
  params: Params,
): Event | undefined {
  const name = entityOf(resource, params);
  return jobsIn(events).find(({ entity, action: called }) => entityName(entity) === name && isCalledAs(action, called));
}

/** A job that goes on, in words: `has begun, 34%`, or by a status that the documents do not have. */
export function jobText(event: Event): string {
  const percent = percentOf(event);
  const begun = isInProgress(event) ? undefined : textIn(event.status);
  return `${begun === undefined ? 'has begun' : `has a job that is ${begun}`}${percent === undefined ? '' : `, ${Math.round(percent)}%`}`;
}

/** A change whose results are not over while their jobs go on; the same object where no job of it does. */
export const withJobs = memoize((events: readonly Event[]) =>
  memoize((change: PendingChange) => {
    if (jobsIn(events).length === 0) return change;
    const results = change.results.map((result): Result => {
      const of = { ...result.params, ...result.made };
      const job = result.state === 'done' && result.says === undefined ? jobOf(events, change, of) : undefined;
      return job ? { ...result, state: 'running', says: jobText(job) } : result;
    });
    return results.some((one, nth) => one !== change.results[nth]) ? { ...change, results } : change;
  }),
);
