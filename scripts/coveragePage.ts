import { actionsOf, isSingle } from '../src/resources/index.ts';
import type { Action, Operation, Resource, Tab } from '../src/resources/resource.ts';
import { keyOf, menuKey } from './keysPage.ts';
import { code, pageHead, plain, table } from './markdown.ts';

/** One operation of the documents. */
export interface DocumentedOperation {
  n: number;
  method: string;
  path: string;
}

/** The input of the page of coverage. */
export interface CoverageInput {
  resources: readonly Resource[];
  operations: readonly DocumentedOperation[];
  /** The path of the contract test of an operation. */
  contractTest: (operation: DocumentedOperation) => string | undefined;
  /** The path of the journey that carries an operation out. */
  journey: (operation: DocumentedOperation) => string | undefined;
}

/** One operation with the ways that lead to it. */
interface Covered extends DocumentedOperation {
  ways: readonly string[];
}

/** The page of coverage: for every documented operation the screen and key that carries it out, and its tests. */
export function coveragePage(input: CoverageInput): string {
  const { operations, contractTest, journey } = input;
  const reached = waysOf(input);
  const covered: readonly Covered[] = operations.map((one) => ({ ...one, ways: reached.get(keyFor(one)) ?? [] }));
  const count = (has: (one: Covered) => unknown) => covered.filter(has).length;
  const all = operations.length;
  const head = pageHead(
    'Coverage',
    `**${count(({ ways }) => ways.length > 0)} of ${all}** documented operations are reached by keys, **${count(contractTest)} of ${all}** are tried by a contract test, and **${count(journey)} of ${all}** are carried out by a journey, which drives the whole program. The documents do not show the paths of two of them: Tags List (\`GET /v4/tags\`) and Snapshot Create (\`POST /v4/server/instances/{serverId}/backups\`).`,
  );
  const rows = covered.map((one) => [
    String(one.n),
    code(`${one.method} ${one.path}`),
    one.ways.join('; ') || 'not yet',
    fileLink(contractTest(one)),
    fileLink(journey(one)),
  ]);
  return [head, table(['', 'Operation', 'Where', 'Contract test', 'Journey'], rows), ''].join('\n\n');
}

const fileLink = (path: string | undefined) =>
  path === undefined ? '' : `[${path.replace(/^.*\/|\.test\.tsx?$/g, '')}](../${path})`;

/** Method and path without the names of parameters. */
export const keyFor = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

/** The ways to every operation that a description declares, by method and path. */
function waysOf(input: CoverageInput): ReadonlyMap<string, readonly string[]> {
  const found = input.resources.flatMap((resource) => {
    const place = placeOf(resource, input);
    const shortcuts = shortcutWays(resource, input);
    return place === undefined
      ? shortcuts
      : [
          ...readWays(resource, place),
          ...actionWays(resource, place, input),
          ...shortcuts,
          ...furtherWays(resource, place),
        ];
  });
  const grouped = Map.groupBy(found, ({ operation }) => keyFor(operation));
  return new Map([...grouped].map(([key, ways]) => [key, [...new Set(ways.map(({ way }) => way))]]));
}

interface Way {
  operation: Operation;
  way: string;
}

/** A tab of a resource that shows rows of another one. */
interface Holder {
  holder: Resource;
  tab: Tab;
}

function holderOf(resource: Resource, { resources }: CoverageInput): Holder | undefined {
  const { name } = resource;
  const shows = (tab: Tab) =>
    'list' in tab ? tab.list === name : usesOf(tab).some((use) => use === name || use.startsWith(`${name}.`));
  const holders = resources.flatMap((holder) =>
    holder === resource ? [] : (holder.tabs ?? []).filter(shows).map((tab) => ({ holder, tab })),
  );
  const [list, own] = [true, false].map((isList) => holders.filter(({ tab }) => 'list' in tab === isList));
  const ordered = [...(list ?? []), ...(own ?? [])];
  return ordered.find(({ holder }) => holder.name === resource.under) ?? ordered[0];
}

/** Where a resource is found: by its name, or in a tab of another one; undefined where nothing leads to it. */
function placeOf(resource: Resource, input: CoverageInput): string | undefined {
  if (resource.under === undefined) return plain(resource.many);
  const found = holderOf(resource, input);
  const place = found && placeOf(found.holder, input);
  return place && `${place} › ${plain(found.tab.title)}`;
}

function readWays(resource: Resource, place: string): readonly Way[] {
  const { list, view } = resource;
  return [
    ...(list ? [{ operation: list, way: place }] : []),
    ...(view ? [{ operation: view, way: isSingle(resource) ? place : `${place}, ${code('enter')}` }] : []),
  ];
}

const usesOf = (tab: Tab | undefined): readonly string[] => (tab && 'screen' in tab ? (tab.uses ?? []) : []);

/** A custom screen that shows no list has no keys of one: it offers the actions that it uses. */
function actionWays(resource: Resource, place: string, input: CoverageInput): readonly Way[] {
  const tab = resource.under === undefined ? undefined : holderOf(resource, input)?.tab;
  const isList = !tab || 'list' in tab || usesOf(tab).includes(resource.name);
  return actionsOf(resource)
    .filter(({ name }) => isList || usesOf(tab).includes(`${resource.name}.${name}`))
    .map((action) => ({
      operation: action,
      way: isList ? actionWay(resource, place, action) : `${place}: ${plain(action.help)}`,
    }));
}

const actionWay = (resource: Resource, place: string, { name, key, help }: Action): string =>
  `${place}, ${keyOf(resource, name, key)} ${plain(help)}`;

/** The shortcuts of other resources into a form of this one. */
function shortcutWays(resource: Resource, input: CoverageInput): readonly Way[] {
  const actions = actionsOf(resource);
  return input.resources.flatMap((from) =>
    (from.shortcuts ?? []).flatMap((shortcut) => {
      const operation =
        shortcut.to === resource.name ? actions.find((action) => action.name === shortcut.action) : undefined;
      const place = placeOf(from, input);
      return operation && place
        ? [{ operation, way: `${place}, ${menuKey(shortcut.key)} ${plain(shortcut.help)}` }]
        : [];
    }),
  );
}

/** The operations beside list, view and actions: those of tabs, of columns, and of screens of their own. */
function furtherWays(resource: Resource, place: string): readonly Way[] {
  const { operations = {}, tabs = [], columns } = resource;
  return Object.entries(operations).flatMap(([name, operation]) => {
    const inTabs = tabs.filter((tab) => operationIn(tab) === name || usesOf(tab).includes(name));
    const inActions = actionsOf(resource).filter(({ uses }) => uses?.includes(name));
    const inColumns = columns.filter(({ fetches }) => fetches === name);
    return [
      ...inTabs.map(({ title }) => `${place} › ${plain(title)}`),
      ...inActions.map((action) => actionWay(resource, place, action)),
      ...inColumns.map(({ title }) => `${place}, column ${plain(title)}`),
    ].map((way) => ({ operation, way }));
  });
}

const operationIn = (tab: Tab) => ('answer' in tab ? tab.answer : 'list' in tab ? tab.operation : undefined);
