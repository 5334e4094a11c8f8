import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { openZone } from '../../src/screens/zone.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([7, null, '', {}])(
  'a domain whose name is %j has no zone file, and the editor is not opened',
  async (domain) => {
    const api = fakeApi();
    const stores = openStores(api);
    const params = { domainId: '1' };
    void stores.cache.readRow(resourceNamed('domains'), params);
    await api.next('domains.view').answer({ id: 1, domain, type: 'master' });
    const edit = vi.fn();
    expect(openZone({ stores, edit } as never, { params })).toBe('This domain has no name, so it has no zone file.');
    expect(edit).not.toHaveBeenCalled();
  },
);
