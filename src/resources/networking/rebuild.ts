import { counted, displayText } from '../../text/words.ts';
import type { Done, InverseSketch } from '../action.ts';
import { entryOf, isBlank } from '../body.ts';
import { isSameEntry } from '../edits.ts';
import type { CacheView, DescribedAction, Draft, Entry, Row } from '../resource.ts';
import { checkConfig, configFieldNames, configFields, withPem } from './balancerConfigFields.ts';
import { type BalancerNode, withPort } from './nodeText.ts';

/** A node as it will be after a rebuild; one without `id` is created. */
export interface PlannedNode {
  id?: number;
  label: string;
  address: string;
  mode: string;
  weight: number;
  /** Left out of the rebuild, so an existing one is deleted. */
  out?: true;
}

/** The effect of a rebuild on a node. */
export type Fate = 'keep' | 'update' | 'delete' | 'create';

/** The nodes of a plan as the entries of a form, each as JSON. */
export const planEntries = (plan: readonly PlannedNode[]): readonly string[] =>
  plan.map((node) => JSON.stringify(node));

/** The nodes of a plan that a form holds. */
export const planIn = ({ nodes }: Draft): readonly PlannedNode[] =>
  Array.isArray(nodes) ? nodes.map((entry) => JSON.parse(entry) as PlannedNode) : [];

/** A node that exists, as the rebuild leaves it when nothing is changed. */
export const plannedFrom = ({ id, label, address, mode, weight }: BalancerNode): PlannedNode => ({
  id,
  label,
  address,
  mode: mode ?? 'accept',
  weight: weight ?? 100,
});

/** A node as the form of a node holds it. */
export const plannedFromDraft = ({ label, address, port, mode, weight }: Draft): PlannedNode => ({
  label: String(label ?? ''),
  address: withPort(address ?? '', port),
  mode: String(mode ?? 'accept'),
  weight: Number(weight ?? 100),
});

/** The fields of a planned config in a few words. */
export const plannedFields = ({ protocol, algorithm, stickiness, check }: Draft): readonly string[] => [
  `${protocol ?? 'http'}`,
  `${algorithm ?? 'roundrobin'}`,
  `stickiness ${stickiness ?? 'none'}`,
  `check ${check ?? 'none'}`,
];

const compared = ['label', 'address', 'mode', 'weight'] as const;

/** Finds the effect on a node, given those that exist (document 3, 4.2). */
export function fateOf(node: PlannedNode, existing: readonly BalancerNode[]): Fate {
  if (node.id === undefined) return 'create';
  if (node.out) return 'delete';
  const before = existing.find(({ id }) => id === node.id);
  const same = before && compared.every((name) => plannedFrom(before)[name] === node[name]);
  return same ? 'keep' : 'update';
}

/** The nodes that are sent: those that are not left out, with their id where they exist. */
export const nodesToSend = (plan: readonly PlannedNode[]): readonly PlannedNode[] =>
  plan.filter(({ out }) => !out).map(({ out: _out, ...node }) => node);

/**
 * The nodes as they were before a rebuild, for one that takes it back: those that it left out are made anew, and those
 * that it made are left out, without an id as long as that is not known.
 */
export const plannedBack = (had: readonly PlannedNode[], sent: readonly PlannedNode[]): readonly PlannedNode[] => [
  ...had.map(({ id, ...node }) => (sent.some((one) => one.id === id) ? { id, ...node } : node)),
  ...sent.filter(({ id }) => id === undefined).map((node) => ({ ...node, out: true as const })),
];

/**
 * Nodes that came, went or were changed since a plan was begun, brought into it; what was changed in the plan stays.
 * @param begun the plan as it was begun
 */
export function replanned(
  plan: readonly PlannedNode[],
  existing: readonly BalancerNode[],
  begun: readonly PlannedNode[] = [],
): readonly PlannedNode[] {
  const known = plan.map((node) =>
    node.out && node.id === undefined ? { ...node, id: idAmong(existing, node) } : node,
  );
  const staying = known.filter(({ id, out }) => (id === undefined ? !out : existing.some((node) => node.id === id)));
  const fresh = existing.filter(({ id }) => !known.some((node) => node.id === id)).map(plannedFrom);
  const brought = staying.map((node) => broughtUp(node, existing, begun));
  const isSame = fresh.length === 0 && brought.length === plan.length && brought.every((one, at) => one === plan[at]);
  return isSame ? plan : [...brought, ...fresh];
}

const idAmong = (existing: readonly BalancerNode[], { label, address }: PlannedNode): number | undefined =>
  existing.find((node) => node.label === label && node.address === address)?.id;

/** The node as it was when the plan was begun, and as it is now; undefined for one that the plan makes. */
function copiesOf({ id }: PlannedNode, existing: readonly BalancerNode[], begun: readonly PlannedNode[]) {
  const then = begun.find((node) => node.id === id);
  const there = existing.find((node) => node.id === id);
  return id !== undefined && then && there ? { then, now: plannedFrom(there) } : undefined;
}

/** A planned node with the current values of the fields that the plan does not change. */
function broughtUp(node: PlannedNode, existing: readonly BalancerNode[], begun: readonly PlannedNode[]): PlannedNode {
  const copies = copiesOf(node, existing, begun);
  const news = compared.filter((name) => copies && node[name] === copies.then[name] && node[name] !== copies.now[name]);
  return copies && news.length > 0
    ? { ...node, ...Object.fromEntries(news.map((name) => [name, copies.now[name]])) }
    : node;
}

/** Names the nodes that the plan and others have changed to something else: `web-1 (mode drain)`. */
export const clashesIn = (
  plan: readonly PlannedNode[],
  existing: readonly BalancerNode[],
  begun: readonly PlannedNode[],
): readonly string[] =>
  plan.flatMap((node) => {
    const copies = copiesOf(node, existing, begun);
    const both = compared.filter(
      (name) =>
        copies && ![copies.then[name], node[name]].includes(copies.now[name]) && copies.then[name] !== node[name],
    );
    return copies && both.length > 0
      ? [`${copies.now.label} (${both.map((name) => `${name} ${copies.now[name]}`).join(', ')})`]
      : [];
  });

/** Why a plan cannot be sent, as the end of a sentence; undefined when it can. */
export function planComplaint(plan: readonly PlannedNode[]): string | undefined {
  const sent = plan.filter(({ out }) => !out);
  if (sent.length === 0) return 'a port needs at least one node; keep one or add one';
  const twice = sent.find((node, index) => sent.findIndex(({ address }) => address === node.address) < index);
  return twice && `two nodes have the address ${twice.address}; each address can be a node of a port only once`;
}

const verbs: readonly (readonly [Fate, string])[] = [
  ['delete', 'deletes'],
  ['update', 'updates'],
  ['create', 'creates'],
  ['keep', 'keeps'],
];

/** Puts a plan into words: `deletes web-3; updates web-1 (mode accept → drain), web-2 (weight 1 → 9); keeps 4 nodes.` */
export function planWords(plan: readonly PlannedNode[], existing: readonly BalancerNode[]): string {
  const parts = verbs.flatMap(([fate, verb]) => {
    const nodes = plan.filter((node) => fateOf(node, existing) === fate);
    if (nodes.length === 0) return [];
    const named = nodes.map((node) => (fate === 'update' ? updateWords(node, existing) : node.label));
    return [`${verb} ${fate === 'keep' ? counted(nodes.length, 'node') : named.join(', ')}`];
  });
  return `${parts.join('; ')}.`;
}

function updateWords(node: PlannedNode, existing: readonly BalancerNode[]): string {
  const there = existing.find(({ id }) => id === node.id);
  const before = there && plannedFrom(there);
  const news = compared.filter((name) => before && before[name] !== node[name]);
  return `${before?.label ?? node.label} (${news.map((name) => `${name} ${before?.[name]} → ${node[name]}`).join(', ')})`;
}

const fields = Object.entries(configFields());

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
  fields: { nodes: { kind: 'strings', local: true } },
  reads: ['nodebalancer-nodes'],
  start: (config, view, { nodeBalancerId, configId }) => ({
    ...(config && configDraft(config)),
    nodes: planEntries(nodesOf(view, nodeBalancerId, configId)),
  }),
  check: (draft, view, config, params) => {
    const isUnread = params?.configId !== undefined && !view.isRead('nodebalancer-nodes', params);
    const wrong = isUnread
      ? 'they could not be read, and are replaced by those of this plan'
      : planComplaint(planIn(draft));
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
