import { deviceBody, draftOf } from '../body.ts';
import { isId } from '../identity.ts';
import { type Complaint, type Resource, resource } from '../resource.ts';
import { at, type CacheView, type Draft, type Labelled, type Row, rowsOf } from '../row.ts';
import { deviceComplaint, deviceFields, deviceName, slots } from './devices.ts';
import { interfaceComplaint, interfaceFields, interfaceNames, interfacesOf } from './interfaces.ts';

/** A configuration profile of a server (document 2, 2.2). */
export type Config = Labelled & {
  kernel: string;
  root_device: string;
  devices: Readonly<Record<string, { disk_id: number | null; volume_id: number | null } | null>>;
  interfaces?: readonly { purpose: string; label: string | null; ipam_address: string | null }[];
  comments: string | null;
  /** In MB. */
  memory_limit: number;
  run_level: string;
  virt_mode: string;
};

/** The devices in the slots, by label where one is loaded, else by id. */
const deviceWords = ({ devices }: Config, view: CacheView) =>
  Object.entries(devices ?? {}).flatMap(([slot, device]) => {
    const { disk_id: disk, volume_id: volume } = device ?? {};
    if (isId(disk)) return [`${slot}=${deviceLabel('disk', disk, view)}`];
    return isId(volume) ? [`${slot}=${deviceLabel('volume', volume, view)}`] : [];
  });

const deviceLabel = (kind: 'disk' | 'volume', id: number | string, view: CacheView) =>
  view.row(`${kind}s`, id)?.label ?? `${kind} ${id}`;

/** The interfaces, each as its purpose, label and address. */
const interfaceWords = ({ interfaces }: Config) =>
  rowsOf(interfaces).map(({ purpose, label, ipam_address }) =>
    [purpose, label, ipam_address].filter((word) => word).join(' '),
  );

const helpers = {
  devtmpfs_automount: ['Mount devtmpfs', 'Populates /dev at boot.'],
  distro: ['Distribution helper', 'Adapts system files to the platform at boot.'],
  modules_dep: ['Modules helper', 'Generates the module dependencies of the kernel.'],
  network: ['Network helper', 'Configures the network of the server at boot.'],
  updatedb_disabled: ['Disable updatedb', 'Keeps updatedb from running at boot.'],
} as const;

const helperFields = Object.fromEntries(
  Object.entries(helpers).map(([name, [label, help]]) => [
    `helpers.${name}`,
    { label, kind: 'boolean' as const, help, section: 'Helpers' },
  ]),
);

const deviceNames = slots.map(deviceName);

/** In fullvirt the last four slots are unavailable. */
const available = (slot: string, draft: Draft) => draft.virt_mode !== 'fullvirt' || slots.indexOf(slot as 'sda') < 4;

const body = [
  ...'label! comments kernel root_device run_level virt_mode memory_limit'.split(' '),
  ...deviceNames,
  ...interfaceNames,
  ...Object.keys(helperFields),
];

const entriesOf = (draft: Draft) =>
  slots.filter((slot) => available(slot, draft)).map((slot) => [slot, draft[deviceName(slot)] || undefined] as const);

const filledOf = (draft: Draft) => entriesOf(draft).filter(([, entry]) => entry);

/** Sends the filled slots, which a new config must name. */
function sendNew(sent: Row, draft: Draft): Row {
  const interfaces = interfacesOf(draft);
  const { interfaces: _partial, ...rest } = sent;
  return {
    ...rest,
    devices: Object.fromEntries(filledOf(draft).map(([slot, entry]) => [slot, deviceBody(entry)])),
    ...(interfaces.length > 0 ? { interfaces } : {}),
  };
}

/** Sends all devices or all interfaces when one of them differs, since the platform takes them as a whole. */
function sendChanged(sent: Row, draft: Draft, config: Row | undefined): Row {
  const { interfaces: _interfaces, devices: _devices, ...rest } = sent;
  const before = config ? draftOf(configs, { body }, config) : {};
  const devices = Object.fromEntries(entriesOf(draft).map(([slot, entry]) => [slot, deviceBody(entry)]));
  const changed = (now: unknown, then: unknown) => JSON.stringify(now) !== JSON.stringify(then);
  const were = interfacesOf(before);
  // An interface that was not edited keeps the properties that the form does not have.
  const there = (place: number) => (Array.isArray(config?.interfaces) ? (config.interfaces[place] as Row) : undefined);
  const interfaces = interfacesOf(draft).map((one, place) =>
    changed(one, were[place]) ? one : { ...there(place), ...one },
  );
  return {
    ...rest,
    ...(changed(filledOf(draft), filledOf({ ...before, virt_mode: undefined })) ? { devices } : {}),
    ...(changed(interfacesOf(draft), were) ? { interfaces } : {}),
  };
}

function check(draft: Draft, view: CacheView): Complaint | undefined {
  if (filledOf(draft).length === 0) return { field: 'devices.sda', says: 'a config needs at least one disk or volume' };
  const shown = entriesOf(draft).map(([slot]) => slot);
  return deviceComplaint(draft, shown, view) ?? interfaceComplaint(draft);
}

const helperWords = (config: Config) => Object.keys(helpers).filter((name) => at(config, `helpers.${name}`) === true);

/** Configuration profiles: what a server boots (document 2, 2.2 and 4.1). */
export const configs: Resource = resource<Config>()({
  name: 'configs',
  area: 'Compute',
  aliases: ['profiles'],
  path: '/v4/server/instances/{serverId}/configs',
  scope: 'servers',
  under: 'servers',
  entity: 'server_config',
  sort: 'Label',
  reads: ['disks', 'volumes'],
  empty: 'A config defines what a server boots: its kernel, disks and network interfaces. Create its disks first.',
  fields: {
    label: { min: 1, max: 48, section: 'Config' },
    comments: { kind: 'paragraph', emptied: null, section: 'Config' },
    kernel: { to: 'kernels', fallback: 'server/latest-64bit', section: 'Boot' },
    root_device: {
      pattern: { test: /^[A-Za-z0-9/_-]+$/, says: 'letters, digits, / - and _' },
      fallback: '/dev/sda',
      section: 'Boot',
    },
    ...deviceFields(slots, available),
    ...interfaceFields(() => true),
    memory_limit: {
      kind: 'integer',
      unit: 'MiB',
      min: 0,
      help: (_draft, config) => `0${config ? '' : ', or nothing,'} is all memory of the server.`,
      section: 'Boot',
    },
    run_level: {
      optionHelp: { default: 'as installed', single: 'single user', binbash: 'just a shell' },
      fallback: 'default',
      section: 'Boot',
    },
    virt_mode: {
      label: 'Virtualization',
      options: ['paravirt', 'fullvirt'],
      optionHelp: { fullvirt: 'sde to sdh are unavailable' },
      fallback: 'paravirt',
      section: 'Boot',
    },
    ...helperFields,
  },
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Kernel', value: 'kernel', keep: 1 },
    { title: 'Root', value: 'root_device' },
    { title: 'Devices', value: deviceWords, format: 'list' },
    { title: 'Interfaces', value: interfaceWords, format: 'list' },
    { title: 'ID', value: 'id', format: 'id', keep: 3 },
    { title: 'Run level', value: 'run_level', keep: 3 },
    { title: 'Virtualization', value: 'virt_mode', keep: 3 },
    {
      title: 'Memory',
      value: ({ memory_limit }) => (memory_limit === 0 ? 'all' : memory_limit),
      format: 'megabytes',
      keep: 3,
    },
    { title: 'Helpers', value: helperWords, format: 'list', keep: 3 },
    { title: 'Comments', value: 'comments', keep: 3 },
  ],
  create: {
    shownBy: { events: ['server_config_create'], names: ['label'] },
    reads: ['disks', 'volumes'],
    body,
    check,
    send: sendNew,
  },
  edit: {
    reads: ['disks', 'volumes'],
    body,
    check,
    send: sendChanged,
    ask: { note: 'It takes effect when the server next boots.' },
    single: true,
  },
  remove: {
    ask: {
      warning: (config) =>
        `Deletes the config ${config.label}. Its disks and volumes stay, but the server can no longer boot with it.`,
      typeLabel: true,
      together: 'Deletes these configs. Their disks and volumes stay, but the server can no longer boot with them.',
    },
    inverse: () => ({ action: 'create', differs: ['it gets another id'] }),
  },
});
