import { clockDifference } from '../../api/apiClock.ts';
import type { Api } from '../../api/client.ts';
import { knownResource } from '../../resources/index.ts';
import { at, type Row } from '../../resources/row.ts';
import { day, second, type Timestamp, timeOf } from '../../text/times.ts';
import { textIn } from '../../text/words.ts';

/** Changes that were sent from here, and the events that tell of them. */
export interface CausesOptions {
  /** Milliseconds that the clock of the API is ahead of this machine's. */
  ahead?: number;
  /** The user of the token, by profile, where it is known. */
  users?: ReadonlyMap<unknown, string>;
}

/** An answer may take so long to be written, and the clock of the API be known no better. */
const tightMs = second;
/** The clocks of the API and of this machine may have differed so much when it was sent, and an answer may take so long. */
export const nearMs = 15 * second;

/**
 * Milliseconds that the clock of the API is ahead of this machine's, in whole seconds; 0 where that is not known, or more than
 * a day, as no certificate would be valid by such a clock.
 */
export function clockAhead({ api, now }: { api: Pick<Api, 'time'>; now: () => Timestamp }): number {
  const ahead = clockDifference(api.time(), now()) ?? 0;
  return Math.abs(ahead) > day ? 0 : ahead;
}

/**
 * The event that each change has caused: of the kind of its action, of its user, at its time, and none of a change that
 * was refused. An event is that of one change at most.
 * @param sent rows of the audit log about one row of the API, in any order; likewise its events
 */
export function causesOf(
  sent: readonly Row[],
  events: readonly Row[],
  { ahead = 0, users = new Map() }: CausesOptions = {},
): ReadonlyMap<Row, Row> {
  const found = new Map<Row, Row>();
  const left = new Set(events.toSorted((one, other) => timeOf(one.created) - timeOf(other.created)));
  const open = sent.filter(mayHaveEvent).sort((one, other) => timeOf(one.at) - timeOf(other.at));
  /** Gives each change that has none yet the nearest event within a time, the nearest of all first. */
  const join = (within: number) => {
    const pairs = open
      .filter((change) => !found.has(change))
      .flatMap((change) => matching(change).map((event) => ({ change, event, off: distance(change, event, ahead) })))
      .filter(({ off }) => off <= within)
      .sort((one, other) => one.off - other.off);
    for (const [change, [first, ...others]] of Map.groupBy(pairs, (one) => one.change)) {
      // Of two users at the same time nothing tells which it was.
      const isTied = others.some(({ event, off }) => off === first?.off && event.username !== first.event.username);
      if (isTied) open.splice(open.indexOf(change), 1);
    }
    for (const { change, event } of pairs) {
      if (found.has(change) || !left.has(event) || !open.includes(change)) continue;
      found.set(change, event);
      left.delete(event);
    }
  };
  const matching = (change: Row) =>
    [...left].filter((event) => isOf(change, event) && isBy(users.get(change.profile), change, event));
  // The clocks agree as a rule, and then changes in quick succession have their events in the same order.
  join(tightMs);
  // An event may be told of late. Another one of about that time is its cause where it is of the same user at least.
  open.splice(0, open.length, ...open.filter(({ profile }) => users.has(profile)));
  join(nearMs);
  return found;
}

/**
 * The users of the tokens of this account, by profile: of the events that came with changes from here, most are theirs.
 * @param sent rows of the audit log about any rows; likewise the events
 */
export function usersOf(sent: readonly Row[], events: readonly Row[], ahead = 0): ReadonlyMap<unknown, string> {
  const byEntity = Map.groupBy(events, (event) => `${at(event, 'entity.type')} ${at(event, 'entity.id')}`);
  const counts = new Map<unknown, Map<string, number>>();
  for (const change of sent) {
    const resource = knownResource(change.resource);
    if (!resource?.entity || change.outcome !== 'done') continue;
    const about = byEntity.get(`${resource.entity} ${at(change.params, resource.param)}`) ?? [];
    const those = about.filter((event) => isOf(change, event) && distance(change, event, ahead) <= tightMs);
    const [name, ...others] = new Set(those.map(({ username }) => username));
    // Where two users did the same at the same time, nothing tells which of them it was.
    if (typeof name !== 'string' || others.length > 0) continue;
    const own = counts.get(change.profile) ?? new Map<string, number>();
    counts.set(change.profile, own.set(name, (own.get(name) ?? 0) + 1));
  }
  return new Map(
    [...counts].flatMap(([profile, names]) => {
      const [first, other] = [...names].sort(([, one], [, other]) => other - one);
      return first && first[1] > (other?.[1] ?? 0) ? [[profile, first[0]] as const] : [];
    }),
  );
}

/** The answers of a server that failed itself, which earlier versions took for refusals. */
const doubtful: readonly unknown[] = [500, 502, 504];

/** Whether a change was done, or may have been: a refused one has no event. */
const mayHaveEvent = ({ outcome, status }: Row): boolean =>
  outcome !== 'not sent' && (outcome !== 'failed' || doubtful.includes(status));

/** Whether an event is of the user of a change; of one that may not have been done, as far as that is certain. */
const isBy = (user: string | undefined, { outcome }: Row, { username }: Row): boolean =>
  typeof username !== 'string' || (user === undefined ? outcome === 'done' : username === user);

/** Milliseconds between an event, whose time is cut to seconds, and the time from a change to its answer. */
function distance({ at: sentAt, endedAt }: Row, { created }: Row, ahead: number): number {
  const time = timeOf(created) - ahead;
  const began = timeOf(sentAt);
  const ended = timeOf(endedAt);
  return Math.max(0, began - (time + second), time - (Number.isNaN(ended) ? began : ended));
}

/** The words of events for methods. */
export const methodWords: Readonly<Record<string, string>> = { PUT: 'update', DELETE: 'delete' };
/** Words that events of parts of a row have as well, such as `server_config_update`. */
const general: ReadonlySet<string | undefined> = new Set(['create', 'update', 'delete']);
/** The first words of events where they are not the type of their entity (document 1, 2.5). */
const stems: Readonly<Record<string, string>> = { domain: 'dns_zone' };

/** Whether an event about a row may be about a part with this label: where it names one, it is that. */
function names(event: Row, label: unknown): boolean {
  const told = textIn(at(event, 'secondary_entity.label')) ?? textIn(event.message);
  return told === undefined || typeof label !== 'string' || told.includes(label);
}

/** Whether an event is called as a change is; one about the row above, as a change of its part. */
function isOf({ action, path, method, resource, label }: Row, event: Row): boolean {
  const words = String(event.action).split('_');
  const word = words.at(-1);
  if (![action, String(path).split('/').at(-1), methodWords[String(method)]].includes(word)) return false;
  const type = String(at(event, 'entity.type'));
  const { entity, name = '' } = knownResource(resource) ?? {};
  if (entity !== type) return words.at(-2) === name.split('-').at(-1)?.replace(/s$/, '') && names(event, label);
  return !general.has(word) || words.slice(0, -1).join('_') === (stems[type] ?? type);
}
