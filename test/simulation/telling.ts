import type { Exchange } from './network.ts';
import type { Run } from './run.ts';

/** Tells a run for people: who did what, every change with its fate, and what must not be. */
export function told({ story, world, findings }: Run): string {
  const { setting, seed } = story;
  const begin = Math.min(...world.lines.map(({ at }) => at), ...world.network.exchanges.map(({ at }) => at));
  const lines = [
    ...world.lines.map(({ at, who, says }) => ({ at, text: `${who.padEnd(10)} ${says}` })),
    ...world.network.exchanges.filter(isTelling).flatMap((one) => exchangeLines(one)),
    ...findings.map(({ at, rule, says }) => ({ at, text: `! ${rule}: ${says}` })),
  ];
  const clock = setting.skewMs === 0 ? '' : `; our clock is ${setting.skewMs / 60_000} min ahead`;
  return [
    `Seed ${seed}${clock}; another account at ${setting.other.host} address, in ${setting.other.profile} profile${setting.hasGuards ? '; what is tagged keep is guarded, and how many volumes are deleted at once' : ''}`,
    ...lines
      .sort((one, other) => one.at - other.at)
      .map(({ at, text }) => `${((at - begin) / 1000).toFixed(2).padStart(8)}  ${text}`),
  ].join('\n');
}

/** Reads are told where something happened to them. */
const isTelling = ({ method, fault }: Exchange): boolean => method !== 'GET' || fault !== undefined;

function exchangeLines({ at, process, method, path, body, fault, write, status, answeredAt }: Exchange) {
  const what = `${process.name.padEnd(10)}   ${method} ${path}`;
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
  const fate = fault === undefined ? '' : `  [${fault}]`;
  const done = write && write.status < 300 ? (write.made ? `done, made ${write.made.id}` : 'done') : undefined;
  const answer = answeredAt === undefined ? 'no answer' : `answered ${status}`;
  const end = method === 'GET' ? answer : [done ?? 'not done', answer].join(', ');
  return [{ at, text: `${what}${sent}${fate}: ${end}` }];
}
