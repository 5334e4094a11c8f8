import { expect, test } from 'vitest';
import { paramsOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Action, Params, Resource, Row } from '../../src/resources/resource.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { nextBack } from '../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { loggedSessions, losingDemo } from './losingDemo.ts';

const losing = losingDemo();

test('what was done in a row that was deleted since is not proposed, here or in another session', async () => {
  const open = loggedSessions(losing);
  const stores = open();
  const [domains, records] = [resourceNamed('domains'), resourceNamed('records')];
  const remove = async (resource: Resource, row: Row | undefined, params: Params) => {
    const action = resource.remove as Action;
    const { results } = await sendChanges(stores, { resource, action }, [
      changeOn(resource, action, row ?? {}, params),
    ]);
    expect(results).toMatchObject([{ state: 'done' }]);
  };
  const zone = (await losing.rows('domains')).find(({ domain }) => domain === 'example.com');
  const params = paramsOf(domains, zone ?? {});
  const [first, second] = (await losing.rows('records', params)).filter(({ type }) => type === 'A');
  await remove(records, first, params);
  await remove(records, second, params);
  await remove(domains, zone, params);
  for (const session of [stores, open()]) {
    const says = async () => {
      await nextBack(session, 'undo');
      expect(session.navigation.getState().overlays).toEqual([]);
      return session.notices.getState().current?.text;
    };
    expect(await says()).toMatch(/^Delete \(example\.com\) cannot be taken back: its records are gone with it; /);
    for (const record of [second, first])
      expect(await says()).toBe(
        `Delete (${records.label(record ?? {})}) cannot be taken back: the domain example.com was deleted after it; u again goes on to what was before it.`,
      );
    expect(await says()).toBe('No change from here is left to take back.');
  }
});
