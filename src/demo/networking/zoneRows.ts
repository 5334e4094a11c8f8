import type { Domain as DomainRow } from '../../resources/networking/domainActions.ts';
import type { DomainRecord } from '../../resources/networking/recordRules.ts';
import type { Stored } from '../engine/stored.ts';

/** A domain as it is answered (document 3, 2.1). */
export type Domain = Stored<DomainRow> & {
  soa_email: string;
  description: string;
  group: string;
  master_ips: readonly string[];
  axfr_ips: readonly string[];
  tags: readonly string[];
  refresh_sec: number;
  retry_sec: number;
  expire_sec: number;
  created: string;
  updated: string;
};

/** A record as it is answered (document 3, 2.2). */
export type DnsRecord = Stored<DomainRecord> & { created: string; updated: string };

/** A domain with its records and its zone file as it was last rendered. */
export interface Zone {
  domain: Domain;
  records: DnsRecord[];
  rendered: readonly string[];
}
