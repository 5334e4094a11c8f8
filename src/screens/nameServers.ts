import type { Stores } from '../store/stores.ts';
import { textIn } from '../text/words.ts';
import type { KeySubject } from './keys/keyboard.ts';

/** Asks name servers about the records under the cursor; returns a sentence where it does not. */
export function askAboutRecords(stores: Stores, subject: Partial<KeySubject>): string | undefined {
  const { resource, targets = [], params = {} } = subject;
  if (resource?.name !== 'records' || targets.length === 0) return 'There is no record here to ask name servers about.';
  // Neither the demo nor a replay has a configuration.
  if (!stores.configuration.getState().dns?.resolve)
    return stores.settings.demo
      ? 'No name server knows the zones of the demo or of a replay, so none is asked.'
      : 'Name servers are asked where the configuration has resolve = true in [dns]; they are told the name of the record.';
  const those = targets.map((one) => ({ ...one, params: { ...params, ...one.params } }));
  const isRead = those.every((one) => textIn(stores.view.row('domains', one.params.domainId)?.domain));
  if (!isRead) return 'The domain is not read yet; open it first.';
  void import('../store/nameServers.ts').then((late) => late.askNameServers(stores, those));
  return undefined;
}
