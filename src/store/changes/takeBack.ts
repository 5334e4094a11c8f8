import type { ApiError } from '../../api/error.ts';
import { isPatch, startOf } from '../../resources/body.ts';
import type { ChangeRecord } from '../../resources/changeRecord.ts';
import type { Edits } from '../../resources/edits.ts';
import { idIn } from '../../resources/identity.ts';
import { actionsOf, creationsOf, resourceNamed } from '../../resources/index.ts';
import { entriesIn } from '../../resources/inverse.ts';
import type { Action, Params, Resource, Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { differingClauses } from '../../resources/wording.ts';
import { counted, sentence } from '../../text/words.ts';
import type { Overlay, TakesBack } from '../navigation.ts';
import { whyForbidden } from '../session.ts';
import type { Stores } from '../stores.ts';
import { type Change, cachedRow, changeOfRecord, type Target } from './change.ts';
import { ownRefusal, presentEntries } from './ownEntries.ts';
import { readAgain } from './readAgain.ts';
import { refusalFor } from './submit.ts';
import { inverseOfChange, type LostUndo, madeEntries, type Undo, undosFor } from './undoable.ts';
import { irreversibleSays, whyNotBack } from './whyNotBack.ts';

/** Proposes the inverse of the last changes of this session; sends nothing. */
export async function takeBackLast(stores: Stores): Promise<void> {
  const { last } = stores.changes.getState();
  if (!last || whyNotBack(stores) !== undefined) return;
  await proposeAny(stores, last.title, last.undos, last.lost);
}

const proposeAny = (
  stores: Stores,
  title: string,
  undos: readonly Undo[],
  lost: readonly LostUndo[] = [],
): Promise<void> =>
  undos.length + lost.length > 1 ? proposeAll(stores, title, undos, lost) : propose(stores, title, undos);

/** Opens the one question about all of several changes, with their rows as they are now; sends nothing. */
async function proposeAll(
  stores: Stores,
  title: string,
  undos: readonly Undo[],
  lost: readonly LostUndo[] = [],
): Promise<void> {
  for (const group of groupsOf(undos)) {
    const [{ inverse }] = group as [Undo];
    const { resource, action } = described(inverse);
    const failure = await readTargets(stores, resource, action, group);
    if (!failure) continue;
    stores.notices.say('bad', `${title} is not taken back now: its state could not be read. ${failure.message}`);
    return;
  }
  stores.navigation.open({ kind: 'takeBack', title, undos, lost });
}

/** The inverses by each action. */
const groupsOf = (undos: readonly Undo[]): readonly (readonly Undo[])[] => [
  ...Map.groupBy(undos, ({ inverse }) => `${inverse.resource} ${inverse.action}`).values(),
];

/** Reads the rows that inverses by one action are done to; none where they are made. Resolves with the failure. */
export async function readTargets(
  stores: Stores,
  resource: Resource,
  action: Action,
  undos: readonly Undo[],
): Promise<ApiError | undefined> {
  if (creationsOf(resource).includes(action)) return undefined;
  const all = undos.map(({ inverse }) => inverse.params);
  const beside = action.prefill && all[0] && { resource: resource.name, operation: action.prefill, params: all[0] };
  return await readAgain(stores, resource, all, beside || undefined);
}

/**
 * Proposes the inverses of changes that a file holds, of several by one question; sends nothing. A read-only session may
 * plan them.
 * @param records the latest first
 * @param count those that were asked for; some are known before not to be taken back
 */
export async function takeBack(
  stores: Stores,
  records: readonly ChangeRecord[],
  count = records.length,
): Promise<void> {
  const found = records.map((record) => undosOf(stores, record));
  const able = found.flatMap((one) => ('why' in one ? [] : [one]));
  // The last of them is taken back first.
  const undos = able.toReversed().flatMap((one) => one.undos);
  const [first] = found;
  if (count > 1 && undos.length > 0) {
    const some = able.length < count ? `${able.length} of ` : '';
    await proposeAll(stores, `${some}${counted(count, 'change')}`, undos);
    const whys = found.flatMap((one) => ('why' in one ? [irreversibleSays(one.title, one.why)] : []));
    if (whys[0]) stores.notices.say('plain', whys[0]);
  } else if (first && 'why' in first) stores.notices.say('plain', irreversibleSays(first.title, first.why));
  else if (first) await proposeAny(stores, first.title, undos);
}

/** The inverse of a change that a file holds, with what goes before it, or why there is none. */
function undosOf(
  { view }: Stores,
  record: ChangeRecord,
): { title: string } & ({ undos: readonly Undo[] } | { why: string }) {
  const change = changeOfRecord(record);
  const title = `${'action' in change ? change.action.help : record.action} (${record.label})`;
  if ('why' in change) return { title, why: change.why };
  const inverse = inverseOfChange(change, view, madeBy(change));
  if ('why' in inverse) return { title, why: inverse.why };
  const { resource, action } = described(inverse);
  const made = madeEntries(resource, action, record.body, undefined);
  return { title, undos: undosFor(record.label, inverse, made) };
}

/** The row that a creation made, by its id; undefined where it is not known which. */
function madeBy({ resource, action, params }: Change): Row | undefined {
  const id = creationsOf(resource).includes(action) ? idIn(resource, params) : undefined;
  return id === undefined ? undefined : { [resource.id]: id };
}

/** The descriptions that an inverse names. */
export function described({ resource: of, action: named }: Undo['inverse']): { resource: Resource; action: Action } {
  const resource = resourceNamed(of);
  const action = actionsOf(resource).find(({ name }) => name === named);
  if (!action) throw new Error(`${of} has no action ${named}`);
  return { resource, action };
}

/** Opens the forms and questions that take changes back, the first on top of the others; says why where there is none. */
async function propose(stores: Stores, title: string, undos: readonly Undo[]): Promise<void> {
  const steps: Overlay[] = [];
  for (const group of groupsOf(undos)) {
    const opened = await stepsFor(stores, title, group);
    if (opened === undefined) return;
    steps.push(...opened);
  }
  const [first] = steps.reduceRight<readonly Overlay[]>((later, step) => [{ ...step, next: later[0] } as Overlay], []);
  if (first) stores.navigation.open(first);
}

/** The forms and questions for inverses by the same action; undefined where that is said to be impossible. */
async function stepsFor(
  stores: Stores,
  title: string,
  undos: readonly Undo[],
): Promise<readonly Overlay[] | undefined> {
  const [first] = undos;
  if (!first) return [];
  const { resource, action } = described(first.inverse);
  const forbidden = whyForbidden(stores, action);
  const refuse = (why: string) => void stores.notices.say('bad', `${title} is not taken back now: ${why}`);
  if (forbidden) return refuse(sentence(forbidden));
  const base = { resource: resource.name, action: action.name };
  if (creationsOf(resource).includes(action))
    return undos.map(({ inverse: { params, entries = {}, differs = [] } }): Overlay => {
      const takesBack = { title, differs, own: [{ opened: {}, mine: entries }] };
      return { kind: 'form', ...base, targets: [], params, takesBack };
    });
  const failure = await readTargets(stores, resource, action, undos);
  if (failure) return refuse(`its state could not be read. ${failure.message}`);
  const found = undos.flatMap((undo) => foundFor(stores, resource, action, undo));
  if (found.length === 0) return refuse(`this ${resource.one} is gone.`);
  // A job that has just begun, and keeps it from being done yet, is told by its event.
  if (found.every(({ row }) => action.refuse?.(row, stores.view))) await stores.events.poll();
  const isOnly = undos.length === 1;
  const reasons = found.map(
    (target) =>
      refusalFor(stores, resource, action, target) ?? ownRefusal(resource, action, target, stores.view, isOnly),
  );
  if (reasons.every(Boolean)) return refuse(sentence(labelled(first.label, reasons[0] ?? ''), first.label));
  const limit = stores.guards.limit(resource, action, found);
  if (limit) return refuse(sentence(limit));
  const takesBackOf = (targets: readonly Target[]): TakesBack => ({
    title,
    differs: differingClauses(undos.map(({ inverse }) => inverse.differs ?? [])),
    own: targets.map(({ own }) => own ?? { opened: {}, mine: {} }),
  });
  const overlay = (kind: 'form' | 'confirm' | 'dialog', targets: readonly Target[]): Overlay => ({
    kind,
    ...base,
    targets: targets.map(({ params }) => params),
    params: targets[0]?.params ?? {},
    takesBack: takesBackOf(targets),
  });
  if (!action.body) return [overlay('confirm', found)];
  if (action.dialog) return found.map((target) => overlay('dialog', [target]));
  // A form that starts from another answer than the row knows one row only.
  if (found.length === 1 || action.prefill) return found.map((target) => overlay('form', [target]));
  return [overlay('confirm', found)];
}

/** A reason that names the row. */
const labelled = (label: string, reason: string): string => (reason.includes(label) ? reason : `${label} ${reason}`);

/** The row that an inverse is done to, as it is now, with the entries that it had; none where it is gone. */
export function foundFor({ view }: Stores, resource: Resource, action: Action, undo: Undo): readonly Target[] {
  const { inverse, made } = undo;
  const params: Params = inverse.params;
  const row = cachedRow({ view }, resource, params);
  if (!row) return [];
  if (!action.body) return [{ row, params }];
  const mine = inverse.entries ?? (isRow(inverse.body) ? entriesIn(resource, action, inverse.body) : {});
  const now = isPatch(action)
    ? presentEntries(resource, action, { row, params }, view)
    : startOf(resource, action, row, view, params);
  const own: Edits = { opened: { ...now, ...made }, mine };
  return [{ row, params, own }];
}
