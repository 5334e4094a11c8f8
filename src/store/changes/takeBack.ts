import type { ApiError } from '../../api/error.ts';
import { audit as auditList } from '../../resources/account/audit.ts';
import { jobAbout } from '../../resources/account/events.ts';
import { isPatch, startOf } from '../../resources/body.ts';
import type { Edits } from '../../resources/edits.ts';
import { paramsIn } from '../../resources/identity.ts';
import { creationsOf, knownResource } from '../../resources/index.ts';
import { entriesIn } from '../../resources/inverse.ts';
import { referenceText } from '../../resources/links.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { Action, Entry, Field, Params, Resource, Row } from '../../resources/resource.ts';
import { at, isRow } from '../../resources/row.ts';
import { differingClauses } from '../../resources/wording.ts';
import { capitalized, counted, sentence, textOf, uncapitalized, withoutStop } from '../../text/words.ts';
import { type SentChange, uidOf } from '../history/auditLog.ts';
import { allOf, until } from '../listeners.ts';
import type { Overlay, TakesBack } from '../navigation.ts';
import { listQuery, queryKey } from '../queries.ts';
import { isGradual } from '../reading.ts';
import { isSame } from '../rows.ts';
import { whyForbidden } from '../session.ts';
import type { Stores } from '../stores.ts';
import { cachedRow, type Target } from './change.ts';
import { ownRefusal, presentEntries, setSince } from './ownEntries.ts';
import { readAgain, readListAgain } from './readAgain.ts';
import { isReference } from './references.ts';
import { refusalFor } from './submit.ts';
import { described, goneSince, type LostUndo, namesOf, type Undo, undosOfRecord } from './undoable.ts';

/** Changes that are taken back, or done again, as one. */
export interface TakingBack {
  /** The action and its rows: "Edit (api-1)". */
  title: string;
  /** It took others back itself, so that is done again. */
  isRedo?: boolean | undefined;
  /** Said where it can never be: what comes next. */
  then?: string;
  /** It was refused right before already, so it is waited for, or passed where it is once more. */
  isAgain?: boolean;
  /** The key that asks for it again. */
  again?: string;
  /** Whether nothing was opened since the key. */
  isHere?: () => boolean;
}

/** The end of a proposal: it is asked about, or was left meanwhile, or cannot be now, or never. */
export type Proposal = 'asked' | 'left' | 'not now' | 'never';

/** Says that it can never be. */
export function sayNever({ notices }: Stores, { title, isRedo, then = '' }: TakingBack, why: string): Proposal {
  const says = `${title} cannot be ${isRedo ? 'done again' : 'taken back'}: ${uncapitalized(why)}`;
  notices.say('plain', withNext(says, { then }));
  return 'never';
}

const withNext = (says: string, { then = '' }: Pick<TakingBack, 'then'>): string =>
  then === '' ? says : `${withoutStop(says)}; ${then}`;

/** Why steps of a plan are not taken back now, as a clause: it is being carried out, and goes on from there. */
function whyUnderWay({ plans, view }: Stores, undos: readonly Undo[]): string | undefined {
  plans.refresh();
  const { run, rolling, others, steps } = plans.getState();
  if (!run && !others) return undefined;
  const uids = namesOf(undos);
  const sent = view.rows(auditList.name).filter((row) => uids.has(uidOf(row)));
  const isSent = steps.some(({ record: { resource, action, params }, result, rolling: part }) => {
    if (!result || (run && part?.id !== rolling)) return false;
    const named = Object.entries({ ...params, ...result.made });
    return sent.some(
      (row) =>
        isSame([row.resource, row.action], [resource, action]) &&
        named.every(([name, value]) => isReference(value) || value === at(row.params, name)) &&
        Number(row.at) <= result.at,
    );
  });
  if (!isSent) return undefined;
  return others
    ? `another session is carrying out the plan that has sent it, ${others.done} of ${others.all} done.`
    : 'the plan that has sent it is being carried out; wait for it, or stop it.';
}

/** Says that it cannot be as things are. */
function sayNotNow({ notices }: Stores, taking: TakingBack, why: string, end: Proposal = 'not now'): Proposal {
  const says = `${taking.title} cannot be ${taking.isRedo ? 'done again' : 'taken back'} now: ${why}`;
  notices.say('bad', end === 'never' ? withNext(says, taking) : says);
  return end;
}

/** Opens the form or question that takes these back, behind a layer while it is read what to show; sends nothing. */
export async function proposeAny(
  stores: Stores,
  taking: TakingBack,
  undos: readonly Undo[],
  lost: readonly LostUndo[] = [],
  isOne = undos.length + lost.length < 2,
): Promise<Proposal> {
  const busy = whyUnderWay(stores, undos);
  if (busy !== undefined) return sayNotNow(stores, taking, busy);
  if (taking.isHere?.() === false) return sayNotNow(stores, taking, 'something else was opened meanwhile.', 'left');
  const title = taking.isRedo ? 'To be done again' : 'To be taken back';
  const [undo] = undos;
  if (taking.isAgain && isOne && undo && !(await jobEnded(stores, undo, title)))
    return sayNotNow(stores, taking, 'what has begun has not ended.', 'never');
  return await stores.navigation.behind(title, `Reading what ${taking.title} changed …`, (open) =>
    isOne ? propose(stores, taking, undos[0], open) : proposeAll(stores, taking, undos, lost, open),
  );
}

/** Waits behind a layer until no job is under way about the row of an inverse; resolves with whether that was not left. */
async function jobEnded(stores: Stores, { inverse, label }: Undo, title: string): Promise<boolean> {
  const { events, navigation } = stores;
  const { resource, action } = described(inverse);
  const isOver = () => !isUnderWay(stores, resource, action, cachedRow(stores.view, resource, inverse.params));
  if (isOver()) return true;
  return await navigation.behind(title, `Waits until what is under way with ${label} has ended …`, async (open) => {
    const both = { subscribe: (look: () => void) => allOf([events.subscribe(look), navigation.subscribe(look)]) };
    await until(both, () => isOver() || !open());
    return open();
  });
}

/** Whether a job goes on about a row to which an action cannot be done as it is. */
const isUnderWay = ({ view }: Stores, { entity }: Resource, { refuse }: Action, row: Row | undefined): boolean =>
  !!row && refuse?.(row, view) !== undefined && entity !== undefined && jobAbout(entity, row, view) !== undefined;

/** Opens the one question about all of several changes, with their rows as they are now; sends nothing. */
async function proposeAll(
  stores: Stores,
  taking: TakingBack,
  undos: readonly Undo[],
  lost: readonly LostUndo[],
  open: (overlay: Overlay) => boolean,
): Promise<Proposal> {
  const stored = stores.api.stored();
  for (const group of Map.groupBy(undos, ({ inverse }) => `${inverse.resource} ${inverse.action}`).values()) {
    const [{ inverse }] = group as [Undo];
    const { resource, action } = described(inverse);
    const failure = await readTargets(stores, resource, action, group);
    if (failure) return sayNotNow(stores, taking, `its state could not be read. ${failure.message}`);
    const [parent] = ancestorsOf(resource);
    const all = group.map((undo) => undo.inverse.params);
    if (parent) await readNamed(stores, parent, all);
  }
  const { title, isRedo } = taking;
  if (!open({ kind: 'takeBack', title, undos, lost, ...(isRedo && { isRedo }) })) return 'left';
  if (stores.api.stored() > stored) stores.notices.say('plain', capitalized(storedText('these rows are')));
  return 'asked';
}

/** Said where what a store on the way has kept of rows, perhaps from before a change, speaks against taking it back. */
const storedText = (theyAre: string) =>
  `a proxy on the way answers from what it has kept, so how ${theyAre} now cannot be told.`;

/**
 * Reads the rows that inverses by one action are done to, or where they are made what is beside them, as others may have made
 * the same meanwhile. Resolves with the failure, but where they are made, which is checked by what is known.
 */
export async function readTargets(
  stores: Stores,
  resource: Resource,
  action: Action,
  undos: readonly Undo[],
): Promise<ApiError | undefined> {
  const all = undos.map(({ inverse }) => inverse.params);
  if (creationsOf(resource).includes(action)) {
    const lists = resource.list && !isGradual(resource.list) ? all.map((params) => listQuery(resource, params)) : [];
    const byKey = new Map(lists.map((query) => [queryKey(query), query]));
    await Promise.all(Array.from(byKey.values(), (query) => readListAgain(stores.cache, query)));
    return undefined;
  }
  const beside = action.prefill && all[0] && { resource: resource.name, operation: action.prefill, params: all[0] };
  return await readAgain(stores, resource, all, beside || undefined);
}

/**
 * Proposes the inverses of changes that the audit log holds, of several by one question; sends nothing. A read-only session
 * may plan them.
 * @param records the latest first
 * @param count those that were asked for; some are known before not to be taken back
 */
export async function takeBack(
  stores: Stores,
  records: readonly SentChange[],
  { count = records.length, ...next }: { count?: number } & Omit<TakingBack, 'title' | 'isRedo'> = {},
): Promise<Proposal> {
  const goneOf = goneSince(stores.view);
  const found = records.map((record) => undosOfRecord(stores.view, record, goneOf));
  const able = found.flatMap((one) => ('why' in one ? [] : [one]));
  // The last of them is taken back first.
  const undos = able.toReversed().flatMap((one) => one.undos);
  const [first] = found;
  if (!first) return 'never';
  const isRedo = records.every((record) => record.isBack);
  const taking = { isRedo, ...next };
  if (count > 1 && undos.length > 0) {
    const some = able.length < count ? `${able.length} of ` : '';
    const title = `${some}${counted(count, 'change')}`;
    const asked = await proposeAny(stores, { ...taking, title }, undos, [], false);
    const never = found.find((one) => 'why' in one);
    if (asked === 'asked' && never && 'why' in never) sayNever(stores, { title: never.title, isRedo }, never.why);
    return asked;
  }
  if ('why' in first) return sayNever(stores, { ...taking, title: first.title }, first.why);
  return await proposeAny(stores, { ...taking, title: first.title }, first.undos);
}

/** Opens the form or question that takes a change back; says why where there is none. */
async function propose(
  stores: Stores,
  taking: TakingBack,
  undo: Undo | undefined,
  open: (overlay?: Overlay) => boolean,
): Promise<Proposal> {
  if (!undo) return sayNever(stores, taking, 'Nothing of it was done.');
  const { inverse, label, of } = undo;
  const { resource, action } = described(inverse);
  const { title, isRedo } = taking;
  const refuse = (why: string, end?: Proposal) => sayNotNow(stores, taking, why, end);
  const forbidden = whyForbidden(stores, action);
  if (forbidden) return refuse(sentence(forbidden));
  const base = { resource: resource.name, action: action.name };
  const ask = (kind: 'form' | 'confirm' | 'dialog', target: Partial<Target>): Proposal => {
    const { params = inverse.params, row, own = { opened: {}, mine: {} } } = target;
    const since = setSince(resource, action, target);
    const said = (field: Field, value: unknown) => referenceText(field, textOf(value), stores.view);
    const changed = since.map(({ field, value }) => `${field.label} is ${said(field, value)} now`);
    // It is agreed to by who sees that.
    const opened = { ...own.opened, ...Object.fromEntries(since.map(({ name, value }) => [name, value as Entry])) };
    const takesBack: TakesBack = {
      ...{ of, title, changed, differs: differingClauses([inverse.differs ?? []]), own: [{ ...own, opened }] },
      ...(isRedo && { isRedo }),
    };
    return open({ kind, ...base, targets: row ? [params] : [], params, takesBack }) ? 'asked' : 'left';
  };
  const [parent] = ancestorsOf(resource);
  if (parent) await readNamed(stores, parent, [inverse.params]);
  if (creationsOf(resource).includes(action)) return ask('form', { own: { opened: {}, mine: inverse.entries ?? {} } });
  const stored = stores.api.stored();
  const failure = await readTargets(stores, resource, action, [undo]);
  if (!open()) return 'left';
  if (failure) return refuse(`its state could not be read. ${failure.message}`);
  const untold = stores.api.stored() > stored ? storedText(`${label} is`) : undefined;
  const never = (why: string) => (untold ? refuse(untold) : sayNever(stores, taking, why));
  const [target] = foundFor(stores, resource, action, undo);
  if (!target) return never(`This ${resource.one} is gone.`);
  // A job that has just begun, and keeps it from being done yet, is told by its event.
  if (action.refuse?.(target.row, stores.view)) await stores.events.poll();
  const why = refusalFor(stores, resource, action, target);
  if (why) {
    const isWaitedFor =
      taking.again !== undefined && !taking.isAgain && isUnderWay(stores, resource, action, target.row);
    const ways = isWaitedFor ? ` The API cannot stop it; ${taking.again} again waits.` : '';
    const says = untold ?? `${sentence(labelled(label, why), label)}${ways}`;
    return refuse(says, taking.isAgain ? 'never' : 'not now');
  }
  const already = ownRefusal(resource, action, target, stores.view, true);
  if (already) return never(sentence(labelled(label, already), label));
  const limit = stores.guards.limit(resource, action, [target]);
  if (limit) return refuse(sentence(limit));
  for (const { field, value } of setSince(resource, action, target)) {
    const to = knownResource(field.to);
    if (to && !to.under) await readNamed(stores, to, [{ [to.param]: textOf(value) }]);
  }
  return ask(action.body ? (action.dialog ? 'dialog' : 'form') : 'confirm', target);
}

/** Reads those of rows that are only named which are not known. Never rejects. */
async function readNamed(stores: Stores, resource: Resource, all: readonly Params[]): Promise<void> {
  const unknown = all.filter((params) => !cachedRow(stores.view, resource, params));
  const rows = unknown.map((params) => paramsIn(resource.view?.path, params));
  if (rows.length > 0) await readAgain(stores, resource, rows);
}

/** A reason that names the row. */
const labelled = (label: string, reason: string): string => (reason.includes(label) ? reason : `${label} ${reason}`);

/** The row that an inverse is done to, as it is now, with the entries that it had; none where it is gone. */
export function foundFor({ view }: Stores, resource: Resource, action: Action, undo: Undo): readonly Target[] {
  const { inverse, made } = undo;
  const params: Params = inverse.params;
  const row = cachedRow(view, resource, params);
  if (!row) return [];
  if (!action.body) return [{ row, params, own: { opened: made, mine: {} } }];
  const mine = inverse.entries ?? (isRow(inverse.body) ? entriesIn(resource, action, inverse.body) : {});
  const now = isPatch(action)
    ? presentEntries(resource, action, { row, params }, view)
    : startOf(resource, action, row, view, params);
  const own: Edits = { opened: { ...now, ...made }, mine };
  return [{ row, params, own }];
}
