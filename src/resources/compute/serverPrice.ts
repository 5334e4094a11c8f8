import { amountIn, dollars, monthlyWords, priceChangeWords } from '../../text/money.ts';
import { at, type CacheView, type Draft, type Row } from '../resource.ts';

/** Prices of servers: the documents name none, so they come from the server types, where the API lists them. */

/** The price of a type in US dollars a month; undefined where the API does not report it. */
const typePrice = (type: unknown, view: CacheView): number | undefined =>
  amountIn(at(view.row('server-types', type), 'price.monthly'));

const backupPrice = (type: unknown, view: CacheView): number | undefined =>
  amountIn(at(view.row('server-types', type), 'addons.backups.price.monthly'));

/** The price of a server of this type in US dollars a month, with its backups where it has them. */
function priceOf(type: unknown, hasBackups: boolean, view: CacheView): number | undefined {
  const [server, backups] = [typePrice(type, view), hasBackups ? backupPrice(type, view) : 0];
  return server === undefined || backups === undefined ? undefined : server + backups;
}

/** The price of a server in US dollars a month, with its backups where it has them. */
export const serverPrice = (server: Row, view: CacheView): number | undefined =>
  priceOf(server.type, at(server, 'backups.enabled') === true, view);

/** The price of a server in US dollars a month once it has this type. */
export const resizedPrice = (server: Row, view: CacheView, { type }: Draft): number | undefined =>
  priceOf(type, at(server, 'backups.enabled') === true, view);

/** The price of a new server: `$24.00 + backups $5.00 = $29.00 a month`; nothing before its type is chosen. */
export function newServerPrice({ type, backups_enabled }: Draft, view: CacheView): string | undefined {
  if (!type) return undefined;
  const hasBackups = backups_enabled === true;
  const total = priceOf(type, hasBackups, view);
  if (total === undefined || !hasBackups) return monthlyWords(total);
  return `${dollars(typePrice(type, view))} + backups ${dollars(backupPrice(type, view))} = ${monthlyWords(total)}`;
}

/** The price before and after a resize: `$24.00 → $48.00 a month`. */
export const resizePrice = (server: Row, view: CacheView, draft: Draft): string =>
  priceChangeWords(serverPrice(server, view), resizedPrice(server, view, draft));
