import type { Theme } from '../../components/theme.ts';
import { isBlank } from '../../resources/body.ts';
import { type FieldChange, fieldChanges } from '../../resources/edits.ts';
import { type CacheView, type Entry, fieldOf, type Row } from '../../resources/resource.ts';
import type { Target } from '../../store/changes/doubts.ts';
import type { Deck } from '../../store/deck.ts';
import { asApiError } from '../../store/records.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { entryText } from './fieldLines.ts';
import { type Errand, targetsOf } from './submit.ts';

/** The exact request of an errand and the same as a command line, secrets left out; why there can be none where that is so. */
export function previewLines(deck: Deck, errand: Errand, width: number): readonly string[] {
  return requestText(deck, errand).flatMap((line) => (line === '' ? [''] : wrapCells(clean(line), width)));
}

/** The requests of an errand as command lines, one for each row; undefined where nothing would be sent. The token is left to the shell. */
export function curlText({ api, view }: Deck, errand: Errand): string | undefined {
  try {
    const { action } = errand;
    const lines = targetsOf(errand, view).flatMap((target) => [
      ...(action.first ? [api.preview(action.first, { params: target.params }).curl] : []),
      api.preview(action, requestOf(errand, target)).curl,
    ]);
    return lines.length > 0 ? lines.join('\n') : undefined;
  } catch {
    // The lines of the preview say why there is no request.
    return undefined;
  }
}

/**
 * Tells of a form in a critical account each field before and after, else the body that would be sent: the question
 * itself tells only the name of the action.
 */
export function sentLines(deck: Deck, errand: Errand, theme: Theme, width: number): readonly string[] {
  const { api, view, settings } = deck;
  if (!settings.critical || !errand.action.body) return [];
  const changes = changeLines(errand, theme, view);
  if (changes.length > 0) return changes.flatMap((line) => wrapCells(clean(line), width, 2));
  const [first] = targetsOf(errand, view);
  const body = first && api.preview(errand.action, requestOf(errand, first)).body;
  return body ? body.split('\n').flatMap((line) => wrapCells(clean(line), width)) : [];
}

/** Each field that an edit changes: `Label: api-1 → web-1`; where the rows differ, their values are not told one by one. */
function changeLines({ resource, action, subjects, edits }: Errand, theme: Theme, view: CacheView): readonly string[] {
  if (!edits) return [];
  const changes = subjects.flatMap(({ row, params }) => fieldChanges(resource, action, edits, row, view, params));
  return [...Map.groupBy(changes, ({ name }) => name)].map(([name, all]) => {
    const said = (side: 'before' | 'after') => {
      const texts = new Set(all.map((one) => spoken(theme, one, one[side], view)));
      const [text = '', ...others] = texts;
      return others.length > 0 ? 'different values' : text;
    };
    return `${all[0]?.field.label ?? name}: ${said('before')} → ${said('after')}`;
  });
}

const spoken = (theme: Theme, { name, field }: FieldChange, entry: Entry, view: CacheView): string =>
  isBlank(entry) ? 'nothing' : entryText(theme, { name, field, required: false }, entry, view, longest);

/** A question may be scrolled, so that no entry of a form needs to be cut. */
const longest = 10_000;

function requestText(deck: Deck, errand: Errand): readonly string[] {
  try {
    return writtenRequest(deck, errand);
  } catch (error) {
    return [asApiError(error).message];
  }
}

function writtenRequest({ api, view }: Deck, errand: Errand): readonly string[] {
  const targets = targetsOf(errand, view);
  const [first] = targets;
  if (!first) return ['Nothing would be sent.'];
  const { method, url, body, curl } = api.preview(errand.action, requestOf(errand, first));
  const more = moreThan(first, targets);
  const before = errand.action.first && api.preview(errand.action.first, { params: first.params });
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
function moreThan(first: Target, targets: readonly Target[]): readonly string[] {
  if (targets.length === 1) return [];
  const isSame = targets.every(({ body }) => JSON.stringify(body) === JSON.stringify(first.body));
  return [
    isSame
      ? `and the same for ${targets.length - 1} more`
      : `and ${targets.length - 1} more, each with a body of its own`,
  ];
}

/** The request that would be sent; a file stands as its path, as curl takes it. */
function requestOf({ resource, action }: Errand, { params, body }: Target) {
  if (!action.multipart) return { params, body };
  const form = new FormData();
  for (const [name, value] of Object.entries((body ?? {}) as Row)) {
    form.set(name, fieldOf(resource, action, name).kind === 'file' ? `@${value}` : String(value));
  }
  return { params, form };
}
