import { amountIn, dollars } from '../../text/money.ts';
import { sizeText } from '../../text/numbers.ts';
import { type Resource, type Row, resource } from '../resource.ts';

/** A size of server with its price. */
export type ServerType = Row & {
  id: string;
  label: string;
  price?: { hourly: number; monthly: number };
  class?: string;
  /** Disk and memory in MB, transfer in GB a month, the network in Mbit/s. */
  disk?: number;
  memory?: number;
  transfer?: number;
  network_out?: number;
  vcpus?: number;
  gpus?: number;
  addons?: { backups?: { price?: { hourly: number; monthly: number } } };
  successor?: string | null;
};

/** The CPUs, memory and disk of a type; an empty text for what the API does not tell. */
const sizesOf = ({ vcpus, memory, disk }: Row): readonly string[] => [
  typeof vcpus === 'number' ? `${vcpus} vCPU` : '',
  typeof memory === 'number' ? sizeText(memory, 2) : '',
  typeof disk === 'number' ? sizeText(disk, 2) : '',
];

/** The same in a sentence: `2 vCPU, 4 GiB, 80 GiB`. */
export const sizeWords = (type: Row = {}): string => sizesOf(type).filter(Boolean).join(', ');

/** Server types: what a server can be created as or resized to. */
export const serverTypes: Resource = resource<ServerType>()({
  name: 'server-types',
  one: 'server type',
  area: 'Compute',
  aliases: ['servertypes', 'types', 'plans'],
  param: 'typeId',
  path: '/v4/server/types',
  label: (type) => type.label ?? type.id,
  catalogue: true,
  sort: 'Monthly',
  empty: 'This API does not list its server types; where one is asked for, type its ID.',
  choice: (type) => [amountIn(type.price?.monthly) !== undefined ? dollars(type.price?.monthly) : '', ...sizesOf(type)],
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'ID', value: 'id', keep: 1 },
    { title: 'Monthly', value: 'price.monthly', format: 'money', keep: 1 },
    { title: 'vCPU', value: 'vcpus', format: 'number', keep: 1 },
    { title: 'RAM', value: 'memory', format: 'megabytes', keep: 1 },
    { title: 'Disk', value: 'disk', format: 'megabytes', keep: 1 },
    { title: 'Hourly', value: 'price.hourly', format: 'money' },
    { title: 'Transfer', value: 'transfer', format: 'gigabytes' },
    { title: 'Class', value: 'class' },
    { title: 'Backups', value: 'addons.backups.price.monthly', format: 'money', keep: 3 },
    { title: 'Network out', value: 'network_out', format: 'number', keep: 3 },
    { title: 'GPUs', value: 'gpus', format: 'number', keep: 3 },
  ],
  card: [{ title: 'Successor', value: 'successor' }],
  list: { pages: 'numbered', freshFor: 600, undocumented: true },
  view: { undocumented: true },
  copies: { id: (type) => type.id },
});
