import { expect, test } from 'vitest';
import { actionsOf, creationsOf, resources } from '../../src/resources/index.ts';
import { actionOn, plural } from '../../src/resources/wording.ts';

const changes = resources.flatMap((resource) =>
  actionsOf(resource)
    .filter((action) => !creationsOf(resource).includes(action))
    .map((action) => ({ resource, action })),
);

test('an action on several rows reads as a sentence does', () => {
  const titles = changes
    .filter(({ action }) => !action.single)
    .map(({ resource, action }) => actionOn(action, `3 ${plural(resource)}`));
  expect(titles).toEqual(
    expect.arrayContaining([
      'Resize 3 volumes',
      'Shut down 3 servers',
      'Add tags to 3 NodeBalancers',
      'Remove tags from 3 domains',
      'Attach 3 volumes to a server',
      'Detach 3 volumes',
      'Take a snapshot of 3 servers',
      'Use 3 nodes as backup',
      'Mark 3 events as read',
      'Accept 3 entity transfers',
    ]),
  );
});

test('only a verb, alone or with its particle, is followed by what it is done to', () => {
  const unsaid = changes.filter(({ action }) => action.on === undefined).map(({ action }) => action.help);
  expect(unsaid.filter((help) => !/^\w+( down)?$/.test(help))).toEqual([]);
  const said = changes.flatMap(({ action }) => action.on ?? []);
  expect(said.filter((on) => on.split('{}').length !== 2)).toEqual([]);
});
