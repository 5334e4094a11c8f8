import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../network.ts';
import { isAlike } from '../wishes.ts';
import type { World } from '../world.ts';
import type { Finding } from './finding.ts';

interface AuditLine {
  time: string;
  profile: string;
  change: string;
  method: string;
  path: string;
  body?: unknown;
  outcome: string;
}

/** Judges whether each change has its line before it was sent, and the right one afterwards. */
export function judgeAudit(world: World): readonly Finding[] {
  const lines = linesOf(world);
  const sent = world.network.exchanges.filter(({ method }) => method !== 'GET');
  const begun = lines.filter(({ outcome }) => outcome === 'pending');
  const ends = new Map(lines.filter(({ outcome }) => outcome !== 'pending').map((one) => [one.change, one]));
  const taken = new Set<AuditLine>();
  return sent.flatMap((exchange) => {
    const isDone = (exchange.write?.status ?? 500) < 300;
    // A process that was killed in between has left a line for a request that it never sent.
    const all = begun.filter((one) => !taken.has(one) && isOf(world, one, exchange));
    // Secrets are not in a line, so that its body may differ.
    const exact = all.filter((one) => isAlike(one.body, exchange.body));
    const own = exact.length > 0 ? exact : all;
    const last = own.at(-1);
    // Of two sessions that sent the same at nearly the same time, each has the line that ended as it did.
    const isBeside = ({ time }: AuditLine) => Date.parse(last?.time ?? '') - Date.parse(time) < 1000;
    const outcomeOf = ({ change }: AuditLine) => ends.get(change)?.outcome ?? '';
    const isUndone = (one: AuditLine) => ['failed', 'not sent'].includes(outcomeOf(one));
    const beside = own.filter(isBeside);
    const line =
      beside.findLast((one) => (isDone ? outcomeOf(one) === 'done' : isUndone(one))) ??
      beside.findLast((one) => (isDone ? !isUndone(one) : outcomeOf(one) !== 'done')) ??
      last;
    if (!line) return [finding(exchange, 'has no line in the audit log before it')];
    taken.add(line);
    const end = ends.get(line.change);
    if (!end) return exchange.process.wasKilled ? [] : [finding(exchange, 'has no line in the audit log after it')];
    if (end.outcome === 'done' && !isDone) return [finding(exchange, 'is done in the audit log, and was not')];
    if ((end.outcome === 'failed' || end.outcome === 'not sent') && isDone)
      return exchange.fault === 'done, 500' || exchange.fault === 'done, 502'
        ? []
        : [finding(exchange, `is ${end.outcome} in the audit log, and was done`)];
    return [];
  });
}

/** Whether a line may be that of a request: of the same change, and from before it was sent, by our own clock. */
const isOf = ({ clock }: World, { time, method, path }: AuditLine, exchange: Exchange): boolean =>
  method === exchange.method &&
  path.split('/').slice(2).join('/') === exchange.path &&
  Date.parse(time) <= exchange.at + clock.skewMs + 1;

const finding = ({ at, process, method, path }: Exchange, says: string): Finding => ({
  rule: 'audit',
  at,
  says: `${method} ${path} of ${process.name} ${says}.`,
});

function linesOf({ machine }: World): readonly AuditLine[] {
  const file = join(machine.home, 'state', 'skydeck', 'audit.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as AuditLine);
}
