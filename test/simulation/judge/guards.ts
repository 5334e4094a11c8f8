import type { Row } from '../cloud/items.ts';
import { guarded } from '../machine.ts';
import type { Exchange } from '../network.ts';
import type { World } from '../world.ts';
import type { Finding } from './finding.ts';
import { servedBefore } from './served.ts';

/** Judges whether anything was sent that the guards of its profile refuse. */
export function judgeGuards(world: World): readonly Finding[] {
  const { network, seats, clouds } = world;
  const logins = new Map([...seats.values()].map(({ login }) => [login.account.token, login]));
  const deletions = network.exchanges.filter(
    ({ method, token }) => method === 'DELETE' && (logins.get(token)?.guards.length ?? 0) > 0,
  );
  const itemOf = ({ host, path }: Exchange) =>
    clouds.find((cloud) => cloud.host === host)?.items.all.find(({ id }) => path.endsWith(`/${id}`));
  const isKept = (sent: Exchange) => {
    const item = itemOf(sent);
    const row: Row | undefined = item && servedBefore(network.exchanges, sent, item)?.row;
    return (row?.tags as readonly string[] | undefined)?.includes(guarded.tag) === true;
  };
  const volumes = deletions.filter(({ path, write }) => path.startsWith('volumes/') && write && write.status < 300);
  const atOnce = Map.groupBy(volumes, ({ process, deed }) => `${process.name} ${deed}`);
  return [
    ...deletions.filter(isKept).map((sent) => finding(sent, `it is tagged ${guarded.tag}, so a guard refuses that`)),
    ...[...atOnce.values()].flatMap((all) =>
      all.slice(guarded.atMost).map((sent) => finding(sent, `a guard allows ${guarded.atMost} at once`)),
    ),
  ];
}

const finding = ({ at, process, method, path }: Exchange, says: string): Finding => ({
  rule: 'guard',
  at,
  says: `${process.name} sent ${method} ${path}: ${says}.`,
});
