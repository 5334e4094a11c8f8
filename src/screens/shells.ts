import { resourceNamed } from '../resources/index.ts';
import { cachedRow } from '../store/changes/change.ts';
import { noShell, type Shell, shellOn } from '../store/ssh.ts';
import { counted } from '../text/words.ts';
import { leadsTo } from './graphs/compare.ts';
import type { KeySubject } from './keys/keyboard.ts';
import type { AppContextValue } from './useStores.ts';

/** More shells than these are not opened at once. */
const maxShells = 32;

/**
 * Opens a shell on each server that the rows under the cursor are, or lead to. Returns a sentence for the footer where
 * none can be opened; the end of each is a notice.
 */
export function openShells(
  context: AppContextValue,
  { resource, targets, params }: Partial<KeySubject>,
): string | undefined {
  const { stores } = context;
  const { notices, configuration, view } = stores;
  const { ssh } = configuration.getState();
  if (stores.api.readOnly && !ssh?.read_only) return noShell.readOnly;
  const servers = resourceNamed('servers');
  if (!resource || !targets || !params || targets.length === 0) return 'There is no row here whose server has a shell.';
  const rows = targets.map(({ row }) => row);
  const { ids = [] } = leadsTo(stores, resource, rows, params, (one) => one === servers) ?? {};
  const what = rows.length > 1 ? `These ${counted(rows.length, resource.one)} lead` : `This ${resource.one} leads`;
  if (ids.length === 0) return `${what} to no server that is loaded.`;
  if (ids.length > maxShells)
    return `${what} to ${ids.length} servers; at most ${maxShells} shells are opened at once.`;
  const shells: Shell[] = [];
  for (const id of ids) {
    const row = cachedRow(stores, servers, { [servers.param]: id });
    const shell = row ? shellOn(ssh, row, view) : { why: `Server ${id} is not read yet; open it first.` };
    if ('why' in shell) notices.say('bad', shell.why);
    else shells.push(shell);
  }
  if (shells.length > 0) void run(context, shells);
  return undefined;
}

async function run(
  { stores: { notices, settings }, runShells }: AppContextValue,
  shells: readonly Shell[],
): Promise<void> {
  try {
    for (const { isGood, says } of await runShells(shells, settings.profile))
      notices.say(isGood ? 'plain' : 'bad', says);
  } catch (error) {
    notices.say('bad', (error as Error).message);
  }
}
