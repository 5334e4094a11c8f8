import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { changeSpans } from '../../screens/history/changeSpans.ts';
import { pathText, valueChanges } from '../../store/history/valueChanges.ts';
import { headingOf, stepWords } from '../../store/plans/stepWords.ts';
import { storedSteps, withProgress } from '../../store/plans/storedPlan.ts';
import type { OwnView } from '../../store/views/userViews.ts';
import { timeOf } from '../../text/times.ts';
import { capitalized } from '../../text/words.ts';
import { auditSnapshot } from '../auditLog/printedLogs.ts';
import { type BoardRow, boardOfParts } from '../boards/boardSnapshots.ts';
import { boardParts } from '../commandLine/commands.ts';
import { stateDirectory } from '../directories.ts';
import { type BoardDocument, tableOf } from '../document.ts';
import type { RunSettings } from '../settings.ts';
import type { SnapshotReader } from '../snapshotReader.ts';
import { StateError } from '../state/failures.ts';
import { keptMessages } from '../state/messages.ts';
import type { StateHost } from '../state/state.ts';
import { narrowed } from '../views/listFlags.ts';
import { type PrintedState, stateFor } from './acknowledgedIn.ts';

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
  view: OwnView | undefined,
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
        return `${pathText(one)} ${spans.map(({ text }) => text).join('')}`;
      });
      if (was === undefined) add(row, 'new');
      else if (texts.length > 0) add(row, 'changed', texts.join('; '));
    }
    for (const row of before.values()) add(row, 'gone');
  }
  return found;
}
