import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { choicesFor } from '../../src/screens/choices.ts';
import { fakeApi } from '../store/fakeApi.ts';
import { openStores } from '../store/openStores.ts';

const scripts = resourceNamed('stackscripts');
const params = { stackscriptId: '7' };
const row = { id: 7, label: 'setup', mine: true, is_public: false, images: [], username: 'ops', rev_note: '' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a form that starts from a row whose list leaves some out is read behind a layer, and not opened once that was left', async () => {
  const api = fakeApi();
  const stores = openStores(api);
  const { navigation } = stores;
  const kinds = () => navigation.getState().overlays.map(({ kind }) => kind);
  const [like] = choicesFor(
    stores,
    { resource: scripts, targets: [{ row, params }], params: {} },
    (name) => name === 'like',
  );
  like?.run();
  expect(kinds()).toEqual(['reading']);
  navigation.close();
  navigation.open({ kind: 'palette' });
  await api.next('stackscripts.view').answer({ ...row, script: 'true' });
  expect(kinds()).toEqual(['palette']);
  navigation.close();
  like?.run();
  await api.next('stackscripts.view').answer({ ...row, script: 'true' });
  expect(kinds()).toEqual(['form']);
});
