import { audit as auditList } from '../../resources/account/audit.ts';
import type { Timestamp } from '../../text/times.ts';
import type { Cache } from '../cache.ts';
import type { GuardedApi } from '../guards/gate.ts';
import { type Navigation, type NavigationState, placeOf } from '../navigation.ts';
import type { Notices } from '../notices.ts';
import { type AuditRows, createAuditRows } from './auditRows.ts';
import type { AuditSource } from './auditSource.ts';

/** The audit log as a list in the cache. */
export interface Audit {
  /** Reads the log, the first time that somebody looks at it; the changes of this account are followed from then on. */
  load(): void;
  /** Ends the following. */
  stop(): void;
}

interface AuditParts {
  source: AuditSource | undefined;
  profile: string;
  api: GuardedApi;
  cache: Cache;
  navigation: Navigation;
  notices: Notices;
  now: () => Timestamp;
}

/** Puts the audit log into the cache as soon as somebody looks at it; without a source it has no rows. */
export function createAudit({ source, profile, api, cache, navigation, notices, now }: AuditParts): Audit {
  let leave: (() => void) | undefined;
  let isRead = false;

  const put = (rows: AuditRows) => cache.putLocal(auditList, rows.rows(), isRead ? now() : undefined);

  async function read(from: AuditSource, rows: AuditRows): Promise<void> {
    try {
      const says = await from.read((lines) => {
        const isFirst = rows.count === 0;
        rows.older(lines);
        if (isFirst) put(rows);
      });
      if (says !== undefined) notices.say('plain', says);
    } catch (error) {
      notices.say('bad', (error as Error).message);
    }
    rows.end();
    isRead = true;
    put(rows);
  }

  function load(): void {
    if (leave) return;
    const rows = createAuditRows(profile, api);
    leave =
      source?.follow((line) => {
        rows.newer(line);
        put(rows);
      }) ?? (() => {});
    put(rows);
    void read(source ?? nothing, rows);
  }

  const look = (state: NavigationState) => {
    const place = placeOf(state);
    if ('resource' in place && place.resource === auditList.name) load();
  };
  look(navigation.getState());
  const unsubscribe = navigation.subscribe(look);

  return {
    load,
    stop() {
      unsubscribe();
      leave?.();
    },
  };
}

const nothing: AuditSource = { read: async () => undefined, follow: () => () => {} };
