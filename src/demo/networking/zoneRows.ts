/** A domain as it is answered (document 3, 2.1). */
export interface Domain {
  id: number;
  domain: string;
  type: string;
  status: string;
  soa_email: string;
  description: string;
  group: string;
  master_ips: readonly string[];
  axfr_ips: readonly string[];
  tags: readonly string[];
  ttl_sec: number;
  refresh_sec: number;
  retry_sec: number;
  expire_sec: number;
  created: string;
  updated: string;
}

/** A record as it is answered (document 3, 2.2). */
export interface DnsRecord {
  id: number;
  type: string;
  name: string;
  target: string;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  ttl_sec: number;
  tag: string | null;
  created: string;
  updated: string;
}

/** A domain with its records and its zone file as it was last rendered. */
export interface Zone {
  domain: Domain;
  records: DnsRecord[];
  rendered: readonly string[];
}
