import { resourceNamed } from '../resources/index.ts';
import type { Overlay } from '../store/navigation.ts';
import { actionNamed } from './actions.ts';
import { ConfirmPane } from './form/ConfirmPane.tsx';
import { FormPane } from './form/FormPane.tsx';
import { carryOut } from './form/submit.ts';
import { HelpPane } from './HelpPane.tsx';
import { ActionsMenu, CopyMenu, SortMenu } from './menus.tsx';
import { NoticesPane, ResultsPane } from './NoticesPane.tsx';
import { Palette } from './Palette.tsx';
import { subjectsAt } from './subjects.ts';
import { useDeck } from './useDeck.ts';

/** Where an overlay stands and how much of the body it takes. */
export interface OverlaySize {
  side: 'beside' | 'below';
  cells: number;
}

const wide = 120;

/** Forms stand beside the list where there is room and below it else; help takes everything. */
export function overlaySize({ kind }: Overlay, width: number, height: number): OverlaySize {
  if (kind === 'help' || kind === 'notices') return { side: 'below', cells: height };
  if (width >= wide) return { side: 'beside', cells: Math.max(60, Math.floor(width * (kind === 'form' ? 0.5 : 0.4))) };
  const share = kind === 'form' ? 0.72 : 0.6;
  return { side: 'below', cells: Math.min(height - 4, Math.max(10, Math.floor(height * share))) };
}

interface OverlayPaneProps {
  overlay: Overlay;
  width: number;
  height: number;
}

/** What lies over the present place. */
export function OverlayPane({ overlay, ...size }: OverlayPaneProps) {
  switch (overlay.kind) {
    case 'actions':
      return <ActionsMenu overlay={overlay} {...size} />;
    case 'form':
      return <FormPane overlay={overlay} {...size} />;
    case 'confirm':
      return <ConfirmOverlay overlay={overlay} {...size} />;
    case 'palette':
      return <Palette {...size} />;
    case 'sort':
      return <SortMenu overlay={overlay} {...size} />;
    case 'copy':
      return <CopyMenu overlay={overlay} {...size} />;
    case 'results':
      return <ResultsPane overlay={overlay} {...size} />;
    case 'notices':
      return <NoticesPane {...size} />;
    case 'help':
      return <HelpPane {...size} />;
    default:
      return null;
  }
}

/** The confirmation of an action that has nothing to fill in. */
function ConfirmOverlay({ overlay, ...size }: OverlayPaneProps & { overlay: Extract<Overlay, { kind: 'confirm' }> }) {
  const deck = useDeck();
  const resource = resourceNamed(overlay.resource);
  const action = actionNamed(resource, overlay.action);
  const subjects = subjectsAt(deck, resource, overlay.targets);
  const errand = { resource, action, subjects, params: overlay.params, draft: {} };
  const agree = async () => {
    deck.navigation.dismiss(overlay);
    const done = await carryOut(deck, errand);
    const [first] = done;
    if (done.length === 1 && first?.failure) deck.notices.say('bad', first.failure);
  };
  return (
    <ConfirmPane errand={errand} {...size} agree={() => void agree()} cancel={() => deck.navigation.dismiss(overlay)} />
  );
}
