import type { Dated, DescribedFields, Draft, Labelled, Row } from '../resource.ts';

/** A compute server (document 2, 2.1). */
export type Server = Labelled &
  Dated & {
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
  };

/** The names of the backup schedule's fields. */
export const scheduleNames = ['backups.schedule.day', 'backups.schedule.window'];

const windows = Array.from({ length: 12 }, (_, place) => `W${place * 2}`);

/** The hours of a backup window (document 2, 2.1); another word as it is. */
export const windowHours = (name: unknown) => {
  const hour = windows.indexOf(String(name)) * 2;
  return hour < 0 ? name : `${hour}:00 to ${(hour + 2) % 24}:00 UTC`;
};

/** An alert that was emptied needs a value: 0 turns it off. */
const alert = (name: string, label: string, help: string, unit?: string) => ({
  label,
  kind: 'integer' as const,
  min: 0,
  unit,
  needed: (draft: Draft) => draft[`alerts.${name}`] === '',
  help: `${help} 0 turns it off.`,
  section: 'Alerts',
});

const alertFields: DescribedFields = {
  'alerts.cpu': {
    ...alert('cpu', 'CPU', 'Two-hour average; each core adds 100%.', '%'),
    check: (entry, _draft, _view, server) => {
      const most = Number((server as Server | undefined)?.specs?.vcpus) * 100;
      return Number(entry) > most ? `must be at most ${most}%, the total of its cores` : undefined;
    },
  },
  'alerts.io': alert('io', 'Disk I/O', 'Two-hour average.', 'operations/s'),
  'alerts.network_in': alert('network_in', 'Network in', 'Two-hour average.', 'Mbit/s'),
  'alerts.network_out': alert('network_out', 'Network out', 'Two-hour average.', 'Mbit/s'),
  'alerts.transfer_quota': alert('transfer_quota', 'Transfer', 'Share of the monthly quota that is used.', '%'),
};

/** Their names in that order. */
export const alertNames = Object.keys(alertFields);

const hasBackups = (_draft: Draft, server?: Row) => !server || (server as Server).backups?.enabled !== false;

/** The fields of an existing server that Server Update and Resize change (document 2, 2.1 and 4.1). */
export const settingFields: DescribedFields = {
  watchdog_enabled: {
    label: 'Watchdog',
    kind: 'boolean',
    help: 'Boots the server again when it powers off by itself; gives up after more than 5 boots in 15 minutes.',
    section: 'Server',
  },
  ...alertFields,
  'backups.schedule.day': {
    label: 'Backup day',
    options: ['Scheduling', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    optionHelp: { Scheduling: 'the platform chooses' },
    shown: hasBackups,
    help: 'The day of the weekly backup.',
    section: 'Backups',
  },
  'backups.schedule.window': {
    label: 'Backup window',
    optionHelp: {
      Scheduling: 'the platform chooses',
      ...Object.fromEntries(windows.map((name) => [name, windowHours(name)])),
    },
    shown: hasBackups,
    section: 'Backups',
  },
  allow_auto_disk_resize: {
    label: 'Resize the disk too',
    kind: 'boolean',
    fallback: true,
    help: 'Lets the platform fit the disk to the new type.',
  },
  group: { emptied: '', help: 'Deprecated; use tags instead.', section: 'More' },
};
