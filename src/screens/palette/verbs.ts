import { commandName } from '../../config/commandActions.ts';
import { lackingWords, type MissingCommand, missingCommands, missingOn } from '../../config/missingCommands.ts';
import { creationsOf, isSingle, resourceCalled } from '../../resources/index.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { plural, rowsText } from '../../resources/wording.ts';
import type { Query } from '../../store/cache.ts';
import { placeOf } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import type { Chosen } from '../actions.ts';
import { actionLabel, choicesFor, keysOfAction, offeredOn } from '../choices.ts';
import type { KeySubject } from '../keys/keyboard.ts';
import { placeOfArea, tabsOf } from '../places.ts';
import { remedyFor } from '../problems/remedies.ts';
import { type PreparedThing, prepared, type Thing, type Verb } from './match.ts';

/**
 * The verbs of rows: their actions, and the views of a single one.
 * @param enter goes to the place of the rows first, where that is another
 * @param isWanted leaves out those of other names
 */
export function verbThings(
  stores: Stores,
  chosen: Chosen,
  enter?: () => void,
  isWanted: (name: string) => boolean = () => true,
): readonly Thing[] {
  const { resource, targets } = chosen;
  const [only, ...others] = targets;
  if (!only) return [];
  const rows = rowsText(resource, targets);
  const id = `${resource.name} ${JSON.stringify(targets.map((one) => one.params))}`;
  const offered = new Set(offeredOn(stores, resource).map(({ name }) => name));
  const choices = choicesFor(stores, chosen, (name) => offered.has(name) && isWanted(name)).filter(
    ({ single }) => others.length === 0 || !single,
  );
  const actions = choices.map(
    ({ name, key, help, says, isDanger, refusal, run }): Thing => ({
      id: `do ${id} ${name}`,
      label: actionLabel(resource, name, help, rows),
      names: [name, help],
      kind: others.length === 0 ? resource.one : plural(resource),
      detail: says,
      key: keysOfAction(resource, name, key),
      isDanger,
      refusal,
      run: () => {
        enter?.();
        run();
      },
    }),
  );
  return others.length === 0 ? [...actions, ...viewThings(stores, resource, only.params, rows, id, isWanted)] : actions;
}

function viewThings(
  { navigation }: Stores,
  resource: Resource,
  params: Params,
  row: string,
  id: string,
  isWanted: (name: string) => boolean,
): readonly Thing[] {
  if (!resource.view) return [];
  const place = placeOf(navigation.getState());
  const isHere = place.screen === 'detail' && place.resource === resource.name;
  return tabsOf(resource).flatMap(({ name, title }, nth): readonly Thing[] => {
    if (!isWanted(viewPrefix + name)) return [];
    const digit = nth < 9 ? String(nth + 1) : '';
    return [
      {
        id: `see ${id} ${name}`,
        label: `${title} of ${row}`,
        names: [title],
        opens: true,
        kind: resource.one,
        key: isHere ? digit : ['enter', digit].filter(Boolean).join(' '),
        run: () => navigation.go({ screen: 'detail', resource: resource.name, params, tab: name }),
      },
    ];
  });
}

const viewPrefix = 'view ';

/** The verbs of the rows or the problem under the cursor. */
export function subjectThings(stores: Stores, subject: KeySubject): readonly Thing[] {
  const { problem, resource } = subject;
  const things = verbThings(stores, subject);
  if (!problem) return things;
  const remedy = remedyFor(stores, problem);
  if (!problem.remedy || !remedy) return things;
  const { remedy: named } = problem;
  const wanted = 'tab' in named ? named.tab.toLowerCase() : 'shortcut' in named ? named.shortcut : named.action;
  const own = things.find(({ id }) => id.endsWith(`] ${wanted}`));
  const creation = creationsOf(resource).find(({ name }) => name === wanted);
  const fix: Thing = {
    id: `fix ${problem.id}`,
    label: own?.label ?? creation?.help ?? `Fix ${problem.label}`,
    names: ['fix', 'remedy'],
    kind: 'remedy',
    detail: problem.says,
    key: 'f',
    refusal: own?.refusal,
    run: () => remedy(),
  };
  return [fix, ...things.filter((thing) => thing !== own)];
}

/** The verbs of every resource by their own names, to be joined with any loaded row. */
export function verbsOf(stores: Stores, resources: readonly Resource[]): readonly Verb[] {
  return resources.flatMap((resource): readonly Verb[] => {
    const views = resource.view
      ? tabsOf(resource).map(({ name, title }) => ({ name: viewPrefix + name, help: title, key: undefined }))
      : [];
    return [...offeredOn(stores, resource), ...views].map(({ name, help, key }) => ({
      resource,
      name,
      key,
      label: prepared(help),
    }));
  });
}

/** Verbs without an object, those of the more important rows first: each asks which row, where there are several. */
export const questionThings = (stores: Stores, verbs: readonly Verb[]): readonly PreparedThing[] =>
  verbs
    .filter(({ resource }) => !resource.under || stores.view.lists(resource.name).some(({ rows }) => rows.length > 0))
    .map((verb) => {
      const thing = isSingle(verb.resource) ? singleThing(stores, verb) : questionThing(verb);
      return { thing, label: prepared(verb.label.target) };
    });

function questionThing(verb: Verb): Thing {
  const { resource, name, key, label } = verb;
  const what = `which ${resource.one}`;
  const isView = name.startsWith(viewPrefix);
  return {
    id: `which ${resource.name} ${name}`,
    label: `${isView ? `${label.target} of ${what}` : actionLabel(resource, name, label.target, what)}?`,
    names: [name],
    kind: plural(resource),
    ...(key !== undefined && { key: keysOfAction(resource, name, key) }),
    chooses: verb,
    run: () => {},
  };
}

/** Of what there is only one of: its tab, or its page where the action is. */
function singleThing({ navigation }: Stores, { resource, name, label }: Verb): Thing {
  const isView = name.startsWith(viewPrefix);
  const tab = isView ? name.slice(viewPrefix.length) : undefined;
  const place = placeOfArea(resource);
  return {
    id: `single ${resource.name} ${name}`,
    label: isView ? `${label.target} of the ${resource.one}` : label.target,
    names: [name],
    kind: resource.one,
    detail: resource.area,
    run: () => navigation.go(tab !== undefined && place.screen === 'detail' ? { ...place, tab } : place),
  };
}

/** The list of which one row is chosen. */
export function listAsked({ resource }: Verb): Query | undefined {
  const [{ operation = 'list' } = {}] = resource.sections ?? [];
  return resource.list && !resource.under ? { resource: resource.name, operation, params: {} } : undefined;
}

/** Requests that the documents leave out, with the way to have them. */
export const missingThings = ({ navigation }: Stores): readonly Thing[] =>
  missingCommands.flatMap((command: MissingCommand): readonly Thing[] => {
    const resource = resourceCalled(command.for);
    if (!resource || !missingOn(resource).includes(command)) return [];
    const { name } = command;
    return [
      {
        id: `missing ${resource.name} ${name}`,
        label: name,
        names: [commandName(command)],
        kind: resource.one,
        explains: `${lackingWords}; adds a command of your own`,
        run: () => navigation.open({ kind: 'addCommand', resource: resource.name, name }),
      },
    ];
  });
