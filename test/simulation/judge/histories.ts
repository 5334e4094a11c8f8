import type { ToldHistory, World } from '../world.ts';
import type { Finding } from './finding.ts';

/** Judges whether each change in a history was sent from here to that row, with the outcome and the event that it had. */
export const judgeHistories = (world: World): readonly Finding[] =>
  world.histories.flatMap((history) => history.entries.flatMap((entry) => judge(world, history, entry)));

function judge(
  { network, clouds }: World,
  { at, process, login, path }: ToldHistory,
  { sent, event }: ToldHistory['entries'][number],
): readonly Finding[] {
  if (!sent) return [];
  const { account, host } = login;
  const is = (says: string): readonly Finding[] => [
    {
      rule: 'history',
      at,
      says: `${process} shows in the history of ${path} ${sent.method} ${sent.path} (${sent.outcome}): ${says}.`,
    },
  ];
  const sentPath = String(sent.path).split('/').slice(2).join('/');
  const exchanges = network.exchanges.filter(
    (one) => one.host === host && one.method === sent.method && one.path === sentPath && one.at <= at,
  );
  const own = exchanges.filter(({ token }) => token === account.token);
  if (own.length === 0) return is(exchanges.length > 0 ? 'another account has sent it' : 'nobody has sent that here');
  const cloud = clouds.find((one) => one.host === host);
  const cause = event && cloud?.events.causeOf(event.id);
  if (event && sent.outcome === 'failed') return is(`its event is ${event.action}, and it had none`);
  // An event about a domain does not say which of its records it is about.
  const list = sentPath.replace(/(\/\d+\/\w+)\/\d+$/, '$1');
  const alike = network.exchanges.filter(
    ({ token, method, path }) =>
      list !== sentPath && token === account.token && method === sent.method && path.startsWith(`${list}/`),
  );
  if (cause !== undefined && ![...own, ...alike].some(({ write }) => write?.number === cause))
    return is(`its event is ${event?.action}, which something else has caused`);
  return [];
}
