import { day, dayText, spanWords } from '../../text/times.ts';
import { alertNames } from '../compute/serverSettings.ts';
import { idIndex } from '../problems/rowIndex.ts';
import type { Rule } from '../problems/rule.ts';
import { at, type CacheView, idAt, numberAt, type Row, textAt, timeAt } from '../row.ts';
import { statusOf } from '../wording.ts';
import { serverRule } from './serverStates.ts';

/** Backups are made daily: after this long without one they do not work. */
const backupsStale = 7 * day;

/** A server, or its backups, must be this old before the first one is missed. */
const firstBackup = 2 * day;

const hasNewBackups = (server: Row, view: CacheView) =>
  view
    .find('events', idIndex('entity.id'), idAt(server, 'id') ?? '')
    .some((event) => event.action === 'backups_enable' && view.now - (timeAt(event, 'created') ?? 0) < firstBackup);

/** Servers without what would save or warn (document 2, 2.1). */
export const serverSafetyRules: readonly Rule[] = [
  serverRule({
    name: 'server-backups-stale',
    several: '{} servers have backups, but no successful one lately',
    remedy: { tab: 'Backups' },
    find: (server, view) => {
      if (at(server, 'backups.enabled') !== true) return;
      const last = timeAt(server, 'backups.last_successful');
      if (last !== undefined) {
        const age = view.now - last;
        if (age <= backupsStale) return;
        const says = `has backups, but the last successful one is from ${dayText(last)}, ${spanWords(age)} ago`;
        return { says, since: last };
      }
      const since = timeAt(server, 'created');
      const isNever = at(server, 'backups.last_successful') === null;
      if (!isNever || since === undefined || view.now - since <= firstBackup || hasNewBackups(server, view)) return;
      return { says: 'has backups turned on, but none has ever succeeded', since };
    },
  }),
  serverRule({
    name: 'server-backups-off',
    several: '{} servers have no backups',
    severity: 'notice',
    lacks:
      "The API has no operation that turns on the backups of a server; they are turned on when it is created, or in the provider's console.",
    find: (server) =>
      at(server, 'backups.enabled') === false && statusOf(server) === 'running' ? 'has no backups' : undefined,
  }),
  serverRule({
    name: 'server-watchdog-off',
    several: '{} servers have their watchdog off: they are not booted again if they power off',
    severity: 'notice',
    remedy: { action: 'edit' },
    find: (server) =>
      server.watchdog_enabled === false ? 'has its watchdog off: it is not booted again if it powers off' : undefined,
  }),
  serverRule({
    name: 'server-alerts-off',
    several: '{} servers have all of their alerts off',
    severity: 'notice',
    remedy: { action: 'alerts' },
    find: (server) =>
      alertNames.every((name) => numberAt(server, name) === 0) ? 'has all of its alerts off' : undefined,
  }),
  serverRule({
    name: 'server-type-retired',
    several: '{} servers are of a type that is no longer offered or has a successor',
    severity: 'notice',
    reads: ['server-types'],
    remedy: { action: 'resize' },
    find: (server, view) => {
      const id = textAt(server, 'type');
      if (id === undefined) return;
      const type = view.row('server-types', id);
      const successor = textAt(type, 'successor');
      if (successor) return `is of the type ${id}, which ${successor} replaces`;
      if (type || view.rows('server-types').length === 0 || !view.isRead('server-types')) return;
      return `is of the type ${id}, which is no longer offered`;
    },
  }),
];
