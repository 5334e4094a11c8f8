import { Transform } from 'ink';
import { memo, type ReactNode } from 'react';
import type { Glyphs } from './format.ts';
import { useTheme } from './theme.ts';

/** ASCII in the place of signs of print; one cell each, as before. */
const plainSigns: Readonly<Record<string, string>> = {
  '…': '~',
  '·': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '›': '>',
  '▸': '>',
  '▾': 'v',
  '→': '>',
  '’': "'",
  '×': 'x',
};
const signs = new RegExp(`[${Object.keys(plainSigns).join('')}]`, 'g');

/** A text with the signs of print that a terminal can draw. */
export const signsIn = (glyphs: Glyphs, text: string): string =>
  glyphs === 'ascii' ? text.replace(signs, (sign) => plainSigns[sign] ?? sign) : text;

/**
 * One finished line of the screen, already as wide as it may be; drawn again only when it differs. To the layout it is
 * one blank, so that Ink neither measures nor cleans what is known to fit; beside others it stands in a box of its width.
 */
export const Line = memo(function Line({ text }: { text: string }) {
  const { glyphs } = useTheme();
  const drawn = signsIn(glyphs, text);
  return (
    <Transform transform={() => drawn} accessibilityLabel={drawn}>
      {' '}
    </Transform>
  );
});

/** Finished lines, one below the other. */
export const Lines = ({ of }: { of: readonly string[] }): ReactNode =>
  of.map((text, index) => <Line key={index} text={text} />);
