import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { listTitle } from '../../src/screens/list/listTitle.ts';
import type { Collection } from '../../src/store/cache.ts';
import { widthOf } from '../../src/text/cells.ts';

const titles = ['All', 'Changes', 'Failed', 'Lost', 'Programs', 'Other profiles'];

const title = (shown: string, width: number) =>
  stripVTControlCharacters(
    listTitle(themeNamed('mono', 'unicode', false), {
      resource: resourceNamed('audit'),
      collection: { resource: 'audit', rows: [{}, {}], loading: false, loadedAt: 1 } as unknown as Collection,
      shown: 2,
      view: { filter: '' },
      sort: undefined,
      sections: titles.map((one) => ({ title: one, isShown: one === shown, count: one === shown ? 2 : 1000 })),
      width,
    }),
  );

test('the sections of a list fit into its title: counts go first, then those that are far from the shown one', () => {
  expect(title('All', 120)).toContain('Changes 1 000');
  const narrow = title('All', 70);
  expect(narrow).toContain('All 2  Changes  Failed  Lost  Programs  Other profiles');
  for (const shown of titles)
    for (let width = 40; width < 120; width++) {
      const text = title(shown, width);
      expect(widthOf(text.trimEnd()), `${shown} at ${width}: ${text}`).toBeLessThanOrEqual(width);
      expect(text).toContain(` ${shown} 2`);
    }
  expect(title('All', 50)).toMatch(/All 2 {2}Changes.* … *$/);
  expect(title('Other profiles', 50)).toMatch(/ … .*Programs {2}Other profiles 2/);
});
