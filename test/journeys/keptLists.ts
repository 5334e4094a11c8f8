import type { Demo } from '../../src/demo/server.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { queryKey } from '../../src/store/cache.ts';
import type { KeptList, KeptSource } from '../../src/store/kept/keptRows.ts';

/** All that a demo answers now to the lists of these resources, as an earlier session has read it. */
export async function listsOf(demo: Demo, keptAt: number, ...names: readonly string[]): Promise<KeptList[]> {
  return Promise.all(
    names.map(async (resource) => {
      const path = resourceNamed(resource).list?.path ?? '';
      const answer = await fetch(`${demo.url}${path}?page_size=100`, {
        headers: { authorization: `Bearer ${demo.tokens.full}` },
      });
      const { data } = (await answer.json()) as { data: readonly Row[] };
      return { query: { resource, operation: 'list', params: {} }, rows: data, results: data.length, keptAt };
    }),
  );
}

/** Gives these lists to a dashboard, and takes note of nothing. */
export function keptLists(lists: readonly KeptList[]): KeptSource & { discard(says: string): void } {
  const left = new Map(lists.map((list) => [queryKey(list.query), list]));
  let tell = (_: string): void => {};
  const take = (key: string) => {
    const list = left.get(key);
    left.delete(key);
    return list;
  };
  return {
    read: (query) => take(queryKey(query)),
    readTop: () => undefined,
    async *rest() {
      for (const key of [...left.keys()]) {
        const list = take(key);
        if (list) yield list;
      }
    },
    save: async () => {},
    onLeftOut: (listener) => {
      tell = (says) => listener(says, true);
    },
    discard: (says) => tell(says),
  };
}
