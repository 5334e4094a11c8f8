import { expect, test } from 'vitest';
import { type Draft, fieldOf, type Row } from '../../src/resources/resource.ts';
import { volumes } from '../../src/resources/storage/volumes.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const servers = ['us-east', 'us-west', 'eu-central'].map((region, index) => ({ id: index + 1, region }));

/** The regions whose servers are offered, for a form and, where it has one, its volume. */
const offered = (action: string, draft: Draft, volume?: Row) => {
  const { offers } = fieldOf(volumes, actionOf(volumes, action), 'server_id');
  return servers.filter((server) => offers?.(server, draft, knowing(), volume)).map(({ region }) => region);
};

test('a volume is attached to servers of its own region only, whatever the form says', () => {
  expect(offered('attach', {}, { id: 5, region: 'us-west' })).toEqual(['us-west']);
  expect(offered('attach', { region: 'us-east' }, { id: 5, region: 'us-west' })).toEqual(['us-west']);
  expect(offered('attach', {}, { id: 5, region: 'ap-south' })).toEqual([]);
});

test('a new volume is offered to servers of the region that was chosen, and to all before', () => {
  expect(offered('create', { region: 'eu-central' })).toEqual(['eu-central']);
  expect(offered('create', { region: '' })).toEqual(['us-east', 'us-west', 'eu-central']);
  expect(offered('create', {})).toEqual(['us-east', 'us-west', 'eu-central']);
});

test('a size is told as the list has it, and no two alike between which a resize makes a difference', () => {
  const said = (action: string, part: 'warning' | 'question' | 'note', draft: Draft = {}) =>
    saidBy(actionOf(volumes, action), part, { id: 5, label: 'data', size: 2048 }, knowing(), draft);
  expect(said('resize', 'warning', { size: '2050' })).toContain('Resizes data: 2 048 → 2 050 GiB.');
  expect(said('delete', 'warning')).toContain('its 2 048 GiB of data');
  expect(said('clone', 'note')).toContain('Copies 2 048 GiB into');
  expect(said('create', 'question', { label: 'more', size: '1000' })).toContain('more of 1 000 GiB.');
  expect(saidBy(actionOf(volumes, 'delete'), 'warning', { label: 'data' }, knowing())).toContain('all its data');
});

test('a volume that is being detached is waited for, and not said to be detached first', () => {
  const volume = { id: 5, label: 'data', server_id: 1, server_label: 'web-1' };
  const job = (status: string, id = 5) => ({ action: 'volume_detach', status, entity: { type: 'volume', id } });
  const why = (...events: readonly Row[]) => actionOf(volumes, 'attach').refuse?.(volume, knowing({}, { events }));
  expect(why(job('started'))).toBe('data is being detached; wait until that has ended');
  expect(why(job('finished'), job('started', 6))).toBe('data is attached to web-1; detach it first');
});

test('a server that is known to have no config takes no volume for longer than one boot', () => {
  const configs = (rows: readonly Row[]) => knowing({ configs: [{ params: { serverId: '1' }, rows, whole: true }] });
  const why = (action: string, draft: Draft, view = configs([])) =>
    complaintsOf(volumes, actionOf(volumes, action), { label: 'data', size: '20', server_id: '1', ...draft }, view);
  const says = expect.stringContaining('Server: it has no config, which an attached volume needs: make one first, or');
  for (const action of ['attach', 'create']) {
    expect(why(action, {})).toEqual([{ field: 'server_id', says }]);
    expect(why(action, {}, knowing())).toEqual([]);
    expect(why(action, {}, configs([{ id: 3 }]))).toEqual([]);
  }
  expect(why('attach', { persist_across_boots: false })).toEqual([]);
});
