import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import type { Overlay } from '../../store/navigation.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { useKeys } from '../keyboard.tsx';
import { copyText } from '../menus/copies.ts';
import { Pane } from '../Pane.tsx';
import { useAppContext } from '../useStores.ts';
import { useViewText } from './SaveViewPane.tsx';

interface ViewTextPaneProps {
  overlay: Extract<Overlay, { kind: 'viewText' }>;
  width: number;
  height: number;
}

/** A view as TOML, to be copied into another configuration. */
export function ViewTextPane({ overlay, width, height }: ViewTextPaneProps) {
  const theme = useTheme();
  const context = useAppContext();
  const { title, name, view, says } = overlay;
  const text = useViewText(name, JSON.stringify(view));
  useKeys('viewText', {
    copy: () => copyText(context, `view ${name}`, text),
    close: () => context.stores.navigation.dismiss(overlay),
  });
  const foot = wrapCells(clean(says), width - 4).map((line) => theme.paint('good', `  ${line}`));
  const lines = text.split('\n').flatMap((line) => wrapCells(clean(line), width - 4).map((part) => `  ${part}`));
  return (
    <Pane title={title} width={width} height={height}>
      {['', ...foot, '', ...lines].slice(0, height - 1).map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Pane>
  );
}
