import { useState } from 'react';
import { useTheme } from '../components/theme.ts';
import { cell } from '../text/cells.ts';
import { useKeysOfPlace } from './keyboard.tsx';
import { keymap } from './keymap.ts';
import type { Key, Layer } from './keys/layer.ts';
import { ScrolledPane } from './NoticesPane.tsx';
import { useStores } from './useStores.ts';

/** Every key: first those that were active where help was opened, then all, layer by layer. */
export function HelpPane({ width, height }: { width: number; height: number }) {
  const theme = useTheme();
  const { navigation } = useStores();
  const keysOfPlace = useKeysOfPlace();
  const [here] = useState(() => keysOfPlace().commands.map(({ key }) => key));
  const section = (title: string, keys: readonly Key[]) => [
    theme.paint('accent', ` ${title}`),
    ...keys.map(({ keys: names, help }) => {
      const text = names.map((name) => (name === 'any' ? 'any other' : name)).join(' ');
      return `   ${theme.paint('key', cell(text, 24))} ${help}`;
    }),
    '',
  ];
  const layers = Object.values<Layer>(keymap).flatMap(({ title, keys }) => section(title, Object.values(keys)));
  const lines = [...section('Here', here), ...layers];
  return <ScrolledPane title="Keys" lines={lines} width={width} height={height} close={() => navigation.close()} />;
}
