import { savedBy } from '../../resources/asking.ts';
import { paramsIn } from '../../resources/identity.ts';
import { creationsOf, resourceNamed, userActionsOf } from '../../resources/index.ts';
import { remedyWords } from '../../resources/problems/problem.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import { filterOfFold, isFold, type Problem, type Remedy, unfolded } from '../../resources/problems/rule.ts';
import { at } from '../../resources/resource.ts';
import { ticketText } from '../../resources/rules/evidence.ts';
import { ruleNamed } from '../../resources/rules/index.ts';
import { ticketShortcutName } from '../../resources/shortcuts.ts';
import { cachedRow, targetsAt } from '../../store/changes/change.ts';
import type { Place } from '../../store/navigation.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sentence } from '../../text/words.ts';
import { startAction } from '../actions.ts';
import { type Choice, choicesFor, offeredOn, ticketOf } from '../choices.ts';
import { createParams, goToList, placeOfEntity, placeOfRow } from '../places.ts';

/** A way out of a problem. */
export type RemedyChoice = Pick<Choice, 'help' | 'refusal' | 'run'>;

const oneTicketRefusal = () => `a ticket is about one thing at a time; ${keyLabel('list.open', 'enter')} shows each`;
const goneRefusal = 'it is not loaded, or gone';

/** The ways out of a problem: those of its rule, the most likely first, then its history, a ticket and the user's own commands. */
export function remediesFor(stores: Stores, problem: Problem): readonly RemedyChoice[] {
  const { remedy, remedies = [] } = ruleNamed(problem.rule) ?? {};
  const own = [...(remedy ? [remedy] : []), ...remedies];
  const offersHistory =
    resourceNamed(problem.resource).entity !== undefined && !own.some((one) => 'tab' in one && one.tab === 'History');
  const offersTicket = !isFold(problem) && !own.some((one) => 'shortcut' in one && one.shortcut === ticketShortcutName);
  const all = offersHistory && !isFold(problem) ? [...own, { tab: 'History', help: 'Look at its history' }] : own;
  return [
    ...all.flatMap((one) => remedyChoice(stores, problem, one) ?? []),
    ...(offersTicket ? ticketChoice(stores, problem) : []),
    ...commandChoices(stores, problem),
  ];
}

function commandChoices(stores: Stores, problem: Problem): readonly RemedyChoice[] {
  const resource = resourceNamed(problem.resource);
  const own = userActionsOf(resource);
  if (own.length === 0 || isFold(problem)) return [];
  const targets = targetsAt(stores.view, resource, [problem.params]);
  if (targets.length === 0) return [];
  const chosen = { resource, targets, params: problem.params };
  return choicesFor(stores, chosen, (name) => own.some((action) => action.name === name));
}

/** Opens the likeliest help against a problem, or says why there is none; undefined where nothing is known to help, or where a read-only session cannot even plan it. */
export function remedyFor(stores: Stores, problem: Problem): (() => void) | undefined {
  const { remedy, lacks } = ruleNamed(problem.rule) ?? {};
  if (!remedy) return lacks === undefined ? undefined : () => stores.notices.say('plain', lacks);
  if (stores.api.readOnly && !isOffered(stores, problem, remedy)) return undefined;
  return () => {
    const choice = remedyChoice(stores, problem, remedy);
    if (choice?.refusal) stores.notices.say('bad', sentence(choice.refusal, problem.label));
    else choice?.run();
  };
}

/** Whether a session offers a remedy: not where it is read-only and cannot even plan it. */
function isOffered(stores: Stores, { resource: name }: Problem, remedy: Remedy): boolean {
  if ('tab' in remedy) return true;
  const resource = resourceNamed(name);
  const wanted = 'shortcut' in remedy ? remedy.shortcut : remedy.action;
  const creation = creationsOf(resource).find((action) => action.name === wanted);
  return creation
    ? readOnlyRefusal(stores, creation) === undefined
    : offeredOn(stores, resource).some((one) => one.name === wanted);
}

function remedyChoice(stores: Stores, problem: Problem, remedy: Remedy): RemedyChoice | undefined {
  const { resource: name, params } = problem;
  const resource = resourceNamed(name);
  const help = remedyWords(problem, remedy);
  if (help === undefined) return undefined;
  if ('tab' in remedy) {
    const place: Place = { screen: 'detail', resource: name, params, tab: remedy.tab.toLowerCase() };
    return { help, run: () => (isFold(problem) ? openFold(stores, problem) : stores.navigation.go(place)) };
  }
  const wanted = 'shortcut' in remedy ? remedy.shortcut : remedy.action;
  if (wanted === ticketShortcutName)
    return isFold(problem) ? { help, refusal: oneTicketRefusal(), run: () => {} } : ticketChoice(stores, problem)[0];
  const creation = creationsOf(resource).find((action) => action.name === wanted);
  if (creation) {
    const under = createParams(name, params);
    const refusal = readOnlyRefusal(stores, creation) ?? stores.guards.refusal(resource, creation, under);
    return {
      help,
      refusal,
      run: () => startAction(stores, { resource, action: creation, targets: [], params: under }),
    };
  }
  const all = unfolded(problem).map((one) => one.params);
  const targets = targetsAt(stores.view, resource, all);
  const chosen = { resource, targets, params: targets[0]?.params ?? params };
  const choice = choicesFor(stores, chosen).find(({ name }) => name === wanted);
  if (!choice || targets.length === 0) return { help, refusal: goneRefusal, run: () => {} };
  const rows = targets.map(({ row }) => row);
  const saved = wanted === resource.remove?.name ? savedBy(resource, rows, stores.view) : undefined;
  return { help: saved ? `${help}: saves ${saved}` : help, refusal: choice.refusal, run: choice.run };
}

/** A ticket that tells all that is known of a problem; none where no ticket can be about its object. */
function ticketChoice(stores: Stores, problem: Problem): readonly RemedyChoice[] {
  const resource = resourceNamed(problem.resource);
  const [first = problem] = unfolded(problem);
  const targets = targetsAt(stores.view, resource, [first.params]);
  const open = ticketOf(stores, { resource, targets, params: first.params }, ticketText(problem, stores.view));
  if (!open) return [];
  const help = 'Open a ticket that tells all this';
  return [{ help, run: open }];
}

/** Shows the problems of a fold one by one. */
export const openFold = (stores: Stores, fold: Problem): void =>
  goToList(stores, problemList, { filter: filterOfFold(fold), section: undefined });

/** The page of a problem. */
export const placeOfProblem = ({ id }: Problem): Place => placeOfRow(problemList, { [problemList.param]: id });

/** The object of a problem: of a failed event what that is about; its list where it has no screen. */
export function placeOfObject(stores: Stores, { resource: name, params }: Problem): Place {
  const resource = resourceNamed(name);
  const row = cachedRow(stores.view, resource, params);
  const about = resource.about && !resource.entity ? placeOfEntity(at(row, resource.about)) : undefined;
  return (
    about ??
    (resource.view
      ? placeOfRow(resource, params)
      : { screen: 'list', resource: name, params: paramsIn(resource.list?.path, params) })
  );
}
