import { askingOf } from '../resources/asking.ts';
import { paramsIn } from '../resources/identity.ts';
import { actionsOf, creationsOf, resourceNamed } from '../resources/index.ts';
import type { Action, Lead, Params, Resource, Row } from '../resources/resource.ts';
import { anyTicketLead, ticketLeadName } from '../resources/ticketLead.ts';
import { type Target, targetsAt } from '../store/changes/change.ts';
import { submitAlone } from '../store/changes/submit.ts';
import type { Deck } from '../store/deck.ts';
import { paramsOf } from '../store/records.ts';
import { capitalized } from '../text/words.ts';

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
function refusalOf(deck: Deck, resource: Resource, action: Action, targets: readonly Target[]): string | undefined {
  const forbidden = deck.session.getState().refused[`${resource.name}.${action.name}`];
  if (forbidden) return forbidden;
  if (targets.length > 1 && action.single) return `${action.help} works on one ${resource.one} at a time`;
  const reasons = targets.map(({ row }) => action.refuse?.(row, deck.view));
  return reasons.every(Boolean) ? reasons[0] : undefined;
}

/** Opens what an action needs before it is sent: its form, or the question whether it is meant. */
export function begin(
  deck: Deck,
  resource: Resource,
  action: Action,
  targets: readonly Target[],
  params: Params,
): void {
  const refusal = targets.length > 0 ? refusalOf(deck, resource, action, targets) : undefined;
  if (refusal) {
    deck.notices.say('bad', sentence(refusal, labelOf(resource, targets)));
    return;
  }
  const base = { resource: resource.name, action: action.name, targets: targets.map((one) => one.params), params };
  if (action.atOnce && !deck.settings.critical) {
    void submitAlone(deck, { resource, action, targets, params, draft: {} });
    return;
  }
  deck.navigation.open({ kind: action.own ? 'own' : action.body ? 'form' : 'confirm', ...base });
}

/** Tells the way an action begins, before it is chosen: `! type the label`, `asks`, `at once`. */
export function startWords(action: Action, { settings }: Deck): string | undefined {
  if (settings.critical) return '! type the label';
  const words = {
    'at once': action.atOnce ? 'at once' : '',
    asks: 'asks',
    'asks at times': '',
    'types the label': 'type the label',
  };
  const said = words[askingOf(action)];
  return said === '' ? undefined : action.danger ? `! ${said}` : said;
}

/** Whether anything can be done to rows of a resource. */
export const hasChoices = (resource: Resource): boolean =>
  (resource.leads ?? []).length > 0 || actionsOf(resource).length > creationsOf(resource).length;

/** Everything that can be done to these rows, in the order of the menu. */
export function choicesFor(
  deck: Deck,
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
      says: startWords(action, deck),
      isDanger: action.danger !== undefined,
      refusal: refusalOf(deck, resource, action, targets),
      run: () => begin(deck, resource, action, targets, params),
    }));
  const leads = (resource.leads ?? []).map((lead) => leadChoice(deck, resource, lead, targets));
  return [...own, ...leads];
}

function leadChoice(deck: Deck, resource: Resource, lead: Lead, targets: readonly Target[]): Choice {
  const [target] = targets;
  const isTooMany = targets.length > 1 && !lead.many;
  const refusal = isTooMany ? `${lead.help} starts from one row` : target && lead.refuse?.(target.row, deck.view);
  const run = async () => {
    const [first, ...others] = await wholeRows(deck, resource, targets);
    if (!target || !first) return;
    deck.navigation.open({
      kind: 'form',
      resource: lead.to,
      action: lead.action,
      targets: [],
      params: paramsWithin(lead.to, target.params),
      start: lead.start(first, deck.view, target.params, [first, ...others]),
    });
  };
  return { name: lead.name, key: lead.key, help: lead.help, refusal, run: () => void run() };
}

/** The rows with all their fields: those of a list that leaves some out are read. */
async function wholeRows(deck: Deck, resource: Resource, targets: readonly Target[]): Promise<readonly Row[]> {
  if (!resource.list?.partial) return targets.map(({ row }) => row);
  await Promise.all(targets.map(({ params }) => deck.records.readRow(resource, params)));
  return targetsAt(
    deck,
    resource,
    targets.map(({ params }) => params),
  ).map(({ row }) => row);
}

/** The way to a support ticket about a row; undefined where there is no row, or it is a ticket itself. */
export function ticketOf(deck: Deck, resource: Resource, targets: readonly Target[]): (() => void) | undefined {
  const isTicket = [resource.name, resource.under].includes(anyTicketLead(resource).to);
  if (isTicket || resource.local || targets.length === 0) return undefined;
  const lead = resource.leads?.find(({ name }) => name === ticketLeadName) ?? anyTicketLead(resource);
  const { refusal, run } = leadChoice(deck, resource, lead, targets);
  return () => (refusal ? deck.notices.say('bad', sentence(refusal, labelOf(resource, targets))) : run());
}

/** Of a row's parameters those that a resource lies under. */
export const paramsWithin = (name: string, params: Params): Params =>
  paramsIn(resourceNamed(name).create?.path, params);

/** A reason as a sentence of its own; where it begins with this label, that stays as it is. */
export const sentence = (text: string, label = ''): string => {
  const isLabel = label !== '' && text.startsWith(label);
  const whole = isLabel ? text : capitalized(text);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
};

const labelOf = (resource: Resource, [first]: readonly Target[]) => first && resource.label(first.row);
