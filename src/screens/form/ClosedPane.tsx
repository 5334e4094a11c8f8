import type { Overlay } from '../../store/navigation.ts';
import { Page } from '../page/Page.tsx';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';

interface ClosedPaneProps extends Size {
  title: string;
  /** Why there is nothing to fill in or confirm. */
  text: string;
  overlay: Overlay;
}

/** Stands in for a form or confirmation that is not ready, or not possible any more. */
export function ClosedPane({ text, overlay, ...pane }: ClosedPaneProps) {
  const { navigation } = useStores();
  return <Page {...pane} layer="pane" lines={[]} none={text} keys={{ close: () => navigation.dismiss(overlay) }} />;
}
