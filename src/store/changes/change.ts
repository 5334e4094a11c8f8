import type { ApiError } from '../../api/error.ts';
import type { LineTone, Part } from '../../resources/action.ts';
import { bodyOf, draftOf, isPatch } from '../../resources/body.ts';
import { type ChangeRecord, entryIntentionOf, type Intention, touchedOf } from '../../resources/changeRecord.ts';
import { changeOf, type Edits } from '../../resources/edits.ts';
import { idIn, idOf, paramsIn, paramsOf } from '../../resources/identity.ts';
import { actionsOf, knownResource, resourceNamed } from '../../resources/index.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import type { Action, CacheView, Draft, Params, Resource, Row } from '../../resources/resource.ts';
import { liesIn } from '../../resources/wording.ts';
import { clean, cut } from '../../text/cells.ts';
import { attempt } from '../../text/errno.ts';

/** A row that an action is done to, with the path parameters that name it. */
export interface Target {
  row: Row;
  params: Params;
  /** Entries for this row alone, in place of those of the submission; others may have changed the row since `opened`. */
  own?: Edits;
}

/** A way to do something to several rows, and to carry out a plan. */
export interface Tempo {
  /** So many at a time, of which each is waited for; undefined for all at once. */
  atATime?: number;
  /** Longer none is waited for: `10m`. */
  within: string;
  /** The nodes that the rows serve are drained before, and take traffic again after. */
  drains?: true;
}

/** An answer to a question about rows: its phrase was typed, and the tempo that was chosen. */
export type Agreed = Pick<Submission, 'isTyped' | 'tempo'>;

/** An action with what it is done to and what was entered for it; each of its rows makes a change. */
export interface Submission extends ResourceAction {
  /** None where a row is made. */
  targets: readonly Target[];
  /** The parameters of the list in which one is made. */
  params: Params;
  draft: Draft;
  /** Where parts of rows are changed: what was touched, which alone is sent. */
  edits?: Edits;
  /** The label of its rows, or their number, was typed to confirm it. */
  isTyped?: boolean;
  /** Of several rows; they go all at once where it is absent. */
  tempo?: Tempo;
  takesBack?: BackOf | undefined;
  /** The row in whose place one is made; the action `next` is asked about it once somebody has seen the secret of the new one. */
  replaces?: { params: Params; next: string } | undefined;
}

/** The change that another one takes back, by its name. */
export interface BackOf {
  of: string;
  /** The action and its rows: "Edit (api-1)". */
  title: string;
  /** It took another one back itself, so that is done again. */
  isRedo?: boolean;
}

/** One change as it is sent: an action on one row, or one that makes a row. */
export interface Change extends Deed, Pick<Submission, 'takesBack'>, Pick<ChangeRecord, 'label' | 'body' | 'before'> {
  /** Names it once it is sent, in the audit log too; those of one name before the dot were sent together. */
  uid?: string;
  /** The path of the file to upload or download after the answer. */
  file?: string;
  /** The row, for the program that is run on it; the body has what was asked for before. */
  row?: Row;
  /**
   * Of a step that edits, and of an edit that adds to lists or takes away from them: the parts of the row that it touches. At
   * its turn, the body is made of them on the row as it is then.
   */
  changes?: Intention;
  /** The entries for this row alone, which others may have changed until its turn. */
  own?: Edits;
  /** One is made below each of several rows, but where others have made the same until its turn. */
  isEach?: true;
}

/** The kind of a change, and its row. */
export type Deed = ResourceAction & Pick<Submission, 'params'>;

/** The output of a program or the answer to a read, as a command of the user's own shows it. */
export interface Output {
  /** Clean. */
  lines: readonly string[];
  /** By line, whether it says something good. */
  tones?: readonly LineTone[];
  droppedBytes: number;
  /** The answer of the API. */
  value?: unknown;
  /** A sentence about how the program ended; undefined while it runs. */
  ending?: string;
  ms?: number;
}

/**
 * - `waiting`: not sent yet
 * - `unknown`: sent, its answer was lost, and nothing shows whether it was done
 * - `not sent`: stopped before its turn, or not possible
 */
export type ResultState = 'waiting' | 'running' | 'done' | 'unknown' | 'failed' | 'not sent';

/** The result of one change so far. */
export interface Result extends Pick<Change, 'uid' | 'params' | 'label'>, ReturnType<typeof madeBy> {
  /** The id of the row; undefined where one is made. */
  rowId: string | undefined;
  state: ResultState;
  /** Why it failed, or a note on its success; a sentence. */
  says?: string;
  error?: ApiError;
  /** The whole answer; it may hold a secret, so it is not kept in the store. */
  answer?: Row;
  /** The row as it is now. */
  row?: Row;
  /** It is as this change leaves it, but another request did that, or may have: it is not taken back. */
  mayBeOthers?: true;
  output?: Output;
  /** The row that it has made, as far as can be told, whose secret is lost with the answer. */
  unseen?: Row;
}

export const resultOf = ({ resource, params, label, uid }: Change, state: ResultState, says?: string): Result => ({
  params,
  rowId: idIn(resource, params),
  label,
  state,
  says,
  ...(uid !== undefined && { uid }),
});

/** The change of a row by this action and body. */
export function changeOn(resource: Resource, action: Action, row: Row, params: Params, body?: unknown): Change {
  const own = { ...params, ...paramsOf(resource, row) };
  return {
    resource,
    action,
    params: { ...own, ...action.fills?.(row, own) },
    label: resource.label(row),
    body,
    before: row,
    ...(action.program && { row }),
  };
}

/** Names what is done to rows of a kind. */
export const deedName = ({ resource, action }: ResourceAction): string => `${resource.name} ${action.name}`;

/** The key of a change; another body makes another change. */
export const changeKey = (change: Change): string =>
  `${deedName(change)}\n${JSON.stringify([change.params, change.body])}`;

/** Whether a key is that of a change of this kind, on whatever row. */
export const isKeyOf = (key: string, deed: ResourceAction): boolean => key.startsWith(`${deedName(deed)}\n`);

/** A change as files keep it, which never hold a secret of a body: whoever writes it takes those out. */
export const recordOf = ({ resource, action, params, label, body, before }: Change): ChangeRecord => ({
  resource: resource.name,
  action: action.name,
  params,
  label,
  body,
  before: before && touchedOf(action, body, before),
});

/** The parameters of a new row, also of one made from another. */
export function madeBy({ resource, params }: Change, row: Row | undefined): { made?: Params } {
  if (!row || !(resource.id in row) || idOf(resource, row) === idIn(resource, params)) return {};
  return { made: paramsOf(resource, row, params) };
}

/** The change that a record tells of, or a sentence why there is none in this version. */
export function changeOfRecord({ resource: of, action: named, ...record }: ChangeRecord): Change | { why: string } {
  const resource = knownResource(of);
  if (!resource) return { why: `There is no resource called ${shownName(of)}.` };
  const action = actionsOf(resource).find(({ name }) => name === named);
  if (action?.parts) return { why: `${action.help} is done by its form, which makes a step of each of its parts.` };
  const commands = ':reload reads commands that were added since';
  if (!action) return { why: `${resource.many} have no action called ${shownName(named)}; ${commands}.` };
  return { resource, action, ...record };
}

/** A name out of a file, fit for a sentence. */
const shownName = (name: unknown): string => cut(clean(String(name)), 60);

/**
 * By what a change is recognised whose answer was lost.
 * - `creation`: by the new row
 * - `copy`: by the new row that is made from its row
 * - `deletion`: by the absence of its row
 * - `edit`: by the fields of its row, or of an answer about it
 * - `action`: by the events, and by what its row has become
 */
export type ChangeKind = 'creation' | 'copy' | 'deletion' | 'edit' | 'action';

/** By what a change is recognised. */
export function kindOf({ resource, action, params }: Deed): ChangeKind {
  const isOne = idIn(resource, params) !== undefined;
  if (action === resource.remove) return 'deletion';
  const { answer, state } = action.shownBy ?? {};
  if (answer !== undefined && !state) return 'edit';
  if (action.method === 'PUT' && action.path === resource.view?.path) return 'edit';
  if (action.method !== 'POST' || !resource.list) return 'action';
  if (!isOne) return 'creation';
  return action.shownBy?.names ? 'copy' : 'action';
}

/** Whether a change makes a row, be it from another one. */
export const makesRow = (change: Change): boolean => ['creation', 'copy'].includes(kindOf(change));

/** The submissions that an action consists of; undefined where it is one by itself. */
export function partsOf({ action, targets, draft }: Submission, view: CacheView): readonly Submission[] | undefined {
  const { below } = action;
  const parts = action.parts ?? (below && ((): readonly Part[] => [{ of: below, entries: draft }]));
  return (
    parts &&
    targets.flatMap(({ row: above, params }) =>
      parts(above, view, draft, params).flatMap(({ of, row, entries }): readonly Submission[] => {
        const resource = resourceNamed(of);
        const own = row ? resource.edit : resource.create;
        if (!own) return [];
        const common = { resource, action: own, params: row ? params : paramsIn(own.path, params), draft: entries };
        if (!row) return [{ ...common, targets: [] }];
        const targets = [{ row, params: paramsOf(resource, row, params) }];
        return [{ ...common, targets, edits: { opened: draftOf(resource, own, row), mine: entries } }];
      }),
    )
  );
}

/** The changes of a submission: one for each row, one that makes a row, or those of its parts. */
export function changesFor(submission: Submission, view: CacheView): readonly Change[] {
  const { resource, action, targets, params, draft, edits, takesBack } = submission;
  const parts = partsOf(submission, view);
  const all = parts?.flatMap((part) => changesFor({ ...part, takesBack }, view));
  if (all && action.below && all.length > 1)
    return all.map(({ label, ...change }, nth) => {
      const [own, above] = [change.resource, targets[nth]?.row ?? {}];
      const isNamed = label !== unnamedLabel(own);
      return {
        ...change,
        isEach: true,
        label: isNamed ? `${label} ${liesIn(own, resource, above)}` : resource.label(above),
      };
    });
  if (all) return all;
  const { fileTransfer } = action;
  const path = fileTransfer && 'file' in fileTransfer ? draft[fileTransfer.file] : undefined;
  const file = path === undefined ? undefined : String(path);
  if (targets.length === 0) {
    const body = bodyOf(resource, action, draft, undefined, view);
    return [{ resource, action, params, label: newLabel(resource, body), body, file, takesBack }];
  }
  return targets.map(({ row, params: named, own }) => {
    const touched = own && isPatch(action) ? own : edits;
    const body = touched
      ? changeOf(resource, action, touched, row, view, named)
      : bodyOf(resource, action, own?.mine ?? draft, row, view);
    const before = action.also && { before: { ...row, ...action.also(view, named) } };
    const change = changeOn(resource, action, row, named, body);
    const filled = action.fills && { params: { ...change.params, ...action.fills(row, change.params, draft) } };
    const changes = touched && entryIntentionOf(resource, action, touched, row, view, named);
    return { ...change, ...filled, ...before, ...(changes && { changes }), ...(own && { own }), file, takesBack };
  });
}

/** Names a row that is made, as long as it has no name. */
export const unnamedLabel = ({ one }: Resource): string => `the new ${one}`;

/** Names a new row by the body of its request, where that has the fields. */
export function newLabel(resource: Resource, body: Row = {}): string {
  const label = attempt(() => resource.label(body));
  return label && !label.includes('undefined') ? label : unnamedLabel(resource);
}

/** The row that these parameters name, from a list or viewed alone; undefined where it is not loaded. */
export const cachedRow = (view: CacheView, resource: Resource, params: Params): Row | undefined =>
  view.row(resource.name, idIn(resource, params), params);

/** The rows that these parameters name, without those that are gone. */
export const targetsAt = (view: CacheView, resource: Resource, all: readonly Params[]): readonly Target[] =>
  all.flatMap((params) => {
    const row = cachedRow(view, resource, params);
    return row ? [{ row, params }] : [];
  });
