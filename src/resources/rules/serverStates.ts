import { day, dayText, hour, minute, spanWords } from '../../text/times.ts';
import { wordsOf } from '../../text/words.ts';
import { actionWords, isInProgress } from '../account/events.ts';
import { isBusy, noBoot } from '../compute/serverActions.ts';
import { serverCost } from '../compute/serverTypes.ts';
import { eventsOf } from '../problems/rowIndex.ts';
import { type Rule, type RuleAnswer, rule } from '../problems/rule.ts';
import { type CacheView, idAt, numberAt, type Row, rowName, textAt, timeAt } from '../row.ts';
import { statusOf } from '../wording.ts';
import { bootWords } from './serverParts.ts';

/** Makes rules of servers, each sentence of which begins with the name of one. */
export const serverRule = rule('servers', (server) => rowName(server, 'server'));

const boots = new Set(['server_boot', 'server_reboot', 'watchdog_reboot', 'console_boot', 'host_reboot']);

/** The events about a server, the newest first. */
const eventsAbout = (server: Row, view: CacheView) => eventsOf('server', idAt(server, 'id') ?? '', view);

/** The newest event that turned a server on or off, or was to. */
const switchOf = (events: readonly Row[]) =>
  events.find(({ action }) => action === 'server_shutdown' || boots.has(String(action)));

const hasUser = (event: Row) => textAt(event, 'username') !== undefined;

/** The action of an event as a noun for its server: `server_boot` is "boot". */
const jobWords = ({ action }: Row) => actionWords(action).replace(/^server /, '') || 'action';

/** Finds what took an offline server down when no user did; undefined where none of its events tells. */
function downOf(server: Row, view: CacheView): RuleAnswer {
  const events = eventsAbout(server, view);
  if (events.some(isInProgress)) return undefined;
  const last = switchOf(events);
  if (!last) return undefined;
  const since = timeAt(last, 'created');
  const words = jobWords(last);
  if (statusOf(last) === 'failed') return { says: `is offline; its last ${words} failed`, since };
  if (last.action !== 'server_shutdown')
    return `is offline, and no user shut it down after its ${words}${since === undefined ? '' : ` on ${dayText(since)}`}`;
  return hasUser(last) ? undefined : { says: 'is offline; the platform shut it down, not a user', since };
}

const isOffline = (server: Row) => statusOf(server) === 'offline';

/** When a server was turned off, in ms since the epoch; undefined where none of the events tells. */
export const offSince = (server: Row, view: CacheView): number | undefined => {
  const off = switchOf(eventsAbout(server, view));
  return off?.action === 'server_shutdown' ? timeAt(off, 'created') : undefined;
};

/** A server that is off this long is hardly awaited back. */
const longOff = 7 * day;

/** A job that has ended leaves its server busy no longer than this. */
const settled = 15 * minute;

/** An action may take so long: one that tells it has not begun yet, and any other. */
const maxDuration = { beginning: hour, any: 6 * hour };

/** So many boots that nobody asked for within a day are one fault, not bad luck. */
const manyBoots = 3;

/** Servers that are off, or have been busy too long (document 2, 2.1 and 3). */
export const serverStateRules: readonly Rule[] = [
  serverRule({
    name: 'server-down',
    several: '{} servers are offline, and no user shut them down',
    severity: 'critical',
    reads: ['events'],
    remedy: { tab: 'Configs', help: 'Check its configs and their root devices' },
    remedies: [{ action: 'rescue' }],
    lacks: noBoot,
    shows: ['configs', 'disks'],
    evidence: bootWords,
    find: (server, view) => (isOffline(server) ? downOf(server, view) : undefined),
  }),
  serverRule({
    name: 'server-stopped',
    several: '{} servers are stopped; the platform does this for maintenance',
    severity: 'critical',
    remedy: { shortcut: 'ticket' },
    lacks: noBoot,
    find: (server) =>
      statusOf(server) === 'stopped' ? 'is stopped; the platform does this for maintenance' : undefined,
  }),
  serverRule({
    name: 'server-idle',
    several: '{} servers are offline and still charged for',
    severity: 'notice',
    reads: ['server-types', 'events'],
    remedy: { shortcut: 'capture' },
    remedies: [{ action: 'delete' }],
    lacks: noBoot,
    find: (server, view) => {
      if (!isOffline(server) || eventsAbout(server, view).some(isInProgress) || downOf(server, view)) return;
      const off = switchOf(eventsAbout(server, view));
      const since = timeAt(off, 'created');
      if (since !== undefined && view.now - since < longOff) return;
      const cost = serverCost(server, view);
      return { says: `is offline and still charged for${cost ? `: ${cost}` : ''}`, since };
    },
  }),
  serverRule({
    name: 'server-busy-too-long',
    several: '{} servers are busy, but no action on them is in progress',
    reads: ['events'],
    remedy: { shortcut: 'ticket' },
    find: (server, view) => {
      const status = statusOf(server);
      if (!isBusy(status) || view.events.length === 0) return;
      const events = eventsAbout(server, view);
      if (events.some(isInProgress)) return;
      const ends = events.map((event) => (timeAt(event, 'created') ?? 0) + (numberAt(event, 'duration') ?? 0) * 1000);
      const since = Math.max(timeAt(server, 'updated') ?? 0, timeAt(server, 'created') ?? 0, ...ends);
      if (since === 0 || view.now - since <= settled) return;
      return { says: `is ${wordsOf(status)}, but no action on it is in progress`, since };
    },
  }),
  serverRule({
    name: 'server-action-stuck',
    several: '{} actions on servers have not finished after a long time',
    reads: ['events'],
    remedy: { shortcut: 'ticket' },
    find: (server, view) =>
      eventsAbout(server, view).flatMap((event) => {
        const since = timeAt(event, 'created');
        if (statusOf(event) !== 'started' || since === undefined) return [];
        const percent = numberAt(event, 'percent_complete');
        const took = view.now - since;
        if (took <= (percent === 0 ? maxDuration.beginning : maxDuration.any)) return [];
        const progress = percent === undefined ? '' : `; it is at ${percent}%`;
        const says = `has not finished its ${jobWords(event)} after ${spanWords(took)}${progress}`;
        return [{ says, since, part: idAt(event, 'id') }];
      }),
  }),
  serverRule({
    name: 'server-reboot-loop',
    several: '{} servers were booted again and again without a user asking for it',
    reads: ['events'],
    remedy: { tab: 'History', help: 'Look at its history' },
    find: (server, view) => {
      const times = eventsAbout(server, view)
        .filter((event) => event.action === 'watchdog_reboot' || (boots.has(String(event.action)) && !hasUser(event)))
        .flatMap((event) => timeAt(event, 'created') ?? [])
        .filter((time) => view.now - time < day);
      if (times.length < manyBoots) return;
      const isNow = times.filter((time) => view.now - time < hour).length >= manyBoots;
      return {
        says: `was booted again ${times.length} times within 24 hours without a user asking for it`,
        since: Math.min(...times),
        severity: isNow ? 'critical' : undefined,
      };
    },
  }),
];
