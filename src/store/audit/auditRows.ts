import { type AuditRow, isDoubtful } from '../../resources/account/audit.ts';
import { actionsOf, creationsOf, knownResource, resources } from '../../resources/index.ts';
import { isRow, isTexts, type Params, type Row } from '../../resources/row.ts';
import { lastTime, timeOf } from '../../text/times.ts';
import { freeName, textIn } from '../../text/words.ts';
import type { GuardedApi } from '../guards/gate.ts';
import { type AuditOwner, uidOf, withFiles } from '../history/auditLog.ts';
import { standingOf } from './takenBack.ts';

/** The rows of the audit log, put together from its lines. */
export type AuditRows = ReturnType<typeof createAuditRows>;

type Words = Pick<GuardedApi, 'documented' | 'curlOf'>;

/** A row, and the lines that it was made from as long as it is not known whose they are. */
interface Entry {
  row: AuditRow;
  /** Its place among the others, in ms since the epoch; that of a wrong clock is just behind the one before it. */
  at: number;
  from?: { line: Row; ends: readonly Row[]; outcome: string };
}

/** Puts rows together; what other accounts have sent stays in the words of their API. */
export function createAuditRows(first: AuditOwner, api: Words) {
  let owner = first;
  const ids = new Set<string>();
  const old: Entry[] = [];
  /** Of this session, the newest last. */
  const fresh: Entry[] = [];
  /** The changes without an outcome in `fresh`. */
  const open = new Map<string, Entry>();
  /** Outcomes whose change is in an older line, and what has shown that a change was done whose answer was lost. */
  const ends = new Map<string, Row>();
  const evidence = new Map<string, Row>();
  /** The accounts of runs that did not know them at first. */
  const accounts = new Map<string, string>();
  const taken = new Set<string>();
  const byUid = new Map<string, Entry>();

  const unique = (wanted: string): string => {
    const id = freeName(wanted, (taken) => ids.has(taken), ' ');
    ids.add(id);
    return id;
  };

  const whoseIs = (line: Row): Whose => whoseOf(line, owner, accounts);

  function make(line: Row, end: Row | undefined, outcome: string, place = (at: number) => at): Entry {
    const whose = whoseIs(line);
    const ends = [end ?? [], evidence.get(evidenceOf(line, line.uid)) ?? []].flat();
    const made = rowOf(line, ends, outcome, whose, api);
    const row = withCurl({ ...made, id: unique(made.id) }, api);
    // It is one's own as soon as the account has this name.
    const isOpen = owner.account === undefined && whose.account !== undefined && line.host === owner.host;
    const entry: Entry = { row, at: place(row.at), ...(isOpen && !whose.isOwn && { from: { line, ends, outcome } }) };
    // The last request of a change stands for it.
    if (!(Number(byUid.get(uidOf(row))?.at) >= entry.at)) byUid.set(uidOf(row), entry);
    return entry;
  }

  /** Ends a row by one line more. */
  function end(entry: Entry, line: Row): void {
    entry.row = withCurl(ended(entry.row, line), api);
    if (entry.from) entry.from.ends = [...entry.from.ends, line];
  }

  /** Notes what has shown that a change was done. */
  function noteFound(line: Row): void {
    evidence.set(evidenceOf(line, line.found), line);
    const entry = byUid.get(String(line.found));
    if (!entry || entry.row.host !== line.host) return;
    end(entry, line);
    byUid.set(uidOf(entry.row), entry);
  }

  /** Notes which changes take others back as things are now, and which were taken back. */
  function mark(entries: readonly Entry[]): void {
    const rowsOfBacks = entries.flatMap(({ row }) => (row.takesBack === undefined ? [] : [row]));
    const standing = standingOf(rowsOfBacks, (uid) => byUid.get(uid)?.row);
    for (const uid of [...rowsOfBacks.map(uidOf), ...standing.concerned]) marked.add(uid);
    for (const uid of marked) {
      const entry = byUid.get(uid);
      const flags = entry && standing.of(entry.row);
      const isSame =
        !flags || (Object.keys(flags) as (keyof typeof flags)[]).every((one) => entry.row[one] === flags[one]);
      if (entry && !isSame) entry.row = withCurl({ ...entry.row, ...flags }, api);
    }
  }
  const marked = new Set<string>();

  /** The place of a line that is older than all before. */
  const behind = (at: number): number => Math.min(at, (old.at(-1)?.at ?? lastTime) - tick);

  /** Stands where its line does. */
  const damaged = (line: Row): Entry => ({
    row: { id: unique('damaged'), at: Number.NaN, profile: '', outcome: 'damaged', error: String(line.damaged) },
    at: behind(lastTime),
  });

  return {
    /** Takes lines that are older than all before, the newest first. */
    older(lines: readonly Row[]) {
      for (const line of lines) {
        const session = textIn(line.session);
        if (session !== undefined && textIn(line.account)) accounts.set(session, String(line.account));
        taken.add(nameOf(line));
        if (typeof line.damaged === 'string') old.push(damaged(line));
        if (textIn(line.found)) noteFound(line);
        if (!isLine(line)) continue;
        const key = keyOf(line);
        if (key === undefined) old.push(make(line, undefined, 'begun', behind));
        else if (line.outcome !== 'pending') ends.set(key, line);
        else {
          const entry = make(line, ends.get(key), 'answer unknown', behind);
          old.push(entry);
          // Another session may wait for its answer still.
          if (!ends.delete(key)) open.set(key, entry);
        }
      }
    },
    /** Takes a line that was just written, here or, where it `isFound`, by another session. */
    newer(line: Row, isFound = false) {
      const key = keyOf(line);
      // One that is on the disk may be read before it is told.
      const isKnown = key !== undefined && taken.has(nameOf(line));
      taken.add(nameOf(line));
      if (textIn(line.found)) noteFound(line);
      if (isKnown || !isLine(line)) return;
      const begun = open.get(key ?? '');
      open.delete(key ?? '');
      if (begun) return end(begun, line);
      const outcome = key === undefined ? 'begun' : String(line.outcome ?? 'pending');
      const last = isFound ? Number.NEGATIVE_INFINITY : (fresh.at(-1)?.at ?? 0) + tick;
      const entry = make(line, undefined, outcome, (at) => Math.max(at, last));
      if (key !== undefined && line.outcome === 'pending') open.set(key, entry);
      fresh.push(entry);
      if (entry.at < (fresh.at(-2)?.at ?? 0)) fresh.sort((one, other) => one.at - other.at);
    },
    has: (line: Row) => taken.has(nameOf(line)),
    /** No older line comes any more. */
    end() {
      for (const line of ends.values()) old.push(make(line, line, 'answer unknown'));
      ends.clear();
      old.sort((one, other) => other.at - one.at);
    },
    /** Tells whose lines are one's own from now on. */
    identify(next: AuditOwner) {
      owner = next;
      for (const entry of [...old, ...fresh]) {
        const { from } = entry;
        if (!from) continue;
        const row = rowOf(from.line, from.ends, from.outcome, whoseIs(from.line), api);
        entry.row = withCurl({ ...row, id: entry.row.id }, api);
        delete entry.from;
      }
    },
    get count() {
      return old.length + fresh.length;
    },
    /** The newest first. */
    rows() {
      const entries = [...fresh.toReversed(), ...old];
      mark(entries);
      const rows = entries.map(({ row }) => row);
      return withFiles(rows, (row) => withCurl(row, api));
    },
  };
}

/** Parts two lines in time, in ms. */
const tick = 0.001;

/** Tells a line from all others. */
const nameOf = ({ time, session, change, outcome, command, id, found }: Row): string =>
  JSON.stringify([time, session, change, outcome, command, id, found]);

/** By what a line finds its change that tells that it was done. */
const evidenceOf = ({ host }: Row, uid: unknown): string => JSON.stringify([host, uid]);

/** Whether a line can be told of: it has a time, and is a change, a command or a shell. */
const isLine = (line: Row): boolean =>
  !Number.isNaN(timeOf(line.time)) &&
  (typeof line.method === 'string' || typeof line.command === 'string' || isTexts(line.shell));

/** Both lines of a change have it; a program has one line, and no key. */
const keyOf = ({ profile, host, change }: Row): string | undefined =>
  typeof change === 'string' ? JSON.stringify([profile, host, change]) : undefined;

/** The account of a line, and whether it is one's own. */
interface Whose {
  isOwn: boolean;
  account: string | undefined;
}

/** @param accounts those of runs that did not know theirs at first */
function whoseOf(line: Row, owner: AuditOwner, accounts: ReadonlyMap<string, string>): Whose {
  // Changes have the name of the run that wrote them before their number.
  const session = textIn(line.session) ?? textIn(line.change)?.split('-', 1)[0];
  const named = textIn(line.account) ?? accounts.get(session ?? '');
  if (session === owner.session) return { isOwn: true, account: owner.account ?? named };
  const isOwn = named !== undefined && line.host === owner.host && named === owner.account;
  return { isOwn, account: named };
}

/** A row with its end. Where it made another row, its parameters name that. */
function ended(row: AuditRow, line: Row): AuditRow {
  const { time, outcome, status, error, made, found, uid, evidence } = line;
  if (found !== undefined && !isDoubtful(row)) return row;
  const { resource: named, params, action } = row;
  const resource = knownResource(named);
  const isMade = resource && textIn(made) !== undefined && creationsOf(resource).some(({ name }) => name === action);
  return {
    ...row,
    outcome: textIn(outcome) ?? 'answer unknown',
    ...(found === undefined ? { endedAt: timeOf(time) } : given('uid', textIn(uid))),
    ...given('evidence', textIn(evidence)),
    ...(typeof status === 'number' && { status }),
    ...given('error', textIn(error)),
    ...(isMade && { params: { ...params, [resource.param]: String(made) } }),
  };
}

function rowOf(line: Row, ends: readonly Row[], outcome: string, { isOwn, account }: Whose, api: Words): AuditRow {
  const { change, method, path, body, before } = line;
  const { path: toPath, value: toValue } = isOwn ? api.documented : asItIs;
  const server = isRow(line.server) ? line.server : {};
  const known = namesOf(line);
  const row: AuditRow = {
    id: typeof change === 'string' ? change : `${line.time} ${line.command ?? 'shell'}`,
    at: timeOf(line.time),
    profile: textIn(line.profile) ?? '',
    ...given('host', textIn(line.host)),
    ...given('account', account),
    outcome,
    ...given('method', textIn(method)),
    ...given('path', textIn(path) && toPath(String(path))),
    ...(isOwn
      ? { ...given('resource', known.resource), ...given('params', paramsIn(line, known)) }
      : { isForeign: true as const }),
    ...given('action', textIn(line.action)),
    ...given('label', textIn(line.label) ?? textIn(server.label) ?? textIn(line.id)),
    ...given('kind', known.kind),
    ...given('help', known.help),
    ...given('uid', textIn(line.uid)),
    ...given('takesBack', isOwn ? textIn(line.takesBack) : undefined),
    ...given('body', toValue(body)),
    ...given('before', isRow(before) ? (toValue(before) as Row) : undefined),
    ...given('command', textIn(line.command)),
    ...given('run', isTexts(line.run) ? line.run : undefined),
    ...given('shell', isTexts(line.shell) ? line.shell : undefined),
  };
  return ends.reduce(ended, row);
}

/** The words of no API. */
export const asItIs = { path: (text: string) => text, value: (value: unknown) => value };

const given = <K extends string, T>(name: K, value: T | undefined): { [name in K]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { [name in K]: T });

/** The names of the object and of the action, as far as this version knows them. */
function namesOf(line: Row): { resource?: string; kind?: string; help?: string } {
  const named = line.resource ?? line.for ?? (line.shell ? 'servers' : undefined);
  const resource = resources.find(({ name, local }) => name === named && !local);
  if (!resource) return {};
  const action = actionsOf(resource).find(({ name }) => name === line.action);
  return { resource: resource.name, kind: resource.many, help: action?.help };
}

/** The parameters of the object of a line; those of a program are its id. */
function paramsIn(line: Row, { resource: named }: { resource?: string }): Params | undefined {
  const resource = knownResource(named);
  if (!resource) return undefined;
  const { params, server, id } = line;
  if (isRow(params)) {
    const isWhole = Object.values(params).every((value) => typeof value === 'string');
    return isWhole ? (params as Params) : undefined;
  }
  const own = isRow(server) ? server.id : id;
  const isNamed = !resource.under && !resource.params && (typeof own === 'string' || typeof own === 'number');
  return isNamed ? { [resource.param]: String(own) } : undefined;
}

/** The curl command is made when it is looked at: most are never. It is no part of the row's JSON. */
function withCurl(row: AuditRow, api: Words): AuditRow {
  const { method, path, body, isForeign } = row;
  if (method === undefined || path === undefined || isForeign) return row;
  return Object.defineProperty({ ...row }, 'curl', { get: () => api.curlOf(method, path, body) });
}
