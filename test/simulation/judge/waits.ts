import type { Write } from '../cloud/items.ts';
import { isAlike, type Wish } from '../wishes.ts';
import type { World } from '../world.ts';
import { disagreement } from './agreement.ts';
import type { Finding } from './finding.ts';

/** Judges whether runs of plans have waited: nothing is sent while the job of an earlier step goes on that is waited for. */
export function judgeWaits({ network, waiting, wishes, clouds }: World): readonly Finding[] {
  const sent = network.exchanges.filter(({ method }) => method !== 'GET');
  return sent.flatMap((exchange) => {
    const steps = [...(waiting.get(exchange.deed) ?? [])];
    if (steps.length === 0) return [];
    const wishOf = (write: Write | undefined) => wishes.find(({ done }) => write && done.includes(write));
    const place = (wish: Wish | undefined) => steps.findIndex(([one]) => one === wish);
    const { method, path, body = {} } = exchange;
    // A refused request has done no wish; that of a creation is told by its body.
    const isMeant = ([one]: (typeof steps)[number]) =>
      one.method === method && one.path === path && disagreement(one, body as never, []) === undefined;
    const isRefused = method === 'POST' && (exchange.write?.status ?? 400) >= 300;
    const own = isRefused ? steps.findIndex(isMeant) : place(wishOf(exchange.write));
    const early = sent.filter((before) => {
      const { write, at, host, process } = before;
      if (!write || write.status >= 300 || host !== exchange.host || at >= exchange.at) return false;
      const wish = wishOf(write);
      const [, waits] = steps[place(wish)] ?? [];
      // A request that is sent once more for the asking is refused.
      if (before.method === exchange.method && before.path === exchange.path && isAlike(before.body, exchange.body))
        return false;
      // Another process may have done a later step, or this very one, which is refused the second time.
      if (!waits || (process !== exchange.process && place(wish) >= own)) return false;
      // So may this one, in a run before, of which all steps are to be done once more.
      if (own >= 0 && place(wish) > own) return false;
      const ends = clouds.find((cloud) => cloud.host === host)?.events.endOf(write.number);
      return ends !== undefined && ends > exchange.at;
    });
    const { at, process } = exchange;
    return early.map((one) => ({
      rule: 'too early',
      at,
      says: `${process.name} sent ${method} ${path}, while the job of ${one.method} ${one.path} went on.`,
    }));
  });
}
