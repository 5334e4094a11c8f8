import { isPatch } from '../resources/body.ts';
import { isTouchedByEntry } from '../resources/changeRecord.ts';
import { textKinds } from '../resources/field.ts';
import { creationsOf, describedActions, resourceNamed, resources } from '../resources/index.ts';
import { nodesUp } from '../resources/networking/nodeText.ts';
import { ancestorsOf, type ResourceAction, strayTarget } from '../resources/relations.ts';
import { type Action, bodyNames, type Field, fieldOf, type Resource } from '../resources/resource.ts';
import { nearest } from '../text/nearest.ts';
import { type KeyMistake, type KeyPath, nestedIn } from './lines.ts';
import { fieldPath, type PlanFile, type PlanFileStep } from './planSchema.ts';
import { quoted } from './settingRules.ts';

/**
 * Mistakes that the schema cannot find: names that the descriptions do not have, and references that lead nowhere.
 * @param isFirst it was written in the first version, where edits have bodies
 */
export function planMistakes({ steps }: PlanFile, isFirst = false): readonly KeyMistake[] {
  const seen = new Map<number, Seen>();
  const uids = new Map<string, number>();
  return steps.flatMap((step, index) => {
    const path = ['steps', index];
    const found = describedBy(step);
    const twin = seen.get(step.id);
    const copy = uids.get(step.uid);
    const twice = [
      ...(twin ? [{ path: [...path, 'id'], says: `must be its own; steps[${twin.nth}] has ${step.id}, too` }] : []),
      ...(copy && !twin
        ? [{ path: [...path, 'uid'], says: `must be its own; steps[${copy}] has ${quoted(step.uid)}, too` }]
        : []),
    ];
    uids.set(step.uid, copy ?? index + 1);
    const wrong =
      'says' in found ? [found] : [...stepMistakes(step, found, isFirst), ...referenceMistakes(step, found, seen)];
    if (!twin) seen.set(step.id, { nth: index + 1, of: 'says' in found ? undefined : found });
    const own = wrong.map((one) => ({ ...one, path: [...path, 'record', ...one.path] }));
    return [...twice, ...own, ...('says' in found ? [] : waitMistakes(step, found, [...path, 'wait', 'for']))];
  });
}

/** An earlier step, by its place from 1. */
interface Seen {
  nth: number;
  /** Absent where it has mistakes itself. */
  of: ResourceAction | undefined;
}

/** Whether an action makes a row to which later steps can refer. */
const isMaker = ({ resource, action }: ResourceAction): boolean =>
  creationsOf(resource).includes(action) || (action.method === 'POST' && action.row !== undefined);

function describedBy({ record }: PlanFileStep): ResourceAction | KeyMistake {
  const all = resources.filter(({ local }) => !local);
  const resource = all.find(({ name }) => name === record.resource);
  if (!resource) {
    const names = all.filter((one) => describedActions(one).length > 0).map(({ name }) => name);
    return {
      path: ['resource'],
      says: `must name a resource; it is ${quoted(record.resource)}${meant(record.resource, names)}`,
    };
  }
  const actions = describedActions(resource);
  const action = actions.find(({ name }) => name === record.action);
  if (action) return { resource, action };
  const names = actions.map(({ name }) => name);
  const rule = names.length > 0 ? `must be one of ${names.join(', ')}` : 'must be an action, and there is none';
  return {
    path: ['action'],
    says: `${rule} (of ${resource.name}); it is ${quoted(record.action)}${meant(record.action, names)}`,
  };
}

const meant = (word: string, names: readonly string[]): string => {
  const name = nearest(word, names);
  return name === undefined ? '' : `; did you mean ${name}?`;
};

/** Why a change cannot be written down for others, as the end of a sentence; undefined where it can. */
const unwritable = ({ fileTransfer, multipart }: Action): string | undefined =>
  fileTransfer || multipart ? 'sends or gets a file of one machine, which a plan does not hold' : undefined;

function stepMistakes({ record }: PlanFileStep, named: ResourceAction, isFirst: boolean): readonly KeyMistake[] {
  const { resource, action } = named;
  const why = unwritable(action);
  if (why !== undefined) return [{ path: ['action'], says: why }];
  const needed = paramsOfPath(action.path);
  const known = new Set([
    ...needed,
    ...(action.query ?? []),
    ...[resource, ...ancestorsOf(resource)].flatMap(({ param, params = {}, list, view }) => [
      param,
      ...Object.keys(params),
      ...paramsOfPath(list?.path),
      ...paramsOfPath(view?.path),
    ]),
  ]);
  const given = Object.keys(record.params);
  return [
    ...needed
      .filter((name) => !Object.hasOwn(record.params, name))
      .map((name) => ({ path: ['params'], says: `needs ${name}, which is part of the path of ${action.name}` })),
    ...given
      .filter((name) => !known.has(name))
      .map((name) => ({
        path: ['params', name],
        says: `is unknown${meant(name, [...known]) || `; there are ${[...known].join(', ')}`}`,
      })),
    ...(isPatch(action) && !isFirst ? changesMistakes(named, record) : sentMistakes(named, record)),
  ];
}

/** The mistakes in what a step waits for: words that its row never has as its status, or nodes that it cannot serve. */
function waitMistakes({ wait }: PlanFileStep, { resource }: ResourceAction, path: KeyPath): readonly KeyMistake[] {
  const { words = [] } = resource.columns.find(({ format }) => format === 'status') ?? {};
  const nodes = resourceNamed('nodebalancer-nodes');
  const isServing = resource === nodes || nodes.relations?.some(({ to }) => to === resource.name);
  const known = [...(resource === nodes ? [] : words), ...(isServing ? [nodesUp] : [])];
  const rule = known.length > 0 ? `must be one of ${known.join(', ')}` : `has no meaning for ${resource.name}`;
  return (wait?.for ?? []).flatMap((word, index) =>
    known.includes(word)
      ? []
      : [{ path: [...path, index], says: `${rule}; it is ${quoted(word)}${meant(word, known)}` }],
  );
}

const paramsOfPath = (path = ''): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function changesMistakes(
  { resource, action }: ResourceAction,
  { body, changes }: PlanFileStep['record'],
): readonly KeyMistake[] {
  if (body !== undefined)
    return [{ path: ['body'], says: `belongs to no edit: what ${action.name} touches is written under changes` }];
  if (!changes) return [{ path: ['changes'], says: `is missing; ${action.name} needs what it touches` }];
  const { set = {}, add = {}, remove = {} } = changes;
  const lists = Object.entries({ add, remove }).flatMap(([part, names]) =>
    Object.entries(names).map(([name, items]) => ({ part, name, items })),
  );
  if (Object.keys(set).length + lists.length === 0) return [{ path: ['changes'], says: 'touches nothing' }];
  const fields = fieldsOf(resource, action);
  const byEntry = [...fields].filter(([, field]) => isTouchedByEntry(field));
  const known = (names: readonly string[]) => (names.length > 0 ? `; the fields are ${names.join(', ')}` : '');
  const plain = [...fields].filter(([, field]) => !isTouchedByEntry(field)).map(([name]) => name);
  return [
    ...Object.entries(set).flatMap(([name, value]): readonly KeyMistake[] => {
      const path = ['changes', 'set', name];
      const field = fields.get(name);
      if (!field) return [{ path, says: `is no field of this action${meant(name, plain) || known(plain)}` }];
      if (isTouchedByEntry(field))
        return [{ path, says: 'is a list of which single entries change: write them under add and remove' }];
      return valueMistakes(path, field, value);
    }),
    ...lists.flatMap(({ part, name, items }): readonly KeyMistake[] => {
      const path = ['changes', part, name];
      const fitting = byEntry.filter(([, field]) => field.part !== (part === 'add' ? 'removed' : 'added'));
      const names = fitting.map(([one]) => one);
      if (!names.includes(name)) {
        const rule = names.length > 0 ? known(names) : ', and it has none';
        return [{ path, says: `must be a list of this action${rule}` }];
      }
      const wrong = items.findIndex((one) => typeof one !== 'string' && typeof one !== 'number' && !isReference(one));
      if (wrong >= 0)
        return [{ path: [...path, wrong], says: `must be a text or an id; it is ${quoted(items[wrong])}` }];
      const other = part === 'remove' ? (add[name] ?? []) : [];
      const both = items.find((one) => other.some((added) => String(added) === String(one)));
      return both === undefined ? [] : [{ path, says: `takes ${quoted(both)} out, which is added as well` }];
    }),
  ];
}

/** The mistakes in what any other action sends. A body that its action puts together by itself has other keys than its fields. */
function sentMistakes(
  { resource, action }: ResourceAction,
  { body, changes }: PlanFileStep['record'],
): readonly KeyMistake[] {
  if (changes)
    return [{ path: ['changes'], says: `belongs to edits: what ${action.name} sends is written under body` }];
  return body === undefined || action.send ? [] : valuesIn(body, '', fieldsOf(resource, action));
}

const fieldsOf = (resource: Resource, action: Action): ReadonlyMap<string, Field> =>
  new Map(bodyNames(action).map((name) => [name, fieldOf(resource, action, name)]));

const valuesIn = (part: object, prefix: string, fields: ReadonlyMap<string, Field>): readonly KeyMistake[] =>
  Object.entries(part).flatMap(([key, value]) => {
    const name = prefix + key;
    const path = ['body', ...name.split('.')];
    const field = fields.get(name);
    if (field) return valueMistakes(path, field, value);
    const isHolder = [...fields.keys()].some((one) => one.startsWith(`${name}.`));
    if (isHolder && value !== null && typeof value === 'object') return valuesIn(value, `${name}.`, fields);
    const known = [...fields.keys()].filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
    const has = known.length > 0 ? `; the fields are ${known.join(', ')}` : '; nothing is sent with it';
    return [{ path, says: `is no field of this action${meant(key, known) || has}` }];
  });

function valueMistakes(path: KeyPath, field: Field, value: unknown): readonly KeyMistake[] {
  const rule = wrongValue(field, value);
  return rule === undefined ? [] : [{ path, says: `must be ${rule}; it is ${quoted(value)}` }];
}

/** Of a field the type that a value should have and has not, as a noun phrase. */
function wrongValue({ kind, numeric }: Field, value: unknown): string | undefined {
  const type = typeof value;
  if (value === null || isReference(value)) return undefined;
  if (kind === 'boolean') return type === 'boolean' ? undefined : 'true or false';
  if (kind === 'integer' || (kind === 'choice' && numeric)) return type === 'number' ? undefined : 'a number';
  if (kind === 'reference') return type === 'string' || type === 'number' ? undefined : 'an id';
  if (['strings', 'references', 'choices'].includes(kind)) return Array.isArray(value) ? undefined : 'a list';
  const isText = textKinds.includes(kind) || kind === 'choice';
  return isText && type !== 'string' ? 'a text' : undefined;
}

const isReference = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, '$step');

/** The mistakes in the references of a step: each must lead to an earlier step that makes a row of the kind that is named there. */
function referenceMistakes(
  { id, record }: PlanFileStep,
  named: ResourceAction,
  seen: ReadonlyMap<number, Seen>,
): readonly KeyMistake[] {
  return [...nestedIn({ params: record.params, body: record.body, changes: record.changes })]
    .filter((nested): nested is Reference => isReference(nested.value))
    .flatMap(({ path, value }) => {
      const { $step: to, field, ...surplus } = value;
      const [unknown] = Object.keys(surplus);
      if (unknown !== undefined) return [{ path: [...path, unknown], says: 'is unknown; the keys are $step, field' }];
      if (field !== undefined && (typeof field !== 'string' || !fieldPath.test(field)))
        return [{ path: [...path, 'field'], says: `must be a path like "ipv4.0"; it is ${quoted(field)}` }];
      const step = typeof to === 'number' ? seen.get(to) : undefined;
      const at = [...path, '$step'];
      if (!step)
        return [
          {
            path: at,
            says: `must be the id of an earlier step${to === id ? ', not its own' : ''}; it is ${quoted(to)}`,
          },
        ];
      if (!step.of) return [];
      if (!isMaker(step.of))
        return [{ path: at, says: `must be a step that makes a row; steps[${step.nth}] makes none` }];
      const says = strayTarget(named, path, step.of, field);
      return says === undefined ? [] : [{ path, says }];
    });
}

interface Reference {
  path: KeyPath;
  value: { $step?: unknown; field?: unknown };
}
