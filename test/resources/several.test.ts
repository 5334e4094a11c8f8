import { expect, test } from 'vitest';
import { formFields } from '../../src/resources/body.ts';
import { resources } from '../../src/resources/index.ts';
import { type Action, forSeveral, type Resource } from '../../src/resources/resource.ts';
import { volumes } from '../../src/resources/storage/volumes.ts';

const changes = (resource: Resource): readonly Action[] => [
  ...(resource.edit ? [resource.edit] : []),
  ...(resource.actions ?? []),
];
const names = (resource: Resource, action: Action) =>
  formFields(resource, forSeveral(resource, action, []), {}).map(({ name }) => name);

test('several rows are never given the same label, address or domain where each must have its own', () => {
  const shared = resources.flatMap((resource) =>
    changes(resource)
      .filter(({ single }) => !single)
      .flatMap((action) =>
        names(resource, action)
          .filter((name) => ['label', 'domain', 'address', 'port'].includes(name))
          .map((name) => `${resource.name} ${action.name} ${name}`),
      ),
  );
  // These may have a label twice (documents 1 to 3).
  expect(shared).toEqual(['servers snapshot label', 'images edit label', 'object-keys edit label']);
});

test('what several rows may share is still offered', () => {
  const { edit } = volumes;
  if (!edit) throw new Error('volumes cannot be edited');
  expect(names(volumes, edit)).toEqual(['tags']);
  expect(forSeveral(volumes, { ...edit, body: ['tags'] }, []).body).toEqual(['tags']);
});
