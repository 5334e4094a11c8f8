import { saidLines } from '../../components/spans.ts';
import { type CellColumn, cellTable, type TableCell } from '../../components/tableLayout.ts';
import { type Role, type Theme, useTheme } from '../../components/theme.ts';
import { actionNamed, resourceNamed } from '../../resources/index.ts';
import type { BalancerNode } from '../../resources/networking/nodeText.ts';
import { type Fate, fateOf, type PlannedNode, plannedFields } from '../../resources/networking/rebuild.ts';
import { type Agreed, type Target, targetsAt } from '../../store/changes/change.ts';
import { clean, cut } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { ConfirmPane } from '../form/ConfirmPane.tsx';
import { SubmissionRequest } from '../form/preview.tsx';
import { useBusyKeys } from '../form/useFormKeys.ts';
import { ClosedPane, Page } from '../page/Page.tsx';
import { backTitle, differingWords } from '../undo/outlook.ts';
import { useReads } from '../useReads.ts';
import { type DialogProps, useStores, useView } from '../useStores.ts';
import { type Rebuild, useRebuild } from './useRebuild.ts';

/** Edits a config and all its nodes as one request, and shows what it does to each node (document 3, 4.2). */
export function RebuildDialog({ overlay, ...size }: DialogProps) {
  const stores = useStores();
  const resource = resourceNamed(overlay.resource);
  const isReady = useReads(actionNamed(resource, overlay.action), overlay.targets);
  const [target] = targetsAt(stores.view, resource, overlay.targets);
  const text = isReady ? `This ${resource.one} is gone.` : 'Reading its nodes …';
  if (!isReady || !target) return <ClosedPane title="Rebuild" text={text} {...size} overlay={overlay} />;
  return <OpenRebuild overlay={overlay} target={target} {...size} />;
}

function OpenRebuild({ overlay, target, ...size }: DialogProps & { target: Target }) {
  const theme = useTheme();
  const rebuild = useRebuild(overlay, target);
  const [view, setView] = useView(`${overlay.resource}:rebuild`);
  const { plan, existing, submission, takesBack, stage, back, close } = rebuild;
  // A change made while the request is sent would be lost.
  const isBusy = stage === 'reading' || stage === 'sending';
  const { message: busyText, press } = useBusyKeys(isBusy);
  if (stage === 'question') {
    const confirm = (_: unknown, { isTyped = false }: Agreed) => rebuild.agree(isTyped);
    return <ConfirmPane {...{ submission, takesBack, confirm }} {...size} cancel={back} />;
  }
  const title = backTitle(takesBack, `Rebuild port ${String(submission.draft.port ?? '')}`);
  if (stage === 'preview')
    return <SubmissionRequest {...{ title, submission }} {...size} send={rebuild.send} close={back} />;
  const noNode = `There is no node; ${keyLabel('rebuild.add', 'n')} adds one.`;
  const keysOf = (node: PlannedNode | undefined) => ({
    close,
    send: rebuild.send,
    add: () => {
      setView({ cursor: String(plan.length) });
      rebuild.add();
    },
    config: rebuild.editConfig,
    preview: rebuild.preview,
    plan: `It is done in several steps of a dialog, which no plan can hold; ${keyLabel('rebuild.send', 'ctrl-s')} sends it.`,
    discard: rebuild.startOver,
    ...(node ? rebuild.changesOf(node) : { edit: noNode, leaveOut: noNode, mode: noNode }),
  });
  const cells = plan.map((node) => nodeCells(node, existing));
  const { head, line } = cellTable(theme, nodeColumns, cells, size.width);
  return (
    <Page
      {...size}
      layer="rebuild"
      title={title}
      head={[...configLines(theme, rebuild, size.width), head]}
      lines={plan.map((_, nth) => ({ id: String(nth), text: (isCurrent) => line(nth, isCurrent) }))}
      foot={footerLines(theme, rebuild, busyText, size.width)}
      cursor={view.cursor ?? '0'}
      setCursor={(cursor) => setView({ cursor })}
      again={keyLabel('rebuild.edit', 'enter')}
      keys={(current) => (isBusy ? { close, busy: press } : keysOf(plan[Number(current)]))}
    />
  );
}

/** The planned config, its changed fields, and what is not as before once a rebuild was taken back. */
function configLines(
  theme: Theme,
  { submission, changedFields, takesBack }: Rebuild,
  width: number,
): readonly string[] {
  const words = plannedFields(submission.draft).join(', ');
  const after = takesBack ? differingWords(takesBack) : '';
  const changed = changedFields.length === 0 ? '' : `changed: ${changedFields.join(', ')}`;
  return [
    ` ${cut(clean(words), width - 2)}`,
    ...(changed ? [` ${theme.paint('busy', cut(clean(changed), width - 2))}`] : []),
    ...(after ? saidLines(theme, after, width - 2, 'warn') : []),
  ];
}

/** The request under way, else the refusal or mistake, else the summary of the plan. */
function footerLines(
  theme: Theme,
  { refusal, summary, stage }: Rebuild,
  busyText: string,
  width: number,
): readonly string[] {
  const said = (text: string, role: Role) => saidLines(theme, text, width - 2, role);
  const leaves = `${keyLabel('rebuild.close', 'esc')} leaves it; the line below stays.`;
  if (stage === 'sending') return said(`Sending … ${leaves} ${busyText}`, 'busy');
  if (stage === 'reading') return said(`Reading it again, to see whether others have changed it … ${busyText}`, 'busy');
  return refusal ? said(refusal, 'bad') : said(summary, 'dim');
}

const fates: Readonly<Record<Fate, { word: string; role: Role }>> = {
  keep: { word: 'keep', role: 'dim' },
  update: { word: 'update', role: 'busy' },
  delete: { word: 'delete', role: 'bad' },
  create: { word: 'create', role: 'good' },
};

const nodeColumns: readonly CellColumn[] = [
  { title: '', content: 6 },
  { title: 'LABEL' },
  // An IPv4 address with its port.
  { title: 'ADDRESS', least: 21 },
  { title: 'MODE' },
  { title: 'WEIGHT', align: 'right' },
];

/** A planned node as cells: its fate and its values, `old → new` where they change. */
function nodeCells(node: PlannedNode, existing: readonly BalancerNode[]): readonly TableCell[] {
  const fate = fateOf(node, existing);
  const before = existing.find(({ id }) => id === node.id);
  const { word, role } = fates[fate];
  const values = (['label', 'address', 'mode', 'weight'] as const).map((name): TableCell => {
    const isChanged = fate === 'update' && before && String(before[name] ?? '') !== String(node[name]);
    const text = isChanged ? `${before[name] ?? ''} → ${node[name]}` : String(node[name]);
    return { text, role: fate === 'delete' ? 'dim' : 'plain' };
  });
  return [{ text: word, role }, ...values];
}
