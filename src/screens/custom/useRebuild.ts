import { useRef, useState } from 'react';
import { conflictsOf } from '../../resources/edits.ts';
import { actionNamed, resourceNamed } from '../../resources/index.ts';
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
import { type Submission, type Target, targetsAt } from '../../store/changes/change.ts';
import { readAgain, readListAgain } from '../../store/changes/readAgain.ts';
import { sayIfClosed, submit } from '../../store/changes/submit.ts';
import { listQuery } from '../../store/queries.ts';
import { sentence } from '../../text/words.ts';
import { useFormEdits } from '../form/useFormEdits.ts';
import { type DialogProps, useStores } from '../useStores.ts';

/** A rebuild as its dialog shows it. */
export type Rebuild = ReturnType<typeof useRebuild>;

const modes = Object.keys(nodeModes);

/** The state of the rebuild of a config; its draft is that of a form, and kept until it is sent. */
export function useRebuild(overlay: DialogProps['overlay'], target: Target) {
  const stores = useStores();
  const { navigation, view } = stores;
  const { takesBack } = overlay;
  const resource = resourceNamed(overlay.resource);
  const action = actionNamed(resource, overlay.action);
  const [params = overlay.params] = overlay.targets;
  const formEdits = useFormEdits({ ...overlay, kind: 'form' }, resource, action, [target]);
  const [attempted, setAttempted] = useState(false);
  /** The plan is being read again or sent, or a pane stands in its place. */
  const [stage, setStage] = useState<'reading' | 'question' | 'preview' | 'sending'>();
  const [refusal, setRefusal] = useState<string>();
  /** The last warning; the same one is shown once. */
  const lastWarning = useRef('');

  const { nodeBalancerId = '', configId = '' } = params;
  const existing = view.rows('nodebalancer-nodes', { nodeBalancerId, configId }) as readonly BalancerNode[];
  const { edits, current } = formEdits;
  const basePlan = planIn(edits.opened);
  const plan = edits.mine.nodes ? replanned(planIn(edits.mine), existing, basePlan) : planIn(current);
  const draft: Draft = { ...formEdits.draft, nodes: planEntries(plan) };
  const submission: Submission = { resource, action, targets: [target], params, draft };
  const [complaint] = complaintsOf(resource, action, draft, view, target.row, params);

  const keep = (change: Draft) => {
    setRefusal(undefined);
    for (const [name, entry] of Object.entries(change)) formEdits.set(name, entry);
  };
  const setPlan = (next: readonly PlannedNode[]) => keep({ nodes: planEntries(next) });

  /** Reads the config and its nodes again, because the request replaces both; resolves with a warning if there is one. */
  async function conflictWarning(): Promise<string | undefined> {
    const nodes = resourceNamed('nodebalancer-nodes');
    const query = listQuery(nodes, { nodeBalancerId, configId });
    const [row, list] = await Promise.all([readAgain(stores, resource, [params]), readListAgain(stores.cache, query)]);
    const failure = row ?? list?.error;
    if (failure) return `Could not check whether others have changed it. ${failure.message}`;
    const [latest] = targetsAt(stores.view, resource, overlay.targets);
    const rows = view.rows(nodes.name, { nodeBalancerId, configId }) as readonly BalancerNode[];
    const { nodes: _nodes, ...fields } = action.start?.(latest?.row, view, params) ?? {};
    const both = [
      ...conflictsOf(resource, action, edits, fields).map(({ field }) => field.label),
      ...clashesIn(plan, rows, basePlan),
    ];
    return both.length > 0 ? `Changed elsewhere too: ${both.join(', ')}.` : undefined;
  }

  /** Opens the form of a node, which hands over its entries instead of sending them. */
  const openNode = (start: Draft, take: (filled: Draft) => void, id?: number) =>
    navigation.open({
      kind: 'form',
      resource: 'nodebalancer-nodes',
      action: id === undefined ? 'create' : 'edit',
      targets: id === undefined ? [] : [{ ...params, nodeId: String(id) }],
      params,
      start,
      into: take,
    });

  /** Opens the confirmation, after a check for mistakes and for changes made elsewhere. */
  async function send(): Promise<void> {
    setAttempted(true);
    setStage(complaint ? undefined : 'reading');
    if (complaint) return;
    const warning = await conflictWarning();
    if (!navigation.getState().overlays.includes(overlay)) return;
    const isNew = warning !== undefined && warning !== lastWarning.current;
    if (isNew) lastWarning.current = warning;
    setRefusal(isNew ? `${warning} Send again to keep this plan; ctrl-x starts over.` : undefined);
    setStage(isNew ? undefined : 'question');
  }

  async function dispatch(isTyped: boolean): Promise<void> {
    setStage('sending');
    const [result] = await submit(stores, { ...submission, isTyped, takesBack });
    setStage(undefined);
    if (result && result.state !== 'done') {
      setRefusal(result.says);
      sayIfClosed(stores, overlay, action, result);
      return;
    }
    formEdits.discard();
    navigation.dismiss(overlay);
  }

  return {
    submission,
    takesBack,
    plan,
    existing,
    /** The config's fields that the plan changes, with their values. */
    changedFields: rebuiltFields(target.row, draft),
    summary: sentence(planWords(plan, existing)),
    /** The refusal of the API, a warning of changes made elsewhere, or the first mistake once sending was tried. */
    refusal: refusal ?? (attempted ? complaint?.says : undefined),
    stage,
    back: () => setStage(undefined),
    preview: () => setStage('preview'),
    send: () => void send(),
    /** Sends it; `isTyped` tells that its label was typed. */
    agree: (isTyped: boolean) => void dispatch(isTyped),
    add: () =>
      openNode({ port: portOf(plan.at(-1)?.address) ?? draft.port ?? '80', mode: 'accept', weight: '100' }, (filled) =>
        setPlan([...plan, plannedFromDraft(filled)]),
      ),
    changesOf: (node: PlannedNode) => {
      const { label, address, mode, weight, ...rest } = node;
      const at = plan.indexOf(node);
      const replace = (other: PlannedNode) => setPlan(plan.with(at, other));
      return {
        edit: () =>
          openNode(
            { label, address, mode, weight: String(weight) },
            (filled) => replace({ ...rest, ...plannedFromDraft(filled) }),
            rest.id,
          ),
        leaveOut: () => {
          const { out, ...kept } = node;
          if (rest.id === undefined) setPlan(plan.toSpliced(at, 1));
          else replace(out ? kept : { ...kept, out: true });
        },
        mode: () => replace({ ...node, mode: modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'accept' }),
      };
    },
    editConfig: () => {
      const { nodes: _nodes, ...start } = draft;
      const form = { resource: resource.name, action: 'edit', targets: [target.params], params, start };
      navigation.open({ kind: 'form', ...form, into: keep });
    },
    startOver: () => {
      setRefusal(undefined);
      setAttempted(false);
      formEdits.discard();
    },
    close: () => navigation.dismiss(overlay),
  };
}
