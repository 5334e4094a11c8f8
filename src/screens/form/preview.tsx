import type { Theme } from '../../components/theme.ts';
import { costOf, savedBy } from '../../resources/asking.ts';
import { formFields, isBlank } from '../../resources/body.ts';
import { type FieldChange, fieldChanges, isSameEntry } from '../../resources/edits.ts';
import { fillingOf } from '../../resources/placeholders.ts';
import type { CacheView, Entry, Row } from '../../resources/resource.ts';
import { secondsWords } from '../../resources/wording.ts';
import { asApiError } from '../../store/cache.ts';
import { type Change, changesFor, type Submission } from '../../store/changes/change.ts';
import { writtenProgram } from '../../store/changes/userCommand.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { shellWord } from '../../text/escapes.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Page } from '../page/Page.tsx';
import { copyText, type Size, useAppContext } from '../useStores.ts';
import { entryText } from './fieldLines.ts';

/** The price of a change before it is sent, `Cost  $24.00 + backups $5.00 = $29.00 a month`, or what a deletion saves; no line where it has none. */
export function costLines(theme: Theme, submission: Submission, view: CacheView, width: number): readonly string[] {
  const { resource, action, targets, draft } = submission;
  const rows = targets.map(({ row }) => row);
  const isRemoved = action === resource.remove;
  const label = isRemoved ? 'Saves  ' : 'Cost  ';
  const cost = isRemoved ? savedBy(resource, rows, view) : costOf(action, rows, view, draft);
  if (cost === undefined) return [];
  return wrapCells(clean(cost), width - label.length).map((line, index) =>
    index === 0
      ? `${theme.paint('accent', label)}${theme.paint('title', line)}`
      : `${' '.repeat(label.length)}${theme.paint('title', line)}`,
  );
}

/** Requests as they are read, and the curl commands that do the same, if there are any. */
interface WrittenRequest {
  lines: readonly string[];
  curl?: string;
}

/** The request of a change, after the one that goes before it; the shell expands the token. */
export function writtenChange({ api }: Pick<Stores, 'api'>, change: Change): Required<WrittenRequest> {
  const { action, params } = change;
  const first = action.first && api.preview(action.first, { params });
  const { method, url, body, curl } = api.preview(action, requestOf(change));
  return {
    lines: [
      ...(first ? [`${first.method} ${first.url}`, ''] : []),
      `${method} ${url}`,
      ...(body ? body.split('\n') : []),
      '',
      ...curl.split('\n'),
    ],
    curl: [...(first ? [first.curl] : []), curl].join('\n'),
  };
}

/** The requests of a submission, one per row: the first of them, and how many follow. */
function writtenRequest(stores: Pick<Stores, 'api' | 'view'>, submission: Submission): WrittenRequest {
  const { program } = submission.action;
  const changes = changesFor(submission, stores.view);
  // As a shell would take them; none is asked.
  if (program)
    return { lines: changes.map((one) => writtenProgram(program, fillingOf(one), one.label).map(shellWord).join(' ')) };
  const [first, ...others] = changes.map((change) => writtenChange(stores, change));
  if (!first) return { lines: ['Nothing would be sent.'] };
  return {
    lines: [...first.lines, ...otherRequests(changes)],
    curl: [first, ...others].map(({ curl }) => curl).join('\n'),
  };
}

/** Each field before and after, or what was entered unless the confirmation has `said` it. */
export function changePreview(
  submission: Submission,
  view: CacheView,
  theme: Theme,
  width: number,
  said: readonly string[],
): readonly string[] {
  const { resource, action, draft, edits } = submission;
  const entered = formFields(resource, action, edits ? {} : draft, undefined, view).flatMap((one) => {
    const entry = edits ? undefined : draft[one.name];
    const text = isBlank(entry) ? '' : entryText(theme, one, entry, view, maxValueCells);
    return text === '' || said.some((sentence) => spaced(sentence).includes(spaced(text)))
      ? []
      : [`${one.field.label}: ${text}`];
  });
  return [...entered, ...changeLines(submission, theme, view)].flatMap((line) => wrapCells(clean(line), width, 2));
}

/** Its words between blanks, without what ends sentences and clauses. */
const spaced = (text: string): string => ` ${text.replace(/[,.;:?]+(?=\s|$)/g, '')} `;

const different = 'different values';

/** Each field that an edit changes: `Label: api-1 → web-1`; `different values` if the rows differ. */
export function changeLines(
  { resource, action, targets, edits }: Submission,
  theme: Theme,
  view: CacheView,
): readonly string[] {
  if (!edits) return [];
  const all = targets.flatMap(({ row, params }) => fieldChanges(resource, action, edits, row, view, params));
  const changes = targets.length > 1 ? all : all.filter(({ before, after }) => !isSameEntry(before, after));
  return [...Map.groupBy(changes, ({ name }) => name)].flatMap(([name, those]) => {
    const [before, after] = (['before', 'after'] as const).map((side) => {
      const texts = new Set(those.map((one) => valueText(theme, one, one[side], view)));
      const [text = '', ...others] = texts;
      return others.length > 0 ? different : text;
    });
    const { label = name, part } = those[0]?.field ?? {};
    // The table has what each row gets, where that differs. Entries that are added or removed stand for themselves.
    return after === different ? [] : [part ? `${label}: ${after}` : `${label}: ${before} → ${after}`];
  });
}

/** A field before and after, in a few cells: `5 min → 1 h`; entries that are added or removed as `+web`, `-web`. */
export function changeText(theme: Theme, change: FieldChange, view: CacheView): string {
  const { part } = change.field;
  const words = part && [change.after].flat().map((one) => valueText(theme, change, [String(one)], view));
  if (words) return words.map((word) => (part === 'added' ? '+' : '-') + word).join(' ');
  // Of a number of seconds its words are enough.
  const said = (entry: Entry) => secondsWords(change.field, entry) ?? valueText(theme, change, entry, view);
  return `${said(change.before)} → ${said(change.after)}`;
}

const valueText = (theme: Theme, { name, field }: FieldChange, entry: Entry, view: CacheView): string =>
  isBlank(entry) ? 'nothing' : entryText(theme, { name, field, required: false }, entry, view, maxValueCells);

/** Entries need not be cut: the confirmation scrolls. */
const maxValueCells = 10_000;

/** Counts the requests besides the first. */
function otherRequests(changes: readonly Change[]): readonly string[] {
  if (changes.length === 1) return [];
  const isSame = new Set(changes.map(({ body }) => JSON.stringify(body))).size === 1;
  return [
    isSame
      ? `and the same for ${changes.length - 1} more`
      : `and ${changes.length - 1} more, each with a body of its own`,
  ];
}

/** The request of a change; a file is given as its path, as curl does. */
function requestOf({ action, params, body }: Change) {
  if (!action.multipart) return { params, body };
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Row)) form.set(name, `@${value}`);
  return { params, form };
}

interface RequestPaneProps extends Size {
  /** The change that is sent, as in the title of the form. */
  title: string;
  write: () => WrittenRequest;
  /** Said where no curl command is the same. */
  noCurl: string;
  /** Sends it, or says why nothing is sent from here. */
  send: string | (() => void);
  close: () => void;
}

/** A request as it is sent, and its curl command, without secrets, or the reason why there is none. */
export function RequestPane({ write, noCurl, send, close, ...page }: RequestPaneProps) {
  const context = useAppContext();
  const { lines, curl } = writtenOr(write);
  const shown = lines.flatMap((line) => (line === '' ? [''] : wrapCells(clean(line), page.width - 4)));
  const copy = curl === undefined ? noCurl : () => copyText(context, 'curl command', curl);
  return <Page {...page} layer="request" lines={shown.map((line) => `  ${line}`)} keys={{ send, close, copy }} />;
}

function writtenOr(write: () => WrittenRequest): WrittenRequest {
  try {
    return write();
  } catch (error) {
    return { lines: [asApiError(error).message] };
  }
}

interface SubmissionRequestProps extends Omit<RequestPaneProps, 'write' | 'noCurl' | 'send'> {
  submission: Submission;
  /** Missing while the confirmation is open, and where it can only be planned. */
  send?: (() => void) | undefined;
}

/** The exact request of a form or confirmation. */
export function SubmissionRequest({ title, submission, send, ...pane }: SubmissionRequestProps) {
  const { stores } = useAppContext();
  const isProgram = submission.action.program !== undefined;
  const back = keyLabel('request.close', 'esc');
  const readOnly = stores.api.readOnly ? 'Read-only: nothing' : 'The token may not do this: nothing';
  return (
    <RequestPane
      {...pane}
      title={`${title}: the ${isProgram ? 'program' : 'request'}`}
      write={() => writtenRequest(stores, submission)}
      noCurl={`No curl command is the same as ${isProgram ? 'a program' : 'this'}.`}
      send={
        send ??
        (isPlanOnly(stores, submission.action)
          ? `${readOnly} is sent; ${back} goes back, where ${keyLabel('form.plan', 'ctrl-a')} puts it into the plan.`
          : `Nothing is sent from here; ${back} goes back, ${keyLabel('confirm.agree', 'enter')} confirms.`)
      }
    />
  );
}
