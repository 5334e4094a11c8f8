import { paramsOf } from '../resources/identity.ts';
import { resourceNamed, resources } from '../resources/index.ts';
import { relationsOf } from '../resources/relations.ts';
import type { Params, Resource, Row } from '../resources/resource.ts';
import { cachedRow } from '../store/changes/change.ts';
import { keptAmong, keptAtOf } from '../store/changes/freshRows.ts';
import { readAgain } from '../store/changes/readAgain.ts';
import { noShell, type Shell, shellOn } from '../store/ssh.ts';
import type { Stores } from '../store/stores.ts';
import { momentWords } from '../text/times.ts';
import { counted } from '../text/words.ts';
import type { KeySubject } from './keys/keyboard.ts';
import type { AppContextValue } from './useStores.ts';

interface RowsOf {
  resource: Resource;
  ids: readonly string[];
}

/**
 * The rows of a wanted resource that these rows are, or lead to, as far as they are loaded: a volume to its server, a tag
 * to its servers. Of several kinds the first in the order of resources; undefined where there is none.
 * @param params of the list
 */
function leadsTo(
  stores: Stores,
  resource: Resource,
  rows: readonly Row[],
  params: Params,
  isWanted: (resource: Resource) => boolean,
): RowsOf | undefined {
  const found = new Map<Resource, Set<string>>();
  const add = (to: Resource, id: string) => found.set(to, (found.get(to) ?? new Set()).add(id));
  for (const row of rows) {
    const { resource: name, params: named } = row;
    // A problem names the row that it is about.
    if (resource.local && typeof name === 'string' && isNamed(named)) {
      const about = resourceNamed(name);
      addRelated(about, cachedRow(stores.view, about, named) ?? {}, named);
    } else addRelated(resource, row, paramsOf(resource, row, params));
  }
  const to = resources.find((one) => found.has(one));
  return to && { resource: to, ids: [...(found.get(to) ?? [])] };

  function addRelated(of: Resource, row: Row, own: Params): void {
    const id = own[of.param];
    if (isWanted(of) && id !== undefined) {
      add(of, id);
      return;
    }
    for (const { resource: other, rows: relatives } of relationsOf(of, row, own, stores.view).groups) {
      if (!isWanted(other)) continue;
      for (const relative of relatives) add(other, relative.params[other.param] ?? '');
    }
  }
}

const isNamed = (value: unknown): value is Params => typeof value === 'object' && value !== null;

/** The most rows that are compared: statistics may be read a hundred times a minute. */
const maxCompared = 32;

/** Whether the rows of a resource can be compared by their statistics. */
export const isComparable = ({ statistics, list }: Resource): boolean =>
  statistics?.loads !== undefined && list !== undefined;

/** Goes to the comparison of rows; of too many to the first of them, and says so. */
export function compare({ navigation, notices }: Stores, { resource, ids }: RowsOf): void {
  if (ids.length > maxCompared) {
    notices.say(
      'plain',
      `At most ${maxCompared} can be compared; these are the first of ${ids.length} ${resource.many}.`,
    );
  }
  navigation.go({ screen: 'compare', resource: resource.name, ids: ids.slice(0, maxCompared) });
}

/** Compares what rows lead to, or says that there is nothing. */
export function compareRelated(stores: Stores, resource: Resource, rows: readonly Row[], params: Params): void {
  const found = leadsTo(stores, resource, rows, params, isComparable);
  const what = rows.length > 1 ? `these ${counted(rows.length, resource.one)}` : `this ${resource.one}`;
  if (found) compare(stores, found);
  else stores.notices.say('plain', `Nothing loaded to compare: ${what} leads to no server or NodeBalancer.`);
}

/** More shells than these are not opened at once. */
const maxShells = 32;

/** Opens a shell on each server that the rows under the cursor are, or lead to; returns a sentence where none can be. */
export function openShells(context: AppContextValue, subject: Partial<KeySubject>): string | undefined {
  const { resource, targets, params } = subject;
  const { stores } = context;
  if (stores.api.readOnly && !stores.configuration.getState().ssh?.read_only) return noShell.readOnly;
  const servers = resourceNamed('servers');
  if (!resource || !targets || !params || targets.length === 0) return 'There is no row here whose server has a shell.';
  const rows = targets.map(({ row }) => row);
  const { ids = [] } = leadsTo(stores, resource, rows, params, (one) => one === servers) ?? {};
  const what = rows.length > 1 ? `These ${counted(rows.length, resource.one)} lead` : `This ${resource.one} leads`;
  if (ids.length === 0) return `${what} to no server that is loaded.`;
  if (ids.length > maxShells)
    return `${what} to ${ids.length} servers; at most ${maxShells} shells are opened at once.`;
  void run(context, ids);
  return undefined;
}

/** Opens shells on these servers; what an earlier session has read of one is read again, as its address may be another's by now. */
async function run({ stores, runShells }: AppContextValue, ids: readonly string[]): Promise<void> {
  const { notices, configuration, settings, view, cache } = stores;
  const servers = resourceNamed('servers');
  const named = ids.map((id): Params => ({ [servers.param]: id }));
  const kept = keptAmong(cache, servers, named);
  if (kept.length > 0) await readAgain(stores, servers, kept);
  const shells: Shell[] = [];
  for (const params of named) {
    const row = cachedRow(stores.view, servers, params);
    const why = `Server ${params[servers.param]} is not there, or not read yet; open it first.`;
    const shell = row ? shellOn(configuration.getState().ssh, row, view) : { why };
    const at = keptAtOf(cache, servers, params);
    if ('why' in shell) notices.say('bad', shell.why);
    else if (shells.push(shell) > 0 && at !== undefined)
      notices.say('warn', `${shell.label} cannot be read: its address is of ${momentWords(at, stores.now())}.`);
  }
  if (shells.length === 0) return;
  try {
    for (const { isGood, says } of await runShells(shells, settings.profile))
      notices.say(isGood ? 'plain' : 'bad', says);
  } catch (error) {
    notices.say('bad', (error as Error).message);
  }
}
