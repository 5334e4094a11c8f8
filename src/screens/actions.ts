import { askingOf, askOf } from '../resources/asking.ts';
import { paramsOf } from '../resources/identity.ts';
import { actionsOf, creationsOf } from '../resources/index.ts';
import type { Action, Resource } from '../resources/resource.ts';
import { plural } from '../resources/wording.ts';
import { type Submission, type Target, targetsAt } from '../store/changes/change.ts';
import { keptAmong, readKept } from '../store/changes/freshRows.ts';
import { refusalFor, submitWithoutForm } from '../store/changes/submit.ts';
import { isPlanOnly, readOnlyRefusal } from '../store/plans/planning.ts';
import type { Stores } from '../store/stores.ts';
import { sentence, withoutStop } from '../text/words.ts';

/** An action on rows, of which none is filled in yet. */
export type Start = Pick<Submission, 'resource' | 'action' | 'targets' | 'params'>;

/** Rows of a resource to which something may be done, with the parameters of their list or of the first. */
export type Chosen = Omit<Start, 'action'>;

/** Why an action cannot be done to any of these rows; undefined when it can to at least one. */
export function refusalOf(stores: Stores, { resource, action, targets }: Start): string | undefined {
  const unplanned = readOnlyRefusal(stores, action);
  if (unplanned) return unplanned;
  if (targets.length > 1 && action.single) return `one ${resource.one} at a time`;
  // A row that only an earlier session has read is read again before it refuses anything.
  const wanted = targets.map((one) => one.params);
  if (keptAmong(stores.cache, resource, wanted).length > 0) return undefined;
  const reasons = targets.map((target) => refusalFor(stores, resource, action, target));
  const able = targets.filter((_, index) => !reasons[index]);
  if (able.length > 0) return stores.guards.limit(resource, action, able);
  const others = reasons.length === 2 ? 'the other one is' : `the other ${reasons.length - 1} are`;
  return reasons.length > 1 ? `${withoutStop(reasons[0] ?? '')}; ${others} refused as well` : reasons[0];
}

/** Opens the form, dialog or confirmation of an action, sends one that does not ask, or tells why it is refused. */
export function startAction(stores: Stores, start: Start): void {
  const { resource, action, targets, params } = start;
  const isReading =
    !stores.api.readOnly &&
    !action.harmless &&
    afterReading(stores, start, (fresh) => startAction(stores, { ...start, targets: fresh }));
  if (isReading) return;
  const refusal =
    targets.length > 0
      ? refusalOf(stores, start)
      : (readOnlyRefusal(stores, action) ?? stores.guards.refusal(resource, action, params));
  if (refusal) return void stores.notices.say('bad', sentence(refusal, labelOf(resource, targets)));
  const base = { resource: resource.name, action: action.name, targets: targets.map((one) => one.params), params };
  const isAtOnce = action.harmless || !(targets.length > 1 || stores.settings.critical || isPlanOnly(stores, action));
  if (action.ask === false && !action.body && isAtOnce && !isLabelAsked(stores, start)) {
    void submitWithoutForm(stores, { ...start, draft: {} });
    return;
  }
  stores.navigation.open({ kind: action.dialog ? 'dialog' : action.body ? 'form' : 'confirm', ...base });
}

/** Whether a guard asks for the label of these rows, or before one is made. */
export function isLabelAsked({ guards }: Stores, { resource, action, targets, params }: Start): boolean {
  const asked = guards.asks(() =>
    targets.length === 0
      ? [{ resource, action, params }]
      : targets.map((one) => ({ resource, action, params: paramsOf(resource, one.row, one.params), row: one.row })),
  );
  return asked.length > 0;
}

/**
 * Tells in the menu whether an action asks first: `! type the label`, `asks`, `at once`, `into the plan`.
 * @param rows what is typed in place of the label of a single row, such as `3 servers`
 * @param isAsked a guard asks for the label
 */
export function askHint(
  action: Action,
  stores: Pick<Stores, 'settings' | 'api' | 'session'>,
  rows?: string,
  isAsked = false,
): string | undefined {
  if (isPlanOnly(stores, action)) return 'into the plan';
  const typed = `type ${rows ?? 'the label'}`;
  if ((stores.settings.critical && !action.harmless) || isAsked) return `! ${typed}`;
  const seldom = rows !== undefined && !action.harmless ? 'asks' : '';
  const words = {
    'at once': seldom || (action.ask === false ? 'at once' : ''),
    asks: 'asks',
    'asks at times': seldom,
    'types the label': typed,
  };
  const said = words[askingOf(action)];
  return said === '' ? undefined : askOf(action).warning ? `! ${said}` : said;
}

/** The actions on rows of a resource. */
export function onRows(resource: Resource): readonly Action[] {
  const creations = creationsOf(resource);
  return actionsOf(resource).filter((action) => !creations.includes(action));
}

export const labelOf = (resource: Resource, [first]: readonly Target[]) => first && resource.label(first.row);

/**
 * Goes on with rows that only an earlier session has read once they are read again, unless the user has gone on since;
 * where they cannot be read, says so. Returns whether there are such rows.
 */
export function afterReading(
  stores: Stores,
  { resource, targets }: Pick<Chosen, 'resource' | 'targets'>,
  goOn: (targets: readonly Target[]) => void,
): boolean {
  const { cache, navigation, notices } = stores;
  const all = targets.map(({ params }) => params);
  const kept = keptAmong(cache, resource, all);
  const [first] = targets;
  if (kept.length === 0 || !first) return false;
  const isHere = navigation.here();
  const label =
    kept.length === 1 ? resource.label((targetsAt(stores.view, resource, kept)[0] ?? first).row) : plural(resource);
  notices.say('plain', `Reading ${label} again first, as nothing is changed by what may be old …`);
  void readKept(stores, resource, kept).then((why) => {
    if (why !== undefined) return notices.say('bad', why);
    const there = targetsAt(stores.view, resource, all);
    if (there.length === 0) return notices.say('warn', `${label} is not there any more.`);
    if (isHere()) goOn(there);
    else notices.say('plain', `${label} is read now.`);
  });
  return true;
}
