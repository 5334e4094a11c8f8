import { clean } from '../../text/cells.ts';
import { sizeText } from '../../text/numbers.ts';
import { ageText } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { stateDirectory } from '../directories.ts';
import type { Invocation } from '../invocation.ts';
import { UsageError } from '../rules.ts';
import { StateError } from '../state/failures.ts';
import { openState, type State } from '../state/state.ts';
import { removeFormerLists } from '../state/takeOver.ts';
import { removeLists } from './keptLists.ts';

/** Carries out `skydeck cache`. Returns what is to be printed; throws a UsageError where something cannot be read or removed. */
export function cacheCommand(
  { clears, options }: Pick<Invocation, 'clears' | 'options'>,
  { env, geteuid }: Pick<NodeJS.Process, 'env' | 'geteuid'>,
): string {
  const state = openState(stateDirectory(env), geteuid?.());
  let told = '';
  state.onNotice((says) => {
    told += `${clean(says)}\n`;
  });
  try {
    const text = clears ? cleared(state, options.profile) : listed(state, options.profile);
    return told + text;
  } catch (error) {
    throw error instanceof StateError ? new UsageError(error.message) : error;
  } finally {
    state.close();
  }
}

/** A line for each profile and address of which something is kept. */
function listed(state: State, profile: string | undefined): string {
  const database = state.toRead();
  const found = keptOf(state, profile).map(({ name, address, lists, rows, bytes, at }) => {
    const parts = [counted(lists, 'list'), counted(rows, 'row'), sizeText(bytes)];
    const age = ageText(Math.max(0, state.now() - at));
    return `${clean(name)}: ${parts.join(', ')}, kept ${age} ago of ${clean(address)}\n`;
  });
  return database && found.length > 0 ? `${found.join('')}  ${database.file}\n` : nothing(state, profile);
}

function cleared(state: State, profile: string | undefined): string {
  const profiles = [...new Set(keptOf(state, profile).map(({ name }) => clean(name)))];
  const bytes = removeLists(state, profile);
  const left = profile === undefined ? removeFormerLists(state) : [];
  if (left.length > 0)
    throw new UsageError(`Some of what was kept cannot be removed: ${left.map((one) => clean(one)).join('; ')}.`);
  if (profiles.length === 0) return nothing(state, profile);
  return `Removed the kept lists of ${profiles.join(', ')}, ${sizeText(bytes)}.\n`;
}

const nothing = ({ directory }: State, profile: string | undefined): string =>
  `No lists are kept${profile === undefined ? '' : ` of ${clean(profile)}`} in ${clean(directory)}.\n`;

function keptOf(state: State, profile: string | undefined) {
  const sql = `SELECT profile, address, count(*) AS lists, sum(count) AS rows, sum(length(data)) AS bytes, max(kept_at) AS at
    FROM list JOIN login ON login.id = list.login WHERE profile = coalesce(?, profile)
    GROUP BY profile, address ORDER BY profile, address`;
  return (state.toRead()?.all(sql, profile ?? null) ?? []).map(
    ({ profile: name, address, lists, rows, bytes, at }) => ({
      name: String(name),
      address: String(address),
      lists: Number(lists),
      rows: Number(rows),
      bytes: Number(bytes),
      at: Number(at),
    }),
  );
}
