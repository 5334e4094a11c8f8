import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { changeOfRecord } from '../../src/store/changes/change.ts';

test('a record is a change again, and says by name what this version does not know', () => {
  const record = {
    action: 'edit',
    params: { volumeId: '7' },
    label: 'data',
    body: { label: 'b' },
    before: { label: 'a' },
  };
  const volumes = resourceNamed('volumes');
  expect(changeOfRecord({ resource: 'volumes', ...record })).toEqual({
    ...record,
    resource: volumes,
    action: volumes.edit,
  });
  expect(changeOfRecord({ resource: 'vol\u001b[1mumes!', ...record })).toEqual({
    why: 'There is no resource called volumes!.',
  });
  expect(changeOfRecord({ resource: 'volumes', ...record, action: 'fold' })).toEqual({
    why: 'Volumes have no action called fold; :reload reads commands that were added since.',
  });
});
