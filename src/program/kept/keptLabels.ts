import { resourceNamed } from '../../resources/index.ts';
import type { State } from '../state/state.ts';
import { queryText, rowsOfData } from './keptLists.ts';

/** The labels of the rows of a list as they were kept last for a profile; none where there is nothing that can be believed. */
export function keptLabels(profile: string, resource: string, state: State): readonly string[] {
  try {
    const sql = `SELECT data FROM list JOIN login ON login.id = list.login AND login.account = list.account
      WHERE profile = ? AND query = ? ORDER BY kept_at DESC LIMIT 1`;
    const query = { resource, operation: 'list', params: {} };
    const data = state.toRead()?.get(sql, profile, queryText(query))?.data;
    return data instanceof Uint8Array ? rowsOfData(data, query).map(resourceNamed(resource).label) : [];
  } catch {
    // Labels that cannot be read are not offered.
    return [];
  }
}
