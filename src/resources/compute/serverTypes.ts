import {
  amountIn,
  dollars,
  monthlyWords,
  priceChangeWords,
  sizeText,
  sumWords,
  untoldPrice,
} from '../../text/numbers.ts';
import { memoize } from '../memoize.ts';
import { at, type CacheView, type Draft, type Resource, type Row, resource } from '../resource.ts';

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

/** A type in a sentence as pickers call it, with its ID or what else tells of it: `Standard 8 GB (g6-standard-4)`. */
export function typeWords(id: unknown, view: CacheView, beside = String(id)): string {
  const { label = id } = view.row('server-types', id) ?? {};
  return beside === '' || beside === label ? `${label}` : `${label} (${beside})`;
}

/** Server types: what a server can be created as or resized to. */
export const serverTypes: Resource = resource<ServerType>()({
  name: 'server-types',
  area: 'Compute',
  aliases: ['servertypes', 'types', 'plans'],
  path: '/v4/server/types',
  catalogue: true,
  sort: 'Monthly',
  empty: 'This API does not list its server types; where one is asked for, type its ID.',
  choice: (type) => [pricesOf(type).own !== undefined ? dollars(type.price?.monthly) : '', ...sizesOf(type)],
  columns: [
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'ID', value: 'id' },
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
  overview: { related: [{ list: 'servers' }] },
  list: { pages: 'numbered', freshFor: 600, undocumented: true },
  view: { undocumented: true },
});

/** Nothing costs less than nothing. */
function priceAt(type: Row, path: string): number | undefined {
  const price = amountIn(at(type, path));
  return price !== undefined && price >= 0 ? price : undefined;
}

/**
 * The prices of a type and of the backups of its servers in US dollars a month; undefined where the API does not report
 * them. The documents name no price.
 */
const pricesOf = memoize((type: Row) => ({
  own: priceAt(type, 'price.monthly'),
  backups: priceAt(type, 'addons.backups.price.monthly'),
}));

const pricesIn = (view: CacheView, type: unknown) => pricesOf(view.row('server-types', type) ?? {});
const typePrice = (type: unknown, view: CacheView) => pricesIn(view, type).own;
const backupPrice = (type: unknown, view: CacheView) => pricesIn(view, type).backups;

/** The body of a new server has no id, and says otherwise whether it has backups. */
const hasBackups = (server: Row): boolean =>
  ('id' in server ? at(server, 'backups.enabled') : server.backups_enabled) === true;

/** The price of a server, or of a new one by its entries, in US dollars a month, with its backups where it has them. */
export function serverPrice(server: Row, view: CacheView): number | undefined {
  const backups = hasBackups(server) ? backupPrice(server.type, view) : 0;
  const own = typePrice(server.type, view);
  return own === undefined || backups === undefined ? undefined : own + backups;
}

/** The price of the backups of a server in US dollars a month; undefined where it has none, or that is not known. */
export const backupsPrice = (server: Row, view: CacheView): number | undefined =>
  hasBackups(server) ? backupPrice(server.type, view) : undefined;

/** The price of a server, `$29.00 a month`: `at least` that of its type where the API does not tell that of its backups. */
export const serverCost = (server: Row, view: CacheView): string | undefined =>
  sumWords([typePrice(server.type, view), ...(hasBackups(server) ? [backupPrice(server.type, view)] : [])]);

/** The price of a server in US dollars a month once it has this type. */
export const resizedPrice = (server: Row, view: CacheView, { type }: Draft): number | undefined =>
  serverPrice({ ...server, type }, view);

/** The price of a new server: `$24.00 + backups $5.00 = $29.00 a month`. */
export function newServerCost({ type, backups_enabled }: Draft, view: CacheView): string {
  if (!type) return 'by its type, as soon as it is created';
  const [price, backups] = [typePrice(type, view), backupPrice(type, view)];
  if (price === undefined || backups_enabled !== true) return monthlyWords(price);
  if (backups === undefined) return `${monthlyWords(price)} + backups; ${untoldPrice} of these`;
  return `${dollars(price)} + backups ${dollars(backups)} = ${monthlyWords(price + backups)}`;
}

/** The price of servers before and after a resize: `$24.00 → $48.00 a month (+$24.00)`; as it is before a type is chosen. */
export function resizeCost(servers: readonly Row[], view: CacheView, draft: Draft): string {
  const before = sumOf(servers.map((server) => serverPrice(server, view)));
  if (!draft.type) return before === undefined ? untoldPrice : `${monthlyWords(before)} now`;
  return priceChangeWords(before, sumOf(servers.map((server) => resizedPrice(server, view, draft))));
}

/** Undefined where one of them is. */
const sumOf = (prices: readonly (number | undefined)[]): number | undefined =>
  prices.reduce((sum, price) => (sum === undefined || price === undefined ? undefined : sum + price), 0);
