import { describe, expect, onTestFinished, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { sendChanges } from '../../src/store/changes/send.ts';
import { actionOf } from '../resources/actionOf.ts';
import { type Fate, losingDemo } from './losingDemo.ts';
import { openStores } from './openStores.ts';

const minute = 60_000;

describe.each([
  ['three minutes ahead', -3 * minute],
  ['an hour behind', 60 * minute],
  ['right', 0],
])('where the clock of this machine is %s', (_, ahead) => {
  const cloud = losingDemo(ahead);

  /** The result of the creation of a row whose answer has this fate. */
  async function made(name: string, body: Row, fate: Fate) {
    const resource = resourceNamed(name);
    const api = cloud.open();
    onTestFinished(() => api.close());
    const stores = openStores(api);
    await stores.events.poll();
    // The events about it tell the name of the user whose token this is.
    const tags = resourceNamed('tags');
    const tag = {
      resource: tags,
      action: actionOf(tags, 'create'),
      params: {},
      label: 'first',
      body: { label: `first ${fate} ${name}` },
    };
    cloud.fates = ['answered'];
    await sendChanges(stores, tag, [tag]);
    cloud.fates = [fate];
    const change = { resource, action: actionOf(resource, 'create'), params: {}, label: 'the new one', body };
    const [result] = (await sendChanges(stores, change, [change])).results;
    return result;
  }

  test.each<[string, Row, Row]>([
    // Of one size, the first might be the second under another name.
    ['volumes', { label: 'clock-1', region: 'us-east', size: 20 }, { label: 'clock-2', region: 'us-east', size: 21 }],
    [
      'servers',
      { label: 'clock-1', region: 'us-east', type: 'g6-nanode-1' },
      { label: 'clock-2', region: 'us-east', type: 'g6-nanode-1' },
    ],
    [
      'tickets',
      { summary: 'Clock 1', description: 'It is wrong.' },
      { summary: 'Clock 2', description: 'It is wrong.' },
    ],
  ])('a new row of %s is known as new, and one that did not arrive as missing', async (name, first, second) => {
    expect(await made(name, first, 'lost after')).toMatchObject({
      state: 'done',
      says: expect.stringMatching(/is there now/),
    });
    const missing = await made(name, second, 'lost before');
    expect(missing).toMatchObject({ state: 'failed', says: expect.stringMatching(/is not there so far; try again/) });
  });
});
