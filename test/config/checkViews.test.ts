import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkKeys } from '../../src/program/config/checks.ts';
import { checkViews, mistakesOfList } from '../../src/program/config/checkViews.ts';
import { resourceNamed } from '../../src/resources/index.ts';

const mistakesIn = (source: string) => parseConfig(source, [checkViews]).mistakes.map(({ says }) => says);

test('a view that can be shown has no mistake', () => {
  const source = `[views.prod-1]
area = "servers"
filter = "tag:prod cpu>80 specs.gpus>0"
sort = "-gpus"
key = "f5"
columns = ["label", "Status", { value = "specs.gpus", width = 5 }, "hypervisor"]
[views.public]
area = "stackscripts"
section = "Community"`;
  expect(mistakesIn(source).join()).not.toMatch(/prod-1/);
});

test.each([
  ['[views.a]\narea = "severs"', 'line 2: views.a.area names no list: severs; did you mean servers?'],
  ['[views.a]\narea = "disks"', 'line 2: views.a.area names no list: disks, whose rows lie under servers'],
  ['[views.a]\narea = "servers"\nsection = "x"', 'line 3: views.a.section is no section: x; servers have none.'],
  ['[views.a]\narea = "servers"\nfilter = "colour:red"', 'line 3: views.a.filter cannot be read: '],
  ['[views.a]\narea = "servers"\nsort = "-lable"', 'line 3: views.a.sort is no column: lable; did you mean label?'],
  [
    '[views.a]\narea = "servers"\ncolumns = ["label", "statsu"]',
    'line 3: views.a.columns[2] is no column: statsu; did you mean status?',
  ],
  ['[views.servers]\narea = "servers"', 'line 1: views.servers is the name of an area, Servers; choose another.'],
  ['[views.watch]\narea = "servers"', 'line 1: views.watch is a word of the command line'],
  ['[views."a b"]\narea = "servers"', 'line 1: views."a b" is no name of a view'],
  ['[views.a]\narea = "servers"\nkey = "ctrl-a"', 'line 3: views.a.key must be one of the keys "f2" to "f12"'],
  [
    '[views.a]\narea = "servers"\nkey = "f2"\n[views.b]\narea = "volumes"\nkey = "f2"',
    'line 6: views.b.key is the key of the view a already.',
  ],
])('%j is a mistake, and the view is left out', (source, says) => {
  expect(mistakesIn(source)).toEqual([expect.stringContaining(says)]);
  expect(parseConfig(source, [checkViews]).mistakes[0]?.stops).toBe('part');
});

test('a key that opens a view is no other key as well', () => {
  const source = '[views.a]\narea = "servers"\nkey = "f5"\n[keys.everywhere]\nrefresh = ["r", "f5"]\nhelp = "f1"';
  expect(parseConfig(source, [checkKeys]).mistakes.map(({ says }) => says)).toEqual([
    'line 5: keys.everywhere.refresh is "f5", which opens the view a.',
  ]);
});

test('a misspelt column is not among those that an order may name', () => {
  const mistakes = mistakesOfList(resourceNamed('servers'), { sort: 'x', columns: ['labl'] });
  expect(mistakes.map(({ path }) => path[0])).toEqual(['columns', 'sort']);
  expect(mistakes[1]?.says).toMatch(/^is no column: x\b.* They are (?!labl,)/);
});
