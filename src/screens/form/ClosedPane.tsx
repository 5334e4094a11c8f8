import { Line } from '../../components/Line.tsx';
import type { Overlay } from '../../store/navigation.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { useStores } from '../useStores.ts';

interface ClosedPaneProps {
  title: string;
  /** Why there is nothing to fill in or to answer. */
  text: string;
  overlay: Overlay;
  width: number;
  height: number;
}

/** Stands in for a form or a question that is not there yet or not any more. */
export function ClosedPane({ title, text, overlay, width, height }: ClosedPaneProps) {
  const { navigation } = useStores();
  useKeys('pane', { close: () => navigation.dismiss(overlay) });
  return (
    <Pane title={title} width={width} height={height}>
      <Line text={`  ${text}`} />
    </Pane>
  );
}
