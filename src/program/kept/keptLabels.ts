import { join } from 'node:path';
import { resourceNamed } from '../../resources/index.ts';
import { queryKey } from '../../store/queries.ts';
import { openKeptFile } from './keptFile.ts';
import { rowsOfSegment } from './keptLists.ts';

/** The labels of the rows of a list as they were kept for a profile; none where there is nothing that can be believed. */
export function keptLabels(profile: string, resource: string, directory: string, owner?: number): readonly string[] {
  const wanted = queryKey({ resource, operation: 'list', params: {} });
  try {
    const opened = openKeptFile(join(directory, `${encodeURIComponent(profile)}.kept`), owner, Date.now());
    try {
      const segment = opened?.index.lists.find(({ query }) => queryKey(query) === wanted);
      if (!opened || !segment || opened.index.profile !== profile) return [];
      return rowsOfSegment(opened.segment(segment)).map(resourceNamed(resource).label);
    } finally {
      opened?.close();
    }
  } catch {
    // A file that cannot be read offers nothing.
    return [];
  }
}
