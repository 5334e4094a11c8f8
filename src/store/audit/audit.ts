import { audit as auditList } from '../../resources/account/audit.ts';
import type { Row } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import type { GuardedApi } from '../guards/gate.ts';
import type { AuditSource } from '../history/auditLog.ts';
import { allOf } from '../listeners.ts';
import { type Navigation, type NavigationState, placeOf } from '../navigation.ts';
import type { Notices } from '../notices.ts';
import { whenKnown } from '../plans/planAccount.ts';
import { type AuditRows, createAuditRows } from './auditRows.ts';

interface AuditParts {
  source: AuditSource | undefined;
  api: GuardedApi;
  cache: Cache;
  navigation: Navigation;
  notices: Notices;
  now: () => Timestamp;
}

/** Puts the audit log into the cache as soon as somebody looks at it; without a source it has no rows. */
export function createAudit({ source, api, cache, navigation, notices, now }: AuditParts) {
  let leave: (() => void) | undefined;
  let isRead = false;
  let rows: AuditRows | undefined;
  /** Resolves once the log is read. */
  let reading = Promise.resolve();

  const put = (rows: AuditRows) => cache.putLocal(auditList, rows.rows(), isRead ? now() : undefined);

  /** Reads lines, and says why they cannot be. */
  const linesOf = (from: AuditSource, take: Parameters<AuditSource['read']>[0]) =>
    from.read(take).catch((error: Error) => void notices.say('bad', error.message));

  async function read(from: AuditSource, rows: AuditRows): Promise<void> {
    const says = await linesOf(from, (lines) => {
      const isFirst = rows.count === 0;
      rows.older(lines);
      if (isFirst) put(rows);
    });
    if (typeof says === 'string') notices.say('plain', says);
    rows.end();
    isRead = true;
    put(rows);
  }

  /** Reads the log, the first time that somebody looks at it; the changes of this account are followed from then on. */
  function load(): void {
    if (leave) return;
    if (!source) {
      leave = () => {};
      isRead = true;
      cache.putLocal(auditList, [], now());
      return;
    }
    const made = createAuditRows(source.owner.getState(), api);
    rows = made;
    leave = allOf([
      source.follow((line) => {
        made.newer(line);
        put(made);
      }),
      source.owner.subscribe((owner) => {
        made.identify(owner);
        put(made);
      }),
    ]);
    put(made);
    reading = read(source, made);
  }

  async function readNewer(from: AuditSource, into: AuditRows): Promise<void> {
    const found: Row[] = [];
    // Where all of a portion is known, all before it is.
    await linesOf(from, (lines) => {
      const added = lines.filter((line) => line.damaged === undefined && !into.has(line));
      found.push(...added);
      return added.length > 0;
    });
    for (const line of found.toReversed()) if (!into.has(line)) into.newer(line, true);
    if (found.length > 0) put(into);
  }

  /** Reads what other sessions have written meanwhile; resolves once all is in the cache. */
  function refresh(): Promise<void> {
    const wasLoaded = leave !== undefined;
    load();
    const into = rows;
    if (wasLoaded && source && into) reading = reading.then(() => readNewer(source, into));
    return reading;
  }

  const unsubscribeAccount = whenKnown(cache, (account) => {
    if (source?.owner.getState().account === undefined) source?.owner.setState({ account });
  });

  const look = (state: NavigationState) => {
    const place = placeOf(state);
    if ('resource' in place && place.resource === auditList.name) void refresh();
  };
  look(navigation.getState());
  const unsubscribe = navigation.subscribe(look);

  return {
    load,
    refresh,
    found: source?.found,
    /** Ends the following. */
    stop() {
      unsubscribe();
      unsubscribeAccount();
      leave?.();
    },
  };
}
