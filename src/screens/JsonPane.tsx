import { useMemo } from 'react';
import { painted } from '../components/cells.ts';
import { jsonLines } from '../components/JsonTree.ts';
import { useTheme } from '../components/theme.ts';
import { TextPane } from './TextPane.tsx';

/** A value as coloured JSON that can be searched. */
export function JsonPane({ value, width, height }: { value: unknown; width: number; height: number }) {
  const theme = useTheme();
  const lines = useMemo(
    () => jsonLines(value, width - 2).map(({ text, spans }) => ({ plain: text, shown: painted(theme, spans) })),
    [value, width, theme],
  );
  return <TextPane lines={lines} width={width} height={height} />;
}
