import { askingOf, askOf } from '../resources/asking.ts';
import { paramsIn } from '../resources/identity.ts';
import { actionsOf, creationsOf, resourceNamed } from '../resources/index.ts';
import type { Action, Params, Resource, Row, Shortcut } from '../resources/resource.ts';
import { anyTicketShortcut, ticketShortcutName } from '../resources/ticketShortcut.ts';
import { paramsOf } from '../store/cache.ts';
import { type Target, targetsAt } from '../store/changes/change.ts';
import { submitWithoutForm } from '../store/changes/submit.ts';
import type { Stores } from '../store/stores.ts';
import { sentence } from '../text/words.ts';

/** Something that can be done to rows: an action of their own, or a way into another resource's form. */
export interface Choice {
  name: string;
  key: string;
  help: string;
  /** Tells the question before it is sent, where it asks, and that it is sent at once, where it is. */
  says?: string;
  /** Something is lost by it, or stops. */
  isDanger?: boolean;
  /** Why it cannot be done to any of them. */
  refusal?: string;
  run: () => void;
}

/** Rows of a list as targets of actions. */
export const targetsOf = (resource: Resource, rows: readonly Row[], params: Params): readonly Target[] =>
  rows.map((row) => ({ row, params: paramsOf(resource, row, params) }));

/** The action of this name. Throws when there is none, which is a mistake of ours. */
export function actionNamed(resource: Resource, name: string): Action {
  const action = actionsOf(resource).find((action) => action.name === name);
  if (!action) throw new Error(`${resource.name} has no action ${name}`);
  return action;
}

/** Why an action cannot be done to any of these rows; undefined when it can to at least one. */
function refusalOf(stores: Stores, resource: Resource, action: Action, targets: readonly Target[]): string | undefined {
  const forbidden = stores.session.getState().refused[`${resource.name}.${action.name}`];
  if (forbidden) return forbidden;
  if (targets.length > 1 && action.single) return `${action.help} works on one ${resource.one} at a time`;
  const reasons = targets.map(({ row }) => action.refuse?.(row, stores.view));
  return reasons.every(Boolean) ? reasons[0] : undefined;
}

/** Opens what an action needs before it is sent: its form, or the question whether it is meant. */
export function startAction(
  stores: Stores,
  resource: Resource,
  action: Action,
  targets: readonly Target[],
  params: Params,
): void {
  const refusal = targets.length > 0 ? refusalOf(stores, resource, action, targets) : undefined;
  if (refusal) {
    stores.notices.say('bad', sentence(refusal, labelOf(resource, targets)));
    return;
  }
  const base = { resource: resource.name, action: action.name, targets: targets.map((one) => one.params), params };
  if (action.ask === false && !stores.settings.critical) {
    void submitWithoutForm(stores, { resource, action, targets, params, draft: {} });
    return;
  }
  stores.navigation.open({ kind: action.dialog ? 'dialog' : action.body ? 'form' : 'confirm', ...base });
}

/** Tells the way an action begins, before it is chosen: `! type the label`, `asks`, `at once`. */
export function askHint(action: Action, { settings }: Stores): string | undefined {
  if (settings.critical) return '! type the label';
  const words = {
    'at once': action.ask === false ? 'at once' : '',
    asks: 'asks',
    'asks at times': '',
    'types the label': 'type the label',
  };
  const said = words[askingOf(action)];
  return said === '' ? undefined : askOf(action).warning ? `! ${said}` : said;
}

/** Whether anything can be done to rows of a resource. */
export const hasChoices = (resource: Resource): boolean =>
  (resource.shortcuts ?? []).length > 0 || actionsOf(resource).length > creationsOf(resource).length;

/** Everything that can be done to these rows, in the order of the menu. */
export function choicesFor(
  stores: Stores,
  resource: Resource,
  targets: readonly Target[],
  params: Params,
): readonly Choice[] {
  const own = actionsOf(resource)
    .filter((action) => !creationsOf(resource).includes(action))
    .map((action) => ({
      name: action.name,
      key: action.key,
      help: action.help,
      says: askHint(action, stores),
      isDanger: askOf(action).warning !== undefined && askingOf(action) !== 'asks at times',
      refusal: refusalOf(stores, resource, action, targets),
      run: () => startAction(stores, resource, action, targets, params),
    }));
  const shortcuts = (resource.shortcuts ?? []).map((shortcut) => shortcutChoice(stores, resource, shortcut, targets));
  return [...own, ...shortcuts];
}

function shortcutChoice(stores: Stores, resource: Resource, shortcut: Shortcut, targets: readonly Target[]): Choice {
  const [target] = targets;
  const isTooMany = targets.length > 1 && !shortcut.many;
  const refusal = isTooMany
    ? `${shortcut.help} starts from one row`
    : target && shortcut.refuse?.(target.row, stores.view);
  const run = async () => {
    const [first, ...others] = await wholeRows(stores, resource, targets);
    if (!target || !first) return;
    stores.navigation.open({
      kind: 'form',
      resource: shortcut.to,
      action: shortcut.action,
      targets: [],
      params: createParams(shortcut.to, target.params),
      start: shortcut.start(first, stores.view, target.params, [first, ...others]),
    });
  };
  return { name: shortcut.name, key: shortcut.key, help: shortcut.help, refusal, run: () => void run() };
}

/** The rows with all their fields: those of a list that leaves some out are read. */
async function wholeRows(stores: Stores, resource: Resource, targets: readonly Target[]): Promise<readonly Row[]> {
  if (!resource.list?.partial) return targets.map(({ row }) => row);
  await Promise.all(targets.map(({ params }) => stores.cache.readRow(resource, params)));
  return targetsAt(
    stores,
    resource,
    targets.map(({ params }) => params),
  ).map(({ row }) => row);
}

/** The way to a support ticket about a row; undefined where there is no row, or it is a ticket itself. */
export function ticketOf(stores: Stores, resource: Resource, targets: readonly Target[]): (() => void) | undefined {
  const isTicket = [resource.name, resource.under].includes(anyTicketShortcut(resource).to);
  if (isTicket || resource.local || targets.length === 0) return undefined;
  const shortcut = resource.shortcuts?.find(({ name }) => name === ticketShortcutName) ?? anyTicketShortcut(resource);
  const { refusal, run } = shortcutChoice(stores, resource, shortcut, targets);
  return () => (refusal ? stores.notices.say('bad', sentence(refusal, labelOf(resource, targets))) : run());
}

/** Of a row's parameters those that a resource lies under. */
export const createParams = (name: string, params: Params): Params =>
  paramsIn(resourceNamed(name).create?.path, params);

const labelOf = (resource: Resource, [first]: readonly Target[]) => first && resource.label(first.row);
