import { aboveWords, grouped, sizeText, unitText } from '../../text/numbers.ts';
import { isOff, transferShare } from '../compute/load.ts';
import type { Rule, RuleAnswer } from '../problems/rule.ts';
import { type CacheView, idAt, numberAt, type Row, type Usage } from '../row.ts';
import { serverRule } from './serverStates.ts';

/** An alert of a server: its name among the alerts, what it measures, and the unit of its threshold. */
interface Alert {
  name: string;
  alert: string;
  mean: (usage: Usage) => number | undefined;
  says: (mean: string) => string;
  unit: string;
  /** The rule said of several servers, `{}` in the place of their number. */
  several: string;
  /** The graph of it among those of the statistics. */
  graph: string;
}

const megabits = (bits: number | undefined) => (bits === undefined ? undefined : bits / 1e6);

const alerts: readonly Alert[] = [
  {
    name: 'server-cpu-high',
    several: '{} servers use more CPU than their alerts allow',
    alert: 'cpu',
    graph: 'CPU',
    mean: ({ cpu }) => cpu,
    says: (mean) => `used ${mean}% CPU (its CPUs added up) on average over the last 2 hours`,
    unit: '%',
  },
  {
    name: 'server-disk-io-high',
    several: '{} servers do more disk operations than their alerts allow',
    alert: 'io',
    graph: 'Disk I/O',
    mean: ({ io }) => io,
    says: (mean) => `did ${mean} disk operations a second on average over the last 2 hours`,
    unit: '',
  },
  {
    name: 'server-network-in-high',
    several: '{} servers receive more than their alerts allow',
    alert: 'network_in',
    graph: 'IPv4',
    mean: ({ networkIn }) => megabits(networkIn),
    says: (mean) => `received ${mean} Mbit/s on average over the last 2 hours`,
    unit: 'Mbit/s',
  },
  {
    name: 'server-network-out-high',
    several: '{} servers send more than their alerts allow',
    alert: 'network_out',
    graph: 'IPv4',
    mean: ({ networkOut }) => megabits(networkOut),
    says: (mean) => `sent ${mean} Mbit/s on average over the last 2 hours`,
    unit: 'Mbit/s',
  },
];

/** The threshold of an alert; undefined where it is off. */
function thresholdOf(server: Row, alert: string): number | undefined {
  const threshold = numberAt(server, `alerts.${alert}`);
  return threshold !== undefined && threshold > 0 ? threshold : undefined;
}

function loadOf(
  { alert, mean, says, unit }: Omit<Alert, 'name' | 'several' | 'graph'>,
  server: Row,
  view: CacheView,
): RuleAnswer {
  const threshold = thresholdOf(server, alert);
  const id = idAt(server, 'id');
  const usage = threshold === undefined || id === undefined || isOff(server) ? undefined : view.usage(id);
  const value = usage && mean(usage);
  if (threshold === undefined || value === undefined || !(value > threshold)) return undefined;
  return `${says(aboveWords(value, threshold))}; its alert is at ${grouped(threshold)}${unitText(unit)}`;
}

/** Servers above the thresholds of their own alerts, means over two hours (document 2, 2.1). */
export const serverLoadRules: readonly Rule[] = [
  ...alerts.map(({ name, several, graph, ...alert }) =>
    serverRule({
      ...{ name, several, graph },
      remedy: { tab: 'Graphs', help: 'Look at its graphs' },
      remedies: [{ action: 'resize' }, { action: 'alerts' }],
      find: (server, view) => loadOf(alert, server, view),
    }),
  ),
  serverRule({
    name: 'server-transfer-quota',
    several: '{} servers have used more of their transfer quota than their alerts allow',
    fetches: 'transfer',
    remedy: { tab: 'Transfer' },
    find: (server, view, params) => {
      const answer = view.answer('servers', 'transfer', params);
      const quota = numberAt(answer, 'quota');
      if (quota === undefined) return;
      const billable = numberAt(answer, 'billable') ?? 0;
      if (billable > 0)
        return `has used ${sizeText(billable, 3)} more than its transfer quota of ${sizeText(quota, 3)} this month; the excess is charged for`;
      const threshold = thresholdOf(server, 'transfer_quota');
      const share = transferShare({ used: numberAt(answer, 'used'), quota });
      if (threshold === undefined || share === undefined || !(share > threshold)) return;
      return `used ${aboveWords(share, threshold)}% of its transfer quota of ${sizeText(quota, 3)} this month; its alert is at ${grouped(threshold)}%`;
    },
  }),
];
