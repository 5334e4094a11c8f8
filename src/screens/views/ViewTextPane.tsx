import { useTheme } from '../../components/theme.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { copyText } from '../page/copyText.ts';
import { Page } from '../page/Page.tsx';
import type { OverlayProps } from '../props.ts';
import { useAppContext } from '../useStores.ts';
import { useViewText } from './SaveViewPane.tsx';

/** A view as TOML, to be copied into another configuration. */
export function ViewTextPane({ overlay, width, height }: OverlayProps<'viewText'>) {
  const theme = useTheme();
  const context = useAppContext();
  const { title, name, view, says } = overlay;
  const text = useViewText(name, JSON.stringify(view));
  const foot = wrapCells(clean(says), width - 4).map((line) => theme.paint('good', `  ${line}`));
  const lines = text.split('\n').flatMap((line) => wrapCells(clean(line), width - 4).map((part) => `  ${part}`));
  const copy = () => copyText(context, `view ${name}`, text);
  const close = () => context.stores.navigation.dismiss(overlay);
  return (
    <Page
      {...{ title, width, height }}
      layer="viewText"
      head={['', ...foot, '']}
      lines={lines}
      keys={{ copy, close }}
    />
  );
}
