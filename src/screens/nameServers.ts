import type { Stores } from '../store/stores.ts';
import type { KeySubject } from './keys/keyboard.ts';

/** More records are not asked about at once. */
const maxRecords = 64;

/** Said where there is none to ask about. */
export const noRecord = 'There is no record here to ask name servers about.';

/** Asks name servers about the records under the cursor; returns a sentence where it does not. */
export function askAboutRecords(stores: Stores, subject: Partial<KeySubject>): string | undefined {
  const { resource, targets = [], params = {} } = subject;
  if (resource?.name !== 'records' || targets.length === 0) return noRecord;
  // Neither the demo nor a replay has a configuration.
  if (!stores.configuration.getState().dns?.resolve)
    return stores.settings.demo
      ? 'No name server knows the zones of the demo or of a replay, so none is asked.'
      : 'Name servers are asked where the configuration has resolve = true in [dns]; they are told the name of the record.';
  if (targets.length > maxRecords)
    return `These are ${targets.length} records; at most ${maxRecords} are asked about at once.`;
  const those = targets.map((one) => ({ ...one, params: { ...params, ...one.params } }));
  if (those.some((one) => !stores.view.row('domains', one.params.domainId)))
    return 'The domain is not read yet; open it first.';
  void import('../store/nameServers.ts').then((late) => late.askNameServers(stores, those));
  return undefined;
}
