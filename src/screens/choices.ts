import { askingOf, askOf, menuLetter } from '../resources/asking.ts';
import { entriesLike } from '../resources/body.ts';
import { actionNamed, actionOnEach, actionsOf, creationsOf, resourceNamed } from '../resources/index.ts';
import type { Action, Draft, Resource, Row, Shortcut } from '../resources/resource.ts';
import { anyTicketShortcut, ticketShortcutName, tickets } from '../resources/shortcuts.ts';
import { actionOn, plural } from '../resources/wording.ts';
import { type Target, targetsAt } from '../store/changes/change.ts';
import { refusalFor } from '../store/changes/submit.ts';
import type { FormOverlay, Overlay } from '../store/overlay.ts';
import { isPlanOnly, readOnlyRefusal } from '../store/plans/planning.ts';
import type { Stores } from '../store/stores.ts';
import { keyLabel, noKey } from '../text/keyLabel.ts';
import { sentence, uncapitalized } from '../text/words.ts';
import type { Chosen, Start } from './actions.ts';
import { afterReading, askHint, isLabelAsked, labelOf, onRows, refusalOf, startAction } from './actions.ts';
import type { Handler } from './keys/keyboard.ts';
import type { Key } from './keys/layer.ts';
import type { MenuItem } from './menus/itemLine.ts';
import { createParams } from './places.ts';

/** An item of the actions menu: an action of the rows, or a shortcut into another resource's form. */
export interface Choice extends Pick<Action, 'name' | 'key' | 'help'>, Pick<MenuItem, 'isDanger' | 'refusal' | 'run'> {
  /** Tells whether it asks first or is sent at once. */
  says?: string;
  /** Works on one row at a time. */
  single?: boolean;
}

/** The action whose form a shortcut opens. */
const actionOf = ({ to, action }: Shortcut): Action => actionNamed(resourceNamed(to), action);

/**
 * The items of the actions menu for these rows, in its order.
 * @param isWanted leaves out those of other names
 */
export function choicesFor(
  stores: Stores,
  chosen: Chosen,
  isWanted: (name: string) => boolean = () => true,
): readonly Choice[] {
  const { resource, targets, params } = chosen;
  const own = onRows(resource)
    .filter(({ name }) => isWanted(name))
    .map((action) => actionChoice(stores, { resource, action, targets, params }));
  const shortcuts = shortcutsOf(stores, resource)
    .filter(({ name }) => isWanted(name))
    .map((shortcut) => shortcutChoice(stores, chosen, shortcut));
  return [...own, ...shortcuts];
}

function actionChoice(stores: Stores, start: Start): Choice {
  const { resource, action, targets } = start;
  const rows = targets.length > 1 ? `${targets.length} ${plural(resource)}` : undefined;
  return {
    name: action.name,
    key: action.key,
    help: action.help,
    says: askHint(action, stores, rows, isLabelAsked(stores, start)),
    isDanger: askOf(action).warning !== undefined && askingOf(action) !== 'asks at times',
    refusal: refusalOf(stores, start),
    single: action.single,
    run: () => startAction(stores, start),
  };
}

/** The shortcut to a new row that starts like this one; none where rows are not set up by fields. */
function moreLike(resource: Resource): readonly Shortcut[] {
  const { create, edit, name: to, one } = resource;
  if (!create?.body || !edit || create.dialog) return [];
  const start = (row: Row) => entriesLike(resource, create, row);
  return [{ name: 'like', key: 'n', help: `New ${one} like this`, to, action: create.name, start }];
}

/** Whether a resource is in use: what is deprecated is offered where rows of it are known. */
export const isInUse = ({ view }: Pick<Stores, 'view'>, { name, deprecated }: Resource): boolean =>
  !deprecated || view.rows(name).length > 0;

/** The shortcuts of a resource to those that are in use, and to one more like a row. */
const shortcutsOf = (stores: Pick<Stores, 'view'>, resource: Resource): readonly Shortcut[] => [
  ...(resource.shortcuts ?? []).filter(({ to }) => isInUse(stores, resourceNamed(to))),
  ...moreLike(resource),
];

/** More rows than these are not examined for what can be done to all of them. */
const maxExamined = 1_000;

/** The keys for all that can be done to each of these rows: those of a row first, then the letters of the menu. */
export function keysForAll(stores: Stores, { resource, targets, params }: Chosen): readonly Key[] {
  const examined = targets.slice(0, maxExamined);
  const { edit, remove } = resource;
  const able = new Set(
    actionsOf(resource)
      .filter((action) => !examined.some((target) => refusalFor(stores, resource, action, target)))
      .map(({ name }) => name),
  );
  const isDirect = (name: string) => name === edit?.name || name === remove?.name;
  const isShortcut = (name: string) => resource.shortcuts?.some((shortcut) => shortcut.name === name);
  return choicesFor(stores, { resource, targets: examined, params })
    .filter(({ name, single, refusal }) => !single && !refusal && (able.has(name) || isShortcut(name)))
    .toSorted((one, other) => Number(isDirect(other.name)) - Number(isDirect(one.name)))
    .map(({ name, key, help }) => ({ keys: [keysOfAction(resource, name, key)], help: uncapitalized(help) }))
    .filter(({ keys: [key] }) => !key?.startsWith(noKey));
}

/** The keys of an action in lists and details: its own, else that of the menu and its letter there. */
export function keysOfAction({ edit, remove }: Resource, name: string, key: string): string {
  if (name === edit?.name) return keyLabel('list.edit', 'e');
  if (name === remove?.name) return keyLabel('list.remove', 'd');
  return `${keyLabel('list.actions', 'a')} ${menuLetter(key)}`;
}

function shortcutChoice(stores: Stores, chosen: Chosen, shortcut: Shortcut, more: Draft = {}): Choice {
  const { resource, targets } = chosen;
  const [target] = targets;
  const each = targets.length > 1 ? actionOnEach(resource, shortcut.name) : undefined;
  if (each) return actionChoice(stores, { resource, action: each, targets, params: {} });
  const to = resourceNamed(shortcut.to);
  const isAbove = resource.under === to.name && !creationsOf(to).includes(actionOf(shortcut));
  const isTooMany = targets.length > 1 && !shortcut.many;
  const refusal = isTooMany
    ? `one ${resource.one} at a time`
    : (readOnlyRefusal(stores, actionOf(shortcut)) ??
      (target && (shortcut.refuse?.(target.row, stores.view) ?? shortcutGuard(stores, shortcut, target))));
  const { navigation } = stores;
  const show = ([first, ...others]: readonly Row[], open: (form: FormOverlay) => unknown = navigation.open) => {
    if (!target || !first) return;
    open({
      kind: 'form',
      resource: shortcut.to,
      action: shortcut.action,
      // An action on the row that these lie in opens its form for that.
      targets: isAbove ? [createParams(resource.name, target.params)] : [],
      params: createParams(shortcut.to, target.params),
      start: { ...shortcut.start(first, stores.view, target.params, [first, ...others]), ...more },
      replaces: shortcut.next === undefined ? undefined : { params: target.params, next: shortcut.next },
    });
  };
  const whole = () =>
    navigation.behind(shortcut.help, `Reading ${plural(resource)} whole …`, async (open) =>
      show(await wholeRows(stores, resource, targets), open),
    );
  const run = () => (resource.list?.partial ? void whole() : show(targets.map(({ row }) => row)));
  const { name, key, help, many } = shortcut;
  const says = isPlanOnly(stores, actionOf(shortcut)) ? askHint(actionOf(shortcut), stores) : undefined;
  const again = (fresh: readonly Target[]) =>
    shortcutChoice(stores, { ...chosen, targets: fresh }, shortcut, more).run();
  return { name, key, help, says, refusal, single: !many, run: () => afterReading(stores, chosen, again) || run() };
}

const shortcutGuard = ({ guards }: Stores, { to, action: name }: Shortcut, { params }: Target): string | undefined =>
  guards.refusal(resourceNamed(to), { name }, createParams(to, params));

/** The rows of a list that leaves some of their fields out, with all of them, read one by one. */
async function wholeRows(stores: Stores, resource: Resource, targets: readonly Target[]): Promise<readonly Row[]> {
  const all = targets.map(({ params }) => params);
  await Promise.all(all.map((params) => stores.cache.readRow(resource, params)));
  return targetsAt(stores.view, resource, all).map(({ row }) => row);
}

/** Opens the form of a support ticket about a row, with `more` filled in; undefined without a row and for tickets themselves. */
export function ticketOf(stores: Stores, chosen: Chosen, more?: Draft): (() => void) | undefined {
  const { resource, targets } = chosen;
  if (resource.name === tickets || resource.under === tickets || resource.local || targets.length === 0)
    return undefined;
  return () => {
    const shortcut = resource.shortcuts?.find(({ name }) => name === ticketShortcutName) ?? anyTicketShortcut(resource);
    const { refusal, run } = shortcutChoice(stores, chosen, shortcut, more);
    return refusal ? stores.notices.say('bad', sentence(refusal, labelOf(resource, targets))) : run();
  };
}

/** Why nothing that changes something can be done. */
export const readOnlyReason = 'Read-only: nothing can be changed in this session.';

/**
 * The handler of a key that starts an action; a read-only session that cannot even plan it says so.
 * @param held wraps the start
 */
export function startOf(
  stores: Stores,
  start: Start,
  held: (start: () => void) => Handler | undefined = (begin) => begin,
): Handler | undefined {
  const refusal = readOnlyRefusal(stores, start.action);
  if (refusal === undefined) return held(() => startAction(stores, start));
  return refusing(sentence(refusal));
}

/** A key that only says this sentence. */
const refusing = (refuses: string): Handler => Object.assign(() => refuses, { refuses });

/** Whether the rows of a resource have an actions menu. */
export const hasChoices = (resource: Resource): boolean =>
  (resource.shortcuts ?? []).length > 0 || onRows(resource).length > 0;

/** Why the actions menu of the rows of a resource is not opened, as a sentence; undefined when it is. */
function whyNoChoices(stores: Stores, resource: Resource): string | undefined {
  if (!hasChoices(resource)) return `There are no actions on ${plural(resource)}.`;
  return offeredOn(stores, resource).length > 0 ? undefined : readOnlyReason;
}

/** An action or shortcut with its rows: `Resize web-3`, `Graphs of web-3`. */
export function actionLabel(resource: Resource, name: string, help: string, rows: string): string {
  const action = actionsOf(resource).find((action) => action.name === name) ?? actionOnEach(resource, name);
  if (action) return actionOn(action, rows);
  return / (?:about it|like this)$/.test(help) ? help.replace(/\S+$/, () => rows) : `${help}: ${rows}`;
}

/** Opens the actions on rows, those of each kind together; a sentence where there are none. */
export function actingOn(stores: Stores, all: readonly Pick<Start, 'resource' | 'params'>[]): Handler | string {
  const kinds = [...Map.groupBy(all, ({ resource }) => resource)];
  const whys = kinds.map(([resource]) => whyNoChoices(stores, resource));
  const able = kinds.filter((_, index) => whys[index] === undefined);
  const [first, ...others] = able.map(([{ name: resource }, those]) => ({
    resource,
    // Several problems may be of one row.
    targets: [...new Map(those.map(({ params }) => [JSON.stringify(params), params])).values()],
  }));
  if (first) return () => stores.navigation.open({ kind: 'actions', ...first, others });
  return whys[0] ?? 'There is no row to do this to.';
}

/** The actions on rows and the shortcuts that a session offers: all, or where it is read-only, what can be planned or changes nothing. */
export const offeredOn = (stores: Stores, resource: Resource): readonly (Action | Shortcut)[] => [
  ...onRows(resource).filter((action) => !readOnlyRefusal(stores, action)),
  ...shortcutsOf(stores, resource).filter((shortcut) => !readOnlyRefusal(stores, actionOf(shortcut))),
];

/**
 * The keys for rows in lists and details; a sentence where one does nothing.
 * @param about the row whose relations are shown
 * @param none said where there is no row
 * @param held wraps what they do
 */
export function keysOfRows(
  stores: Stores,
  { resource, targets, params }: Chosen,
  about: Pick<Start, 'resource' | 'params'> | undefined,
  none: string,
  held: (act: () => void) => (() => void) | undefined = (act) => act,
) {
  const isAny = targets.length > 0;
  const those = { resource: resource.name, targets: targets.map((one) => one.params) };
  const opens = (overlay: Overlay | false | undefined) =>
    (overlay && held(() => stores.navigation.open(overlay))) || none;
  // The key does not reach what the rows lie under, unless each stands for one that is elsewhere.
  const refused = resource.about ? (says: string) => says : refusing;
  /** An action on the rows; `done` tells it of a row. */
  const starts = (action: Action | undefined, done: string) => {
    if (!action) return refused(`No ${resource.one} can be ${done} here.`);
    return isAny ? startOf(stores, { resource, action, targets, params }, held) : refused(none);
  };
  return {
    edit: starts(resource.edit, 'edited'),
    remove: starts(resource.remove, 'deleted'),
    actions: whyNoChoices(stores, resource) ?? opens(isAny && { kind: 'actions', ...those }),
    copy: opens(isAny && { kind: 'copy', ...those }),
    related: resource.local
      ? `Nothing is related to ${plural(resource)}.`
      : opens(about && { kind: 'related', resource: about.resource.name, params: about.params }),
  };
}
