import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { planReplacement } from '../../../src/store/plans/replaceTarget.ts';
import { fakeApi, settled } from '../fakeApi.ts';
import { openStores } from '../openStores.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('that no record has a target is said of those that were read', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  const planned = planReplacement(stores, '192.0.2.1', '192.0.2.2');
  await settled();
  await api.next('domains.list').fail({ message: 'It broke.' });
  await planned;
  expect(stores.notices.getState().current?.text).toBe(
    'No record that was read has the target 192.0.2.1. The domains could not be read: It broke.',
  );
});
