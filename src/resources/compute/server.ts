import type { Row } from '../row.ts';

/** A compute server (document 2, 2.1). */
export type Server = Row & {
  id: number;
  label: string;
  status: string;
  region: string;
  type: string;
  image: string | null;
  ipv4: readonly string[];
  ipv6: string | null;
  group?: string;
  hypervisor: string;
  alerts: Readonly<Record<'cpu' | 'io' | 'network_in' | 'network_out' | 'transfer_quota', number>>;
  backups: {
    enabled: boolean;
    last_successful: string | null;
    schedule: { day: string | null; window: string | null };
  };
  specs: { disk: number; memory: number; transfer: number; vcpus: number };
  tags: readonly string[];
  watchdog_enabled: boolean;
  created: string;
  updated: string;
};
