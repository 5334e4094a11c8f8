import { type ComponentType, useMemo } from 'react';
import { useStore } from 'zustand';
import { actionNamed, resourceNamed } from '../resources/index.ts';
import { type Agreed, type Target, type Tempo, targetsAt } from '../store/changes/change.ts';
import { submitWithoutForm } from '../store/changes/submit.ts';
import type { Overlay } from '../store/navigation.ts';
import { putInPlan } from '../store/plans/planning.ts';
import { submitAtTempo } from '../store/plans/running.ts';
import { ColumnsPane } from './columns/ColumnsPane.tsx';
import { AddCommandPane, OutputPane, ResultsPane } from './commands/commandPanes.tsx';
import { customDialogs } from './custom/index.ts';
import { ConfirmPane } from './form/ConfirmPane.tsx';
import { FormPane } from './form/FormPane.tsx';
import { SecretPane } from './form/SecretPane.tsx';
import { HelpPane } from './help/HelpPane.tsx';
import { ComparisonPane } from './history/ComparisonPane.tsx';
import { ExportMenu } from './menus/ExportMenu.tsx';
import { ActionsMenu, CopyMenu, CreationsMenu, SortMenu } from './menus/menus.tsx';
import { RelatedMenu } from './menus/RelatedMenu.tsx';
import { ClosedPane } from './page/Page.tsx';
import { NamedAccountContext } from './page/Pane.tsx';
import { Palette } from './palette/Palette.tsx';
import { PlanPane } from './plans/PlanPane.tsx';
import { TakeBackPane } from './plans/TakeBackPane.tsx';
import { AcknowledgePane } from './problems/problemKeys.tsx';
import { useReads } from './useReads.ts';
import { type OverlayProps, type Size, useAppContext, useStores } from './useStores.ts';
import { SaveViewPane, ViewTextPane } from './views/viewPanes.tsx';

/** Overlays that take the whole body. */
const wholeKinds: ReadonlySet<Overlay['kind']> = new Set(['help', 'output', 'comparison', 'plan', 'takeBack']);

/** Popups of other lines than those of a menu are no wider. */
const maxSheet = 100;

/** The kinds that are as wide as their items. */
const menuKinds: ReadonlySet<Overlay['kind']> = new Set(['actions', 'creations', 'palette', 'sort', 'copy', 'related']);

/**
 * The most that an overlay takes of the body: help, output, comparisons, and a plan all of it.
 * @returns with the lines that it mostly covers, and those that are left for the end of a frame; what has no room beside
 *   it has no frame
 */
export function overlayRoom(
  overlay: Overlay,
  width: number,
  height: number,
): Size & Record<'covers' | 'frame', number> {
  const { kind } = overlay;
  if (wholeKinds.has(kind)) return { width, height, covers: height, frame: 0 };
  const asked = kind === 'confirm' ? overlay.targets.length : 1;
  const isItsOwn = menuKinds.has(kind) || asked > 1;
  const isNarrow = width <= maxSheet + 2;
  const room = { width: isItsOwn || isNarrow ? width : maxSheet, frame: isItsOwn || !isNarrow ? 1 : 0 };
  const half = Math.floor(height / 2);
  // Half of a small window holds hardly more of a form than its foot.
  const lines =
    kind === 'form' || kind === 'dialog'
      ? Math.max(10, Math.min(Math.floor(height * 0.72), Math.max(16, half)))
      : kind === 'columns'
        ? Math.max(6, half)
        : Math.max(10, Math.min(kind === 'palette' ? 16 : 20, half));
  const usual = Math.min(height - 4, lines);
  // Secrets, what is added to a file, and the rows that a question is about, need all lines; one secret takes few.
  const needsAll = kind === 'secret' || kind === 'addCommand' || asked > 1;
  const most = needsAll ? height - 1 : usual;
  // A question about several rows takes some ten lines besides these.
  return { ...room, height: most, covers: Math.min(most, Math.max(usual, asked > 1 ? asked + 10 : 0)) };
}

type OverlayPaneProps = Size & { overlay: Overlay };

/** The pane of an overlay; one that changes something names the account, where several are open. */
export function OverlayPane(props: OverlayPaneProps) {
  const { accounts, stores } = useAppContext();
  const { overlay } = props;
  const { kind } = overlay;
  const Shown = panes[kind] as ComponentType<OverlayPaneProps>;
  const changes = kind === 'form' || kind === 'confirm' || kind === 'dialog' || kind === 'takeBack';
  const isOne = useStore(accounts, ({ opened }) => Object.keys(opened).length === 1);
  const profile = useStore(accounts, ({ current }) => current);
  const hue = useStore(stores.configuration, ({ color }) => color);
  // A pane is about its rows alone: that of others begins anew.
  const asked = useMemo(() => ('targets' in overlay ? JSON.stringify(overlay.targets) : undefined), [overlay]);
  const named = useMemo(() => (isOne || !changes ? undefined : { profile, hue }), [isOne, changes, profile, hue]);
  return (
    <NamedAccountContext value={named}>
      <Shown key={overlay.kind === 'related' ? overlay.group : asked} {...props} />
    </NamedAccountContext>
  );
}

/** The pane of each kind of overlay; the filter is typed in its list. */
const panes: { readonly [K in Overlay['kind']]: ComponentType<OverlayProps<K>> } = {
  actions: ActionsMenu,
  form: FormPane,
  creations: CreationsMenu,
  dialog: DialogOverlay,
  confirm: ConfirmOverlay,
  secret: SecretPane,
  takeBack: TakeBackPane,
  reading: ({ overlay, ...size }) => <ClosedPane {...overlay} overlay={overlay} {...size} />,
  plan: PlanPane,
  palette: Palette,
  filter: () => null,
  sort: SortMenu,
  columns: ColumnsPane,
  saveView: SaveViewPane,
  viewText: ViewTextPane,
  addCommand: AddCommandPane,
  copy: CopyMenu,
  export: ExportMenu,
  related: RelatedMenu,
  acknowledge: AcknowledgePane,
  results: ResultsPane,
  comparison: ComparisonPane,
  output: OutputPane,
  help: HelpPane,
};

/** The custom dialog of an action that no form can show. */
function DialogOverlay({ overlay, ...size }: OverlayProps<'dialog'>) {
  const { dialog } = actionNamed(resourceNamed(overlay.resource), overlay.action);
  const Dialog = dialog && customDialogs[dialog];
  if (!Dialog) throw new Error(`${overlay.action} of ${overlay.resource} has no dialog of its own`);
  return <Dialog overlay={overlay} {...size} />;
}

/** The confirmation of an action that has nothing to fill in. */
function ConfirmOverlay({ overlay, ...size }: OverlayProps<'confirm'>) {
  const stores = useStores();
  const resource = resourceNamed(overlay.resource);
  const action = actionNamed(resource, overlay.action);
  const { takesBack } = overlay;
  const targets = overlay.targets.flatMap((params, index) =>
    targetsAt(stores.view, resource, [params]).map((target) => ({ ...target, own: takesBack?.own[index] })),
  );
  const submission = { resource, action, targets, params: overlay.params, draft: {}, takesBack };
  const agree = (included: readonly Target[], agreed: Agreed) => {
    stores.navigation.dismiss(overlay);
    void submitAtTempo(stores, { ...submission, ...agreed, targets: included }, submitWithoutForm);
  };
  const plan = (planned: readonly Target[], tempo?: Tempo) => {
    const why = putInPlan(stores, { ...submission, targets: planned, tempo });
    if (why === undefined) stores.navigation.dismiss(overlay);
    else stores.notices.say('bad', why);
  };
  const isReady = useReads(action, overlay.targets);
  if (!isReady)
    return <ClosedPane title={action.help} text="Reading what it depends on …" overlay={overlay} {...size} />;
  return (
    <ConfirmPane
      submission={submission}
      takesBack={takesBack}
      about={overlay.about}
      {...size}
      confirm={agree}
      plan={plan}
      cancel={() => stores.navigation.dismiss(overlay)}
    />
  );
}
