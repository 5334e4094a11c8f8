import { expect, onTestFinished, test } from 'vitest';
import { problemsOf } from '../../src/resources/problems/problem.ts';
import { rule } from '../../src/resources/problems/rule.ts';
import { type Row, resource } from '../../src/resources/resource.ts';
import { onFailedRule } from '../../src/resources/safeDescription.ts';
import { knowing } from './known.ts';

type Disk = Row & { id: number; specs: { size: number } };

const disks = resource<Disk>()({
  name: 'disks',
  one: 'disk',
  many: 'Disks',
  area: 'Compute',
  id: 'id',
  param: 'diskId',
  label: ({ specs }) => `of ${specs.size} GiB`,
  fields: {},
  columns: [{ title: 'Size', value: ({ specs }) => specs.size }],
  remove: {
    name: 'delete',
    key: 'd',
    help: 'Delete',
    method: 'DELETE',
    path: 'disks/{diskId}',
    refuse: ({ specs }) => (specs.size > 0 ? undefined : 'it is empty'),
    ask: { warning: ({ specs }) => `Deletes ${specs.size} GiB.` },
    inverse: 'Its data are gone.',
  },
});

const full = rule<Disk>('disks')({
  name: 'disk-full',
  severity: 'warning',
  find: ({ specs }) => ({ says: `It has ${specs.size} GiB` }),
});

/** A row without the field that the rules look at. */
const strange: Row = { id: 7 };

test('a rule that fails is thrown while nobody is told of it', () => {
  expect(() => disks.label(strange)).toThrow(TypeError);
  expect(() => problemsOf(full, strange, knowing(), {})).toThrow(TypeError);
});

test('it is told once of each resource, and the row can be used', () => {
  const said: string[] = [];
  onTestFinished(onFailedRule((sentence) => said.push(sentence)));
  const { ask, refuse } = disks.remove ?? {};
  const warning = ask ? ask.warning : undefined;
  const column = disks.columns[0]?.value;
  for (let time = 0; time < 2; time++) {
    expect(disks.label(strange)).toBe('7');
    expect(typeof column === 'function' && column(strange, knowing())).toBeUndefined();
    expect(refuse?.(strange, knowing())).toMatch(/^Skydeck does not understand/);
    expect(typeof warning === 'function' && warning(strange, knowing(), {}, {})).toMatch(
      /^Skydeck cannot tell what this does/,
    );
    expect(problemsOf(full, strange, knowing(), {})).toEqual([]);
  }
  expect(said).toEqual([expect.stringMatching(/^Disks: a rule failed: TypeError: .*size/)]);
  expect(disks.label({ id: 7, specs: { size: 5 } })).toBe('of 5 GiB');
});

test('what is thrown by what a rule asks passes through it', () => {
  onTestFinished(onFailedRule(() => {}));
  const counting = resource<Disk>()({
    ...disks,
    label: () => {
      throw new Error('not read');
    },
  } as never);
  expect(() => counting.label(strange)).toThrow('not read');
});
