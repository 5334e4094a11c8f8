import { useMemo } from 'react';
import { shellSpans } from '../../components/shellSpans.ts';
import { painted, wrapSpans } from '../../components/spans.ts';
import { type Theme, useTheme } from '../../components/theme.ts';
import { at } from '../../resources/resource.ts';
import { viewQuery } from '../../store/cache.ts';
import { failureText } from '../freshness.ts';
import { type TextLine, TextPane } from '../page/TextPane.tsx';
import type { CustomProps } from '../props.ts';
import { useAnswer } from '../useStores.ts';

/** The script of a StackScript with line numbers and highlighting. */
export function StackScript({ resource, params, row, width, height }: CustomProps) {
  const theme = useTheme();
  const answer = useAnswer(viewQuery(resource, params));
  const script = at(answer?.body, 'script') ?? row.script;
  const lines = useMemo(
    () => (typeof script === 'string' ? scriptLines(theme, script, width - 1) : []),
    [theme, script, width],
  );
  const none = answer?.error
    ? failureText(answer.error)
    : answer?.loading
      ? 'Reading the script …'
      : 'This StackScript has no script.';
  return <TextPane {...{ lines, none, width, height }} />;
}

/** A script as numbered lines; wrapped lines continue without a number. */
function scriptLines(theme: Theme, script: string, width: number): readonly TextLine[] {
  const all = shellSpans(script.replace(/\n$/, ''));
  const digits = String(all.length).length;
  const bar = theme.glyphs === 'ascii' ? '|' : '│';
  return all.flatMap((spans, index) =>
    wrapSpans(spans, Math.max(8, width - digits - 4)).map((part, nth): TextLine => {
      const number = nth === 0 ? String(index + 1) : '';
      const gutter = `${number.padStart(digits)} ${bar} `;
      return {
        plain: gutter + part.map(({ text }) => text).join(''),
        shown: theme.paint('dim', gutter) + painted(theme, part),
      };
    }),
  );
}
