import { amountIn, dollars, monthlyWords, priceChangeWords, sumWords, untoldPrice } from '../../text/money.ts';
import { memoize } from '../memoize.ts';
import { at, type CacheView, type Draft, type Row } from '../resource.ts';

/** Prices of servers: the documents name none, so they come from the server types, where the API lists them. */

/** The prices of a type and of the backups of its servers in US dollars a month; undefined where the API does not report them. */
const pricesOf = memoize((type: Row) => ({
  own: amountIn(at(type, 'price.monthly')),
  backups: amountIn(at(type, 'addons.backups.price.monthly')),
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
