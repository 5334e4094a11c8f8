import { expect, test } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { askAboutRecords } from '../../src/screens/zone.ts';
import { apiOn } from '../store/apiOn.ts';
import { openStores } from '../store/openStores.ts';

const none = () => Promise.reject(new Error('nothing is asked'));

test('a record whose zone is not read, and no configuration: a sentence says the way out, and nothing is asked', () => {
  const stores = openStores(apiOn(none));
  const params = { domainId: '7' };
  const subject = { resource: resourceNamed('records'), targets: [{ row: { id: 1 }, params }], params };
  expect(askAboutRecords(stores, {})).toBe('There is no record here to ask name servers about.');
  expect(askAboutRecords(stores, subject)).toBe(
    'Name servers are asked where the configuration has resolve = true in [dns]; they are told the name of the record.',
  );
  stores.configuration.setState({ dns: { resolve: true } });
  expect(askAboutRecords(stores, subject)).toBe('The domain is not read yet; open it first.');
});
