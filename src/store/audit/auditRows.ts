import type { AuditRow } from '../../resources/account/audit.ts';
import { actionsOf, creationsOf, resources } from '../../resources/index.ts';
import type { Params, Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { timeOf } from '../../text/times.ts';
import type { GuardedApi } from '../guards/gate.ts';

/** The rows of the audit log, put together from its lines. */
export interface AuditRows {
  /** Takes lines that are older than all before, the newest first. */
  older(lines: readonly Row[]): void;
  /** Takes a line that was just written. */
  newer(line: Row): void;
  /** No older line comes any more. */
  end(): void;
  /** The number of rows. */
  readonly count: number;
  /** The newest first. */
  rows(): readonly Row[];
}

type Words = Pick<GuardedApi, 'documented' | 'curlOf'>;

/** Puts rows together; what other profiles have sent stays in the words of their API. */
export function createAuditRows(profile: string, api: Words): AuditRows {
  /** The places of the rows in `old` or, negative, in `fresh`. */
  const ids = new Set<string>();
  const old: AuditRow[] = [];
  /** Of this session, the newest last. */
  const fresh: AuditRow[] = [];
  /** Where the changes without an outcome are in `fresh`. */
  const open = new Map<string, number>();
  /** Outcomes whose change is in an older line. */
  const ends = new Map<string, Row>();

  const unique = (wanted: string): string => {
    let id = wanted;
    for (let nth = 2; ids.has(id); nth++) id = `${wanted} ${nth}`;
    ids.add(id);
    return id;
  };
  const make = (line: Row, end: Row | undefined, outcome: string): AuditRow => {
    const row = rowOf(line, end, outcome, profile, api);
    return withCurl({ ...row, id: unique(row.id) }, api);
  };

  return {
    older(lines) {
      for (const line of lines) {
        const key = keyOf(line);
        if (!isLine(line)) continue;
        if (key === undefined) old.push(make(line, undefined, 'begun'));
        else if (line.outcome !== 'pending') ends.set(key, line);
        else {
          old.push(make(line, ends.get(key), 'answer unknown'));
          ends.delete(key);
        }
      }
    },
    newer(line) {
      const key = keyOf(line);
      if (!isLine(line)) return;
      const place = key === undefined ? undefined : open.get(key);
      const begun = place === undefined ? undefined : fresh[place];
      if (key !== undefined && place !== undefined && begun) {
        fresh[place] = withCurl(ended(begun, line), api);
        open.delete(key);
        return;
      }
      if (key !== undefined && line.outcome === 'pending') open.set(key, fresh.length);
      fresh.push(make(line, undefined, key === undefined ? 'begun' : String(line.outcome ?? 'pending')));
    },
    end() {
      for (const line of ends.values()) old.push(make(line, line, 'answer unknown'));
      ends.clear();
      old.sort((one, other) => other.at - one.at);
    },
    get count() {
      return old.length + fresh.length;
    },
    rows: () => [...fresh.toReversed(), ...old],
  };
}

/** Whether a line can be told of: it has a time, and is a change, a command or a shell. */
const isLine = (line: Row): boolean =>
  !Number.isNaN(timeOf(line.time)) &&
  (typeof line.method === 'string' || typeof line.command === 'string' || isTexts(line.shell));

/** Both lines of a change have it; a program has one line, and no key. */
const keyOf = ({ profile, change }: Row): string | undefined =>
  typeof change === 'string' ? JSON.stringify([profile, change]) : undefined;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A row with its end. Where it made another row, its parameters name that. */
function ended(row: AuditRow, { time, outcome, status, error, made }: Row): AuditRow {
  const { resource: named, params, action } = row;
  const resource = resources.find(({ name }) => name === named);
  const isMade = resource && textIn(made) !== undefined && creationsOf(resource).some(({ name }) => name === action);
  return {
    ...row,
    outcome: textIn(outcome) ?? 'answer unknown',
    endedAt: timeOf(time),
    ...(typeof status === 'number' && { status }),
    ...given('error', textIn(error)),
    ...(isMade && { params: { ...params, [resource.param]: String(made) } }),
  };
}

function rowOf(line: Row, end: Row | undefined, outcome: string, profile: string, api: Words): AuditRow {
  const { change, profile: of, method, path, body, before } = line;
  const isForeign = of !== profile;
  const { path: toPath, value: toValue } = isForeign ? asItIs : api.documented;
  const server = isRow(line.server) ? line.server : {};
  const known = namesOf(line);
  const row: AuditRow = {
    id:
      typeof change === 'string' ? (isForeign ? `${of} ${change}` : change) : `${line.time} ${line.command ?? 'shell'}`,
    at: timeOf(line.time),
    profile: typeof of === 'string' ? of : '',
    outcome,
    ...given('method', textIn(method)),
    ...given('path', textIn(path) && toPath(String(path))),
    ...(isForeign
      ? { isForeign }
      : { ...given('resource', known.resource), ...given('params', paramsIn(line, known)) }),
    ...given('action', textIn(line.action)),
    ...given('label', textIn(line.label) ?? textIn(server.label) ?? textIn(line.id)),
    ...given('kind', known.kind),
    ...given('help', known.help),
    ...given('body', toValue(body)),
    ...given('before', isRow(before) ? (toValue(before) as Row) : undefined),
    ...given('command', textIn(line.command)),
    ...given('run', isTexts(line.run) ? line.run : undefined),
    ...given('shell', isTexts(line.shell) ? line.shell : undefined),
  };
  return end ? ended(row, end) : row;
}

const asItIs = { path: (text: string) => text, value: (value: unknown) => value };

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
  const resource = resources.find(({ name }) => name === named);
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
