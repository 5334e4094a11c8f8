import { textOfSpans } from '../../components/spans.ts';
import type { AuditRow } from '../../resources/account/audit.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { emptyView, isRow, type Row, viewWith } from '../../resources/row.ts';
import { noneMatching } from '../../resources/wording.ts';
import { changeSpans } from '../../screens/history/changeSpans.ts';
import { asItIs, createAuditRows } from '../../store/audit/auditRows.ts';
import { pathText, valueChanges } from '../../store/history/valueChanges.ts';
import { headingOf, stepWords } from '../../store/plans/stepWords.ts';
import { storedSteps, withProgress } from '../../store/plans/storedPlan.ts';
import type { UserView } from '../../store/views/userViews.ts';
import { attempt } from '../../text/errno.ts';
import { timeOf } from '../../text/times.ts';
import { capitalized } from '../../text/words.ts';
import { readAuditLog } from '../auditLog/readAuditLog.ts';
import { type BoardRow, boardOfParts } from '../boards/boardSnapshots.ts';
import { boardParts } from '../commandLine/commands.ts';
import { stateDirectory } from '../directories.ts';
import { type BoardDocument, type SnapshotDocument, tableOf } from '../document.ts';
import type { ListFlags } from '../invocation.ts';
import { printedColumns } from '../printedColumns.ts';
import { readNamed } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import type { RunSettings } from '../settings.ts';
import type { SnapshotReader } from '../snapshotReader.ts';
import { StateError } from '../state/failures.ts';
import { keptMessages } from '../state/messages.ts';
import type { StateHost } from '../state/state.ts';
import { areaOf, checkColumns, narrowed, printedView } from '../views/listFlags.ts';
import { columnsOfView } from '../views/viewRows.ts';
import { contextOf, repeated, type Snapshot, type SnapshotRun, written } from '../writeSnapshot.ts';
import { type PrintedState, stateFor } from './printedState.ts';

/** Shown by a view, where options ask for one. */
interface Shown {
  view: UserView | undefined;
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
async function auditSnapshot(
  directory: string,
  profiles: string | readonly string[] | undefined,
  shown: Shown,
): Promise<SnapshotDocument> {
  // No account is asked, so no line is known to be one's own: each stays in the words of its API.
  const made = createAuditRows({ profile: '', host: '', session: '' }, { documented: asItIs, curlOf: () => '' });
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
    const entry: unknown = attempt(() => JSON.parse(line));
    return isRow(entry) && typeof entry.method === 'string' ? [{ ...entry, id: id + 1, at: timeOf(entry.time) }] : [];
  });
  const left = lines.filter((line) => line !== '').length - rows.length;
  const missing = left > 0 ? [`${left === 1 ? 'A line' : `${left} lines`} of ${file} cannot be read.`] : [];
  return { ...listDocument('requests', rows.toReversed(), shown), missing };
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

/** An account whose journal is printed, with its own id where the API has said it. */
export interface JournalOf {
  settings: RunSettings;
  euuid: string | undefined;
  host: StateHost;
}

const [sent = '', running = '', messages = '', changed = ''] = boardParts.journal ?? [];
const audit = resourceNamed('audit');

/** The journal of an account as the screen has it, over all sessions of this machine; lists are read again to be compared. */
export async function journalSnapshot(
  reader: SnapshotReader,
  { settings, euuid, host }: JournalOf,
  view: UserView | undefined,
  section: string | undefined,
): Promise<BoardDocument> {
  const { now } = reader.cache;
  const directory = stateDirectory(host.env);
  const { rows = [], missing } = await auditSnapshot(directory, settings.profile, { view: undefined, list: {}, now });
  const kept = stateFor(settings, host, reader.noteMissing);
  for (const says of missing) reader.noteMissing(says);
  if (euuid !== undefined) kept?.account.confirm(euuid);
  const timed = [
    ...(rows as Row[]).map((row) =>
      lineOf(sent, audit.label(row), row.isTakenBack ? 'taken back' : row.outcome, row.at),
    ),
    ...(kept ? await readable(reader, () => runningLines(kept)) : []),
    ...keptMessages(directory, host.geteuid?.(), settings.profile).map((one) =>
      lineOf(messages, one.text, one.tone, one.at),
    ),
  ];
  const lines = [
    ...(view ? narrowed(timed, ({ value }) => ({ at: value }), view, {}, now) : timed),
    ...(kept && (section ?? changed) === changed ? await readable(reader, () => changedLines(reader, kept)) : []),
  ];
  kept?.close();
  const parts = [sent, running, messages, changed].map((name) => {
    const own = lines.filter((line) => line.section === name);
    return [name, tableOf(columnsOf(name), own, { title: capitalized(name), none: 'Nothing.' })] as const;
  });
  return boardOfParts(Object.fromEntries(parts), lines, undefined, section);
}

/** Lines of the state; none, and why, where it cannot be used. */
async function readable(
  reader: SnapshotReader,
  read: () => readonly BoardRow[] | Promise<readonly BoardRow[]>,
): Promise<readonly BoardRow[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    reader.noteMissing(error.message);
    return [];
  }
}

const lineOf = (section: string, subject: string, status: unknown, at: unknown): BoardRow => ({
  ...{ section, subject, status: String(status) },
  value: Number.isNaN(timeOf(at)) ? null : new Date(timeOf(at)).toISOString(),
});

const columnsOf = (name: string) => [
  { title: 'Status', value: ({ status }: BoardRow) => status, keep: 1 as const },
  { title: 'What', value: ({ subject }: BoardRow) => subject, keep: 1 as const, width: 120 },
  name === changed
    ? { title: 'Changed', value: ({ value }: BoardRow) => value, keep: 1 as const, width: 120 }
    : { title: 'When', value: ({ value }: BoardRow) => value, keep: 1 as const, format: 'age' as const },
];

/** The steps of the plan that a session is carrying out. */
function runningLines({ account }: PrintedState): readonly BoardRow[] {
  const steps = withProgress(storedSteps(account.of('plan').read()), account.of('progress').read());
  const { uids = [], at } = account.running(steps.map(({ uid }) => uid)) ?? {};
  return steps
    .filter(({ uid }) => uids.includes(uid))
    .map((step) => {
      const words = stepWords(step, { steps });
      const title = 'why' in words ? step.record.label : headingOf(words);
      return lineOf(running, title, step.result?.state ?? 'waiting', at);
    });
}

/** The rows of the account that are not as a session before has kept them. */
async function changedLines(reader: SnapshotReader, { lists }: PrintedState): Promise<readonly BoardRow[]> {
  const found: BoardRow[] = [];
  for await (const { query, rows } of lists.rest()) {
    const resource = resourceNamed(query.resource);
    if (query.operation !== 'list' || resource.under !== undefined || resource.name === 'events') continue;
    await reader.list(resource);
    const before = new Map(rows.map((row) => [idOf(resource, row), row]));
    const add = (row: Row, status: string, value: string | null = null) =>
      found.push({ section: changed, subject: `${resource.one} ${resource.label(row)}`, status, value });
    for (const row of reader.completeLists().get(resource.name) ?? rows) {
      const was = before.get(idOf(resource, row));
      before.delete(idOf(resource, row));
      const values = was === undefined ? [] : valueChanges(resource, was, row);
      const texts = values.map((one) => {
        const spans = changeSpans(resource, one, { glyphs: 'unicode' });
        return `${pathText(one)} ${textOfSpans(spans)}`;
      });
      if (was === undefined) add(row, 'new');
      else if (texts.length > 0) add(row, 'changed', texts.join('; '));
    }
    for (const row of before.values()) add(row, 'gone');
  }
  return found;
}
