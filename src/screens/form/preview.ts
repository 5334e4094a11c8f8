import type { Theme } from '../../components/theme.ts';
import { isBlank } from '../../resources/body.ts';
import { type FieldChange, fieldChanges } from '../../resources/edits.ts';
import { type CacheView, type Entry, fieldOf, type Row } from '../../resources/resource.ts';
import { secondsWords } from '../../resources/wording.ts';
import { asApiError } from '../../store/cache.ts';
import { type Change, changesFor, type Submission } from '../../store/changes/change.ts';
import { writtenProgram } from '../../store/changes/writtenProgram.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { shellWord } from '../../text/escapes.ts';
import { entryText } from './fieldLines.ts';

type PreviewStores = Pick<Stores, 'api' | 'view' | 'settings'>;

/** The exact request of a submission and its curl command without secrets, or the reason why there is none. */
export function previewLines(stores: PreviewStores, submission: Submission, width: number): readonly string[] {
  const wrapped = (line: string) => (line === '' ? [''] : wrapCells(clean(line), width));
  try {
    return writtenRequest(stores, submission).flatMap(wrapped);
  } catch (error) {
    return wrapped(asApiError(error).message);
  }
}

/** The requests of a submission as curl commands, one per row; undefined if there are none. The shell expands the token. */
export function curlText({ api, view }: PreviewStores, submission: Submission): string | undefined {
  try {
    const { action } = submission;
    if (action.program) return undefined;
    const lines = changesFor(submission, view).flatMap((change) => [
      ...(action.first ? [api.preview(action.first, { params: change.params }).curl] : []),
      api.preview(action, requestOf(change)).curl,
    ]);
    return lines.length > 0 ? lines.join('\n') : undefined;
  } catch {
    // The preview says why there is no request.
    return undefined;
  }
}

/** For a form in a critical account: each field before and after, or else the body; the confirmation names only the action. */
export function changePreview(
  { api, view, settings }: PreviewStores,
  submission: Submission,
  theme: Theme,
  width: number,
): readonly string[] {
  if (!settings.critical || !submission.action.body) return [];
  const changes = changeLines(submission, theme, view);
  if (changes.length > 0) return changes.flatMap((line) => wrapCells(clean(line), width, 2));
  const [first] = changesFor(submission, view);
  const body = first && api.preview(submission.action, requestOf(first)).body;
  return body ? body.split('\n').flatMap((line) => wrapCells(clean(line), width)) : [];
}

/** Each field that an edit changes: `Label: api-1 → web-1`; `different values` if the rows differ. */
export function changeLines(
  { resource, action, targets, edits }: Submission,
  theme: Theme,
  view: CacheView,
): readonly string[] {
  if (!edits) return [];
  const changes = targets.flatMap(({ row, params }) => fieldChanges(resource, action, edits, row, view, params));
  return [...Map.groupBy(changes, ({ name }) => name)].map(([name, all]) => {
    const said = (side: 'before' | 'after') => {
      const texts = new Set(all.map((one) => valueText(theme, one, one[side], view)));
      const [text = '', ...others] = texts;
      return others.length > 0 ? 'different values' : text;
    };
    return `${all[0]?.field.label ?? name}: ${said('before')} → ${said('after')}`;
  });
}

/** A field before and after, in a few cells: `5 minutes → 1 hour`. */
export function changeText(theme: Theme, change: FieldChange, view: CacheView): string {
  // Of a number of seconds its words are enough.
  const said = (entry: Entry) => secondsWords(change.field, entry) ?? valueText(theme, change, entry, view);
  return `${said(change.before)} → ${said(change.after)}`;
}

const valueText = (theme: Theme, { name, field }: FieldChange, entry: Entry, view: CacheView): string =>
  isBlank(entry) ? 'nothing' : entryText(theme, { name, field, required: false }, entry, view, maxValueCells);

/** Entries need not be cut: the confirmation scrolls. */
const maxValueCells = 10_000;

function writtenRequest({ api, view }: PreviewStores, submission: Submission): readonly string[] {
  const { resource, action, targets } = submission;
  const { program } = action;
  // As a shell would take them; none is asked.
  if (program)
    return targets.map(({ row }) => writtenProgram(program, row, resource.label(row)).map(shellWord).join(' '));
  const changes = changesFor(submission, view);
  const [first] = changes;
  if (!first) return ['Nothing would be sent.'];
  const { method, url, body, curl } = api.preview(submission.action, requestOf(first));
  const more = otherRequests(first, changes);
  const before = submission.action.first && api.preview(submission.action.first, { params: first.params });
  return [
    ...(before ? [`${before.method} ${before.url}`, ''] : []),
    `${method} ${url}`,
    ...(body ? body.split('\n') : []),
    '',
    ...curl.split('\n'),
    ...more,
  ];
}

/** Counts the requests besides the first. */
function otherRequests(first: Change, changes: readonly Change[]): readonly string[] {
  if (changes.length === 1) return [];
  const isSame = changes.every(({ body }) => JSON.stringify(body) === JSON.stringify(first.body));
  return [
    isSame
      ? `and the same for ${changes.length - 1} more`
      : `and ${changes.length - 1} more, each with a body of its own`,
  ];
}

/** The request of a change; a file is given as its path, as curl does. */
function requestOf({ resource, action, params, body }: Change) {
  if (!action.multipart) return { params, body };
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Row)) {
    form.set(name, fieldOf(resource, action, name).kind === 'file' ? `@${value}` : String(value));
  }
  return { params, form };
}
