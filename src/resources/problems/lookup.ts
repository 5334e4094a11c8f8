import { byAddress, canonicalAddress } from '../ipAddress.ts';
import type { CacheView, Row } from '../resource.ts';
import { findIn } from './rowIndex.ts';

/** The loaded server or NodeBalancer with an address or host name. */
export function addressOwner(address: string, view: CacheView): Row | undefined {
  const wanted = canonicalAddress(address);
  return view.find('servers', byAddress, wanted).at(-1) ?? view.find('nodebalancers', byAddress, wanted).at(-1);
}

/** The deleted one that had it. */
export function formerAddressOwner(address: string, view: CacheView): Row | undefined {
  const wanted = canonicalAddress(address);
  const among = (rows: readonly Row[]) => findIn(rows, byAddress, wanted).at(-1);
  return among(view.deleted('servers')) ?? among(view.deleted('nodebalancers'));
}
