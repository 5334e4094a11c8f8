import { Line } from '../../components/Line.tsx';
import type { Overlay } from '../../store/navigation.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { useStores } from '../useStores.ts';

interface ClosedPaneProps {
  title: string;
  /** Why there is nothing to fill in or confirm. */
  text: string;
  overlay: Overlay;
  width: number;
  height: number;
}

/** Stands in for a form or confirmation that is not ready, or not possible any more. */
export function ClosedPane({ title, text, overlay, width, height }: ClosedPaneProps) {
  const { navigation } = useStores();
  useKeys('pane', { close: () => navigation.dismiss(overlay) });
  return (
    <Pane title={title} width={width} height={height}>
      <Line text={`  ${text}`} />
    </Pane>
  );
}
