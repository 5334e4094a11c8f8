import { commandName } from '../../config/commandActions.ts';
import { lackingWords, type MissingCommand, missingCommands, missingOn } from '../../config/missingCommands.ts';
import { isSingle, resourceCalled, resources } from '../../resources/index.ts';
import type { Resource } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import type { Query } from '../../store/cache.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { aNoun } from '../../text/words.ts';
import { placeOfArea, tabWith } from '../places.ts';
import { type PreparedThing, prepared, type Thing, type Verb } from './match.ts';
import { keysOf, labelOf, viewPrefix } from './verbs.ts';

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
  const below = isView ? belowIn(resource, name) : undefined;
  return {
    id: `which ${resource.name} ${name}`,
    label: `${isView ? `${label.target} of ${what}` : labelOf(resource, name, label.target, what)}?`,
    names: [name, ...(below ? [`new-${below.one.replaceAll(' ', '-')}`] : [])],
    ...(below && { explains: `${keyLabel('list.create', 'n')} there makes ${aNoun(below.one)}` }),
    kind: plural(resource),
    ...(key !== undefined && { key: keysOf(resource, name, key) }),
    chooses: verb,
    run: () => {},
  };
}

/** The resource whose rows a tab lists, where some can be made there. */
const belowIn = (above: Resource, name: string): Resource | undefined =>
  resources.find((one) => one.create && one.under === above.name && `${viewPrefix}${tabWith(one)}` === name);

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
export function listAsked({ resource }: Verb): readonly Query[] {
  const [{ operation = 'list' } = {}] = resource.sections ?? [];
  return resource.list && !resource.under ? [{ resource: resource.name, operation, params: {} }] : [];
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
