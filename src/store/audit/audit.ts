import { audit as auditList } from '../../resources/account/audit.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at } from '../../resources/resource.ts';
import type { Timestamp } from '../../text/times.ts';
import { type Cache, queryKey, viewQuery } from '../cache.ts';
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
  api: GuardedApi;
  cache: Cache;
  navigation: Navigation;
  notices: Notices;
  now: () => Timestamp;
}

/** Puts the audit log into the cache as soon as somebody looks at it; without a source it has no rows. */
export function createAudit({ source, api, cache, navigation, notices, now }: AuditParts): Audit {
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
    if (!source) {
      leave = () => {};
      isRead = true;
      cache.putLocal(auditList, [], now());
      return;
    }
    const rows = createAuditRows(source.owner.getState(), api);
    const leaves = [
      source.follow((line) => {
        rows.newer(line);
        put(rows);
      }),
      source.owner.subscribe((owner) => {
        rows.identify(owner);
        put(rows);
      }),
    ];
    leave = () => {
      for (const one of leaves) one();
    };
    put(rows);
    void read(source, rows);
  }

  /** The account that the API names, as soon as it is read. */
  const unsubscribeAccount = cache.subscribe(({ answers }, before) => {
    if (answers === before.answers) return;
    const account = at(answers[accountKey]?.body, 'euuid');
    if (typeof account === 'string' && source?.owner.getState().account === undefined)
      source?.owner.setState({ account });
  });

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
      unsubscribeAccount();
      leave?.();
    },
  };
}

const accountKey = queryKey(viewQuery(resourceNamed('account'), {}));
