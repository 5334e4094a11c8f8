import { useMemo } from 'react';
import type { Glyphs } from '../../components/format.ts';
import { shellSpans } from '../../components/shellSpans.ts';
import { type Span, textLines, wrapSpans } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import { at } from '../../resources/resource.ts';
import { viewQuery } from '../../store/cache.ts';
import { columned } from '../../text/words.ts';
import { failureText } from '../freshness.ts';
import { TextPane } from '../page/TextPane.tsx';
import { type CustomProps, useAnswer } from '../useStores.ts';

/** The zone file of a domain as last rendered (document 3, 4.1). */
export function ZoneFile({ resource, params, width, height }: CustomProps) {
  const answer = useAnswer({ resource: resource.name, operation: 'zoneFile', params });
  const file = at(answer?.body, 'zone_file');
  const whole = [file ?? []].flat().join('\n');
  const lines = useMemo(
    () =>
      (whole === '' ? [] : textLines(zoneTable(whole), width - 2)).map((text): readonly Span[] => [
        { text, role: /^[;$]/.test(text) ? 'dim' : undefined },
      ]),
    [whole, width],
  );
  const none = answer?.error
    ? failureText(answer.error)
    : answer?.body === undefined
      ? 'Reading the zone file …'
      : 'There is no zone file yet; rendering it takes some minutes after a change. A slave domain never has one.';
  return <TextPane {...{ lines, whole, none, width, height }} />;
}

/** A zone file with its records aligned in columns, of which names are shown whole up to a width; the rest stays as it is. */
function zoneTable(file: string): string {
  const lines = file.split('\n');
  const isRecord = (line: string) => !/^[;$]/.test(line) && line.includes('\t');
  const records = columned(
    lines.filter(isRecord).map((line) => line.split('\t')),
    [32, 7, 2, 6, 0],
  ).values();
  return lines.map((line) => (isRecord(line) ? records.next().value : line)).join('\n');
}

/** The script of a StackScript with line numbers and highlighting. */
export function StackScript({ resource, params, row, width, height }: CustomProps) {
  const { glyphs } = useTheme();
  const answer = useAnswer(viewQuery(resource, params));
  const script = at(answer?.body, 'script') ?? row.script;
  const lines = useMemo(
    () => (typeof script === 'string' ? scriptLines(glyphs, script, width - 1) : []),
    [glyphs, script, width],
  );
  const none = answer?.error
    ? failureText(answer.error)
    : answer?.loading
      ? 'Reading the script …'
      : 'This StackScript has no script.';
  return <TextPane {...{ lines, none, width, height }} />;
}

/** A script as numbered lines; wrapped lines continue without a number. */
function scriptLines(glyphs: Glyphs, script: string, width: number): readonly (readonly Span[])[] {
  const all = shellSpans(script.replace(/\n$/, ''));
  const digits = String(all.length).length;
  const bar = glyphs === 'ascii' ? '|' : '│';
  return all.flatMap((spans, index) =>
    wrapSpans(spans, Math.max(8, width - digits - 4)).map((part, nth): readonly Span[] => {
      const number = nth === 0 ? String(index + 1) : '';
      return [{ text: `${number.padStart(digits)} ${bar} `, role: 'dim' }, ...part];
    }),
  );
}
