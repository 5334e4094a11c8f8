import { displayText } from '../../text/words.ts';
import type { Done, InverseSketch } from '../action.ts';
import { entryOf, isBlank } from '../body.ts';
import { isSameEntry } from '../edits.ts';
import type { CacheView, DescribedAction, Draft, Entry, Row } from '../resource.ts';
import { checkConfig, configFieldNames, configFields, withPem } from './balancerConfigFields.ts';
import type { BalancerNode } from './nodeText.ts';
import {
  nodesToSend,
  type PlannedNode,
  planComplaint,
  planEntries,
  planIn,
  plannedBack,
  plannedFrom,
  planWords,
} from './rebuildPlan.ts';

const fields = Object.entries(configFields());

/** The fields of a config as a form holds them. */
const configDraft = (config: Row): Draft =>
  Object.fromEntries(fields.map(([name, field]) => [name, entryOf(field, config[name])]));

const nodesOf = (view: CacheView, nodeBalancerId = '', configId = ''): readonly PlannedNode[] =>
  (view.rows('nodebalancer-nodes', { nodeBalancerId, configId }) as readonly BalancerNode[]).map(plannedFrom);

/** The fields that a rebuild changes: `Algorithm roundrobin → source`. */
export function rebuiltFields(config: Row, draft: Draft): readonly string[] {
  const before = configDraft(config);
  return fields.flatMap(([name, { label, hidden }]) => {
    if (isSameEntry(before[name], draft[name])) return [];
    return [hidden === undefined ? `${label} ${said(before[name])} → ${said(draft[name])}` : label];
  });
}

const said = (entry: Entry) => (isBlank(entry) ? 'nothing' : displayText(entry));

const isPem = (name: string) => name === 'ssl_cert' || name === 'ssl_key';

/** A rebuild to what was there. */
function rebuiltBack({ before, body }: Done): InverseSketch | string {
  const [had, sent] = [before?.nodes, body?.nodes] as (readonly PlannedNode[] | undefined)[];
  if (!before || !body || !had || !sent) return 'The nodes that it had are not known.';
  if (had.length === 0) return 'It had no node, and a rebuild needs one.';
  const [was, is] = [configDraft(before), configDraft(body)];
  const changed = fields
    .map(([name]) => name)
    .filter((name) => is[name] !== undefined && !isSameEntry(is[name], was[name]));
  const own = changed.filter((name) => !isPem(name));
  const wasSecure = was.protocol === 'https';
  const differs = [
    ...(wasSecure && own.includes('protocol') ? ['its certificate and key are to be entered again'] : []),
    ...(wasSecure && changed.some(isPem) ? ['the new certificate stays, as the one before cannot be read back'] : []),
    ...(had.some(({ id }) => !sent.some((node) => node.id === id)) ? ['a node that is made anew gets another id'] : []),
  ];
  return {
    action: 'rebuild',
    entries: {
      ...Object.fromEntries(own.map((name) => [name, was[name] ?? ''])),
      nodes: planEntries(plannedBack(had, sent)),
    },
    made: { ...Object.fromEntries(own.map((name) => [name, is[name]])), nodes: planEntries(sent) },
    ...(differs.length > 0 && { differs }),
  };
}

/** Replaces a config and all its nodes by one request (document 3, 4.2). */
export const rebuild: DescribedAction = {
  name: 'rebuild',
  shownBy: { events: ['nodebalancer_config_update'] },
  key: 'r',
  help: 'Rebuild',
  body: [...configFieldNames, 'nodes'],
  fields: { nodes: { label: 'Nodes', kind: 'strings', local: true } },
  reads: ['nodebalancer-nodes'],
  start: (config, view, { nodeBalancerId, configId }) => ({
    ...(config && configDraft(config)),
    nodes: planEntries(nodesOf(view, nodeBalancerId, configId)),
  }),
  check: (draft, view, config, params) => {
    const wrong = planComplaint(planIn(draft));
    return wrong ? { field: 'nodes', says: wrong } : checkConfig(draft, view, config, params);
  },
  send: (sent, draft) => ({
    ...withPem(sent),
    ...(draft.check_path === '' && /^http/.test(String(sent.check)) && { check_path: '' }),
    nodes: nodesToSend(planIn(draft)),
  }),
  ask: {
    question: (config, view, draft) => {
      const nodes = view.rows('nodebalancer-nodes', { configId: String(config.id) });
      const news = rebuiltFields(config, draft);
      const says = `Rebuilds port ${config.port}: ${planWords(planIn(draft), nodes as readonly BalancerNode[])}`;
      return news.length > 0 ? `${says} It also changes ${news.join(', ')}.` : says;
    },
  },
  dialog: 'rebuildBalancerConfig',
  uses: ['nodebalancer-nodes.list'],
  also: (view, { nodeBalancerId, configId }) => ({ nodes: nodesOf(view, nodeBalancerId, configId) }),
  inverse: rebuiltBack,
  single: true,
  invalidates: ['nodebalancer-nodes'],
};
