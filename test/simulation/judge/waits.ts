import type { World } from '../world.ts';
import type { Finding } from './finding.ts';

/** Judges whether runs of plans have waited: nothing is sent while the job of an earlier step goes on that is waited for. */
export function judgeWaits({ network, waiting, wishes, clouds }: World): readonly Finding[] {
  const sent = network.exchanges.filter(({ method }) => method !== 'GET');
  return sent.flatMap((exchange) => {
    const waited = waiting.get(exchange.deed);
    if (!waited || waited.size === 0) return [];
    const early = sent.filter(({ write, at, host }) => {
      if (!write || write.status >= 300 || host !== exchange.host || at >= exchange.at) return false;
      const wish = wishes.find(({ done }) => done.includes(write));
      const ends = clouds.find((cloud) => cloud.host === host)?.events.endOf(write.number);
      return wish && waited.has(wish) && ends !== undefined && ends > exchange.at;
    });
    const { at, process, method, path } = exchange;
    return early.map((one) => ({
      rule: 'too early',
      at,
      says: `${process.name} sent ${method} ${path}, while the job of ${one.method} ${one.path} went on.`,
    }));
  });
}
