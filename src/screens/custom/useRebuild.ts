import { useMemo, useRef, useState } from 'react';
import { conflictsOf, type Edits, isSameEntry } from '../../resources/edits.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type BalancerNode, nodeModes, portOf } from '../../resources/networking/nodeText.ts';
import {
  clashesIn,
  type PlannedNode,
  planEntries,
  planIn,
  plannedFromDraft,
  planWords,
  rebuiltFields,
  replanned,
} from '../../resources/networking/rebuild.ts';
import type { Draft } from '../../resources/resource.ts';
import { complaintsOf } from '../../resources/verdict.ts';
import { type Submission, targetsAt } from '../../store/changes/change.ts';
import { readAgain } from '../../store/changes/readAgain.ts';
import { sayIfClosed, submit } from '../../store/changes/submit.ts';
import { sentence } from '../../text/words.ts';
import { actionNamed } from '../actions.ts';
import { draftKey, formTitle } from '../form/useFormEdits.ts';
import { useReads } from '../useReads.ts';
import { type DialogProps, useNavigation, useStores } from '../useStores.ts';

/** A rebuild as its dialog shows it. */
export type Rebuild = Exclude<ReturnType<typeof useRebuild>, string>;

const modes = Object.keys(nodeModes);

/** The state of a rebuild, whose draft is kept until it is sent; a sentence where it cannot be planned. */
export function useRebuild(overlay: DialogProps['overlay']) {
  const stores = useStores();
  const { navigation, view } = stores;
  const resource = resourceNamed(overlay.resource);
  const action = actionNamed(resource, overlay.action);
  const isReady = useReads(action, overlay.targets);
  const targets = targetsAt(stores, resource, overlay.targets);
  const [target] = targets;
  const [params = overlay.params] = overlay.targets;
  const { takesBack } = overlay;
  const key = draftKey({ ...overlay, kind: 'form' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the plan starts from the cache as it was when everything had been read
  const base = useMemo(() => action.start?.(target?.row, view, params) ?? {}, [key, isReady]);
  const kept = useNavigation(({ drafts }) => drafts[key]);
  const [attempted, setAttempted] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [sending, setSending] = useState(false);
  const [reading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  /** The last warning; the same one is shown once. */
  const lastWarning = useRef('');

  if (!isReady) return 'Reading its nodes …';
  if (!target) return `This ${resource.one} is gone.`;
  const { nodeBalancerId = '', configId = '' } = params;
  const existing = view.rows('nodebalancer-nodes', { nodeBalancerId, configId }) as readonly BalancerNode[];
  const now = action.start?.(target.row, view, params) ?? {};
  const [own = { opened: {}, mine: {} }] = takesBack?.own ?? [];
  const edits: Edits = kept ?? { opened: { ...base, ...own.opened }, mine: own.mine };
  const basePlan = planIn(edits.opened);
  const plan = edits.mine.nodes ? replanned(planIn(edits.mine), existing, basePlan) : planIn(now);
  const draft: Draft = { ...now, ...edits.mine, nodes: planEntries(plan) };
  const submission: Submission = { resource, action, targets: [target], params, draft };
  const [complaint] = attempted ? complaintsOf(resource, action, draft, view, target.row, params) : [];
  const changedFields = rebuiltFields(target.row, draft);

  const keep = (change: Draft) => {
    setRefusal(undefined);
    const { opened, mine } = navigation.getState().drafts[key] ?? edits;
    const changed = Object.entries({ ...mine, ...change }).filter(([name, entry]) => !isSameEntry(entry, now[name]));
    const title = formTitle(action, resource, [target]);
    const isEmpty = changed.length === 0 && !takesBack;
    navigation.keepDraft(key, isEmpty ? undefined : { title, opened, mine: Object.fromEntries(changed) });
  };

  /** Reads the config and its nodes again, because the request replaces both; resolves with a warning if there is one. */
  async function conflictWarning(): Promise<string | undefined> {
    const nodes = resourceNamed('nodebalancer-nodes');
    const query = { resource: nodes.name, operation: 'list', params: { nodeBalancerId, configId } };
    const [failure] = await Promise.all([readAgain(stores, resource, [params]), stores.cache.readCollection(query)]);
    if (failure) return `Could not check whether others have changed it. ${failure.message}`;
    const [latest] = targetsAt(stores, resource, overlay.targets);
    const rows = view.rows(nodes.name, { nodeBalancerId, configId }) as readonly BalancerNode[];
    const config = action.start?.(latest?.row, view, params) ?? {};
    const { nodes: _nodes, ...fields } = config;
    const both = [
      ...conflictsOf(resource, action, edits, fields).map(({ field }) => field.label),
      ...clashesIn(plan, rows, basePlan),
    ];
    return both.length > 0 ? `Changed elsewhere too: ${both.join(', ')}.` : undefined;
  }
  const setPlan = (next: readonly PlannedNode[]) => keep({ nodes: planEntries(next) });

  /** Opens the form of a node, which puts its entries into the plan instead of sending them. */
  const openNode: OpenNode = (start, take, id) =>
    navigation.open({
      kind: 'form',
      resource: 'nodebalancer-nodes',
      action: id === undefined ? 'create' : 'edit',
      targets: id === undefined ? [] : [{ ...params, nodeId: String(id) }],
      params,
      start,
      into: take,
    });

  /** Opens the confirmation, after a check for changes made elsewhere. */
  async function ask(): Promise<void> {
    setReading(true);
    const warning = await conflictWarning();
    setReading(false);
    if (!navigation.getState().overlays.includes(overlay)) return;
    if (warning !== undefined && warning !== lastWarning.current) {
      lastWarning.current = warning;
      setRefusal(`${warning} Send again to keep this plan; ctrl-x starts over.`);
      return;
    }
    setRefusal(undefined);
    setConfirming(true);
  }

  async function dispatch(isTyped: boolean): Promise<void> {
    setConfirming(false);
    setSending(true);
    const [result] = await submit(stores, { ...submission, isTyped, takesBack });
    setSending(false);
    if (result && result.state !== 'done') {
      setRefusal(result.says);
      sayIfClosed(stores, overlay, action, result);
      return;
    }
    navigation.keepDraft(key, undefined);
    navigation.dismiss(overlay);
  }

  return {
    submission,
    takesBack,
    plan,
    existing,
    /** The config's fields that the plan changes, with their values. */
    changedFields,
    /** The plan in a sentence. */
    summary: sentence(planWords(plan, existing)),
    /** The first mistake in the plan, once sending was tried. */
    complaint: complaint?.says,
    /** The refusal of the API, or a warning of changes made elsewhere. */
    refusal,
    confirming,
    sending,
    /** The config and its nodes are being read again. */
    reading,
    send: () => {
      setAttempted(true);
      if (!sending && !reading && complaintsOf(resource, action, draft, view, target.row, params).length === 0)
        void ask();
    },
    /** Sends it; `isTyped` tells that its label was typed. */
    agree: (isTyped: boolean) => void dispatch(isTyped),
    disagree: () => setConfirming(false),
    ...planChanges(plan, draft.port, setPlan, openNode),
    editConfig: () => {
      const { nodes: _nodes, ...start } = draft;
      navigation.open({
        kind: 'form',
        resource: resource.name,
        action: 'edit',
        targets: [target.params],
        params,
        start,
        into: keep,
      });
    },
    startOver: () => {
      setRefusal(undefined);
      setAttempted(false);
      navigation.keepDraft(key, undefined);
    },
    close: () => navigation.dismiss(overlay),
  };
}

/** Opens the form of a node, which hands over its entries instead of sending them. */
type OpenNode = (start: Draft, take: (filled: Draft) => void, id?: number) => void;

/** The changes of a plan, node by node. */
function planChanges(
  plan: readonly PlannedNode[],
  port: Draft[string],
  set: (next: readonly PlannedNode[]) => void,
  open: OpenNode,
) {
  const change =
    (of: (node: PlannedNode, replace: (other: PlannedNode) => void, index: number) => void) => (index: number) => {
      const node = plan[index];
      if (node) of(node, (other) => set(plan.with(index, other)), index);
    };
  return {
    add: () =>
      open({ port: portOf(plan.at(-1)?.address) ?? port ?? '80', mode: 'accept', weight: '100' }, (filled) =>
        set([...plan, plannedFromDraft(filled)]),
      ),
    editNode: change(({ label, address, mode, weight, ...rest }, replace) =>
      open(
        { label, address, mode, weight: String(weight) },
        (filled) => replace({ ...rest, ...plannedFromDraft(filled) }),
        rest.id,
      ),
    ),
    leaveOut: change(({ out, ...rest }, replace, index) => {
      if (rest.id === undefined) set(plan.toSpliced(index, 1));
      else replace(out ? rest : { ...rest, out: true });
    }),
    nextMode: change((node, replace) =>
      replace({ ...node, mode: modes[(modes.indexOf(node.mode) + 1) % modes.length] ?? 'accept' }),
    ),
  };
}
