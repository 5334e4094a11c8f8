import type { AuditRow } from '../../resources/account/audit.ts';
import { resourceNamed } from '../../resources/index.ts';
import { emptyView, isRow, type Row, viewWith } from '../../resources/row.ts';
import { noneMatching } from '../../resources/wording.ts';
import { createAuditRows } from '../../store/audit/auditRows.ts';
import type { OwnView } from '../../store/views/userViews.ts';
import { attempt } from '../../text/errno.ts';
import { timeOf } from '../../text/times.ts';
import { stateDirectory } from '../directories.ts';
import { type SnapshotDocument, tableOf } from '../document.ts';
import type { ListFlags } from '../invocation.ts';
import { printedColumns } from '../printedColumns.ts';
import { readNamed } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import { areaOf, checkColumns, narrowed, printedView } from '../views/listFlags.ts';
import { columnsOfView } from '../views/viewRows.ts';
import { contextOf, repeated, type Snapshot, type SnapshotRun, written } from '../writeSnapshot.ts';
import { readAuditLog } from './readAuditLog.ts';

/** Shown by a view, where options ask for one. */
interface Shown {
  view: OwnView | undefined;
  list: ListFlags;
  now: number;
}

/** Takes the snapshot of the audit log, or of a log of requests; no account is asked. Throws a UsageError. */
export async function takeLog(run: SnapshotRun): Promise<Snapshot> {
  const { invocation, host } = run;
  const { target = { area: 'audit' }, list, options } = invocation;
  const view = printedView({ views: {} }, target, list);
  const { area } = areaOf(target, view, options);
  return repeated(run, async () => {
    const context = contextOf(options.ascii, host);
    const shown = { view, list, now: context.now };
    const document =
      area === 'audit'
        ? await auditSnapshot(stateDirectory(host.env), run.profiles ?? options.profile, shown)
        : requestsSnapshot(options.logFile, shown);
    return written(document, { invocation, view }, context);
  });
}

/**
 * The audit log of all accounts as a list, the newest first; what is left out of it is missing.
 * @param profiles the only one whose changes are told, or the only ones
 */
export async function auditSnapshot(
  directory: string,
  profiles: string | readonly string[] | undefined,
  shown: Shown,
): Promise<SnapshotDocument> {
  // No account is asked, so no line is known to be one's own: each stays in the words of its API.
  const asItIs = { path: (text: string) => text, value: (value: unknown) => value };
  const words = { documented: asItIs, curlOf: () => '' };
  const made = createAuditRows({ profile: '', host: '', session: '' }, words);
  const says = await readAuditLog(directory, made.older);
  made.end();
  const wanted = profiles === undefined ? undefined : new Set([profiles].flat());
  const rows = made.rows().filter((row) => wanted?.has((row as AuditRow).profile) ?? true);
  return { ...listDocument('audit', rows, shown), missing: says === undefined ? [] : [says] };
}

/** The requests of the log that a run with `--log-file` has written, the newest first. Throws a UsageError. */
function requestsSnapshot(file: string | undefined, shown: Shown): SnapshotDocument {
  if (file === undefined)
    throw new UsageError('skydeck snapshot requests needs --log-file FILE, which a run before has written.');
  const lines = readNamed(file, { called: 'The log', isSecret: true }).split('\n');
  const rows = lines.flatMap((line, id): Row[] => {
    const entry = entryIn(line);
    return entry ? [{ ...entry, id: id + 1, at: timeOf(entry.time) }] : [];
  });
  const left = lines.filter((line) => line !== '').length - rows.length;
  const missing = left > 0 ? [`${left === 1 ? 'A line' : `${left} lines`} of ${file} cannot be read.`] : [];
  return { ...listDocument('requests', rows.toReversed(), shown), missing };
}

/** The object of a line of a log of requests; undefined where it is none. */
function entryIn(line: string): Row | undefined {
  const entry: unknown = attempt(() => JSON.parse(line));
  return isRow(entry) && typeof entry.method === 'string' ? entry : undefined;
}

function listDocument(area: 'audit' | 'requests', all: readonly Row[], { view, list, now }: Shown) {
  const resource = resourceNamed(area);
  const cache = viewWith(emptyView, { now });
  if (view && list.columns) checkColumns(view, resource, all);
  const rows = view ? narrowed(all, (row) => row, view, list, now) : all;
  const columns = view
    ? columnsOfView(view, rows, cache, new Set())
    : printedColumns(resource.columns, resource, rows, cache);
  const many = `${resource.one}s`;
  const table = tableOf(columns, rows, {
    none: view?.filter ? noneMatching({ many }, view.filter) : `There are no ${many} to tell of.`,
  });
  return { area, rows, table, sections: [table] };
}
