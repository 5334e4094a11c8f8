import { useMemo } from 'react';
import { textLines } from '../../components/textLines.ts';
import { useTheme } from '../../components/theme.ts';
import { at } from '../../resources/resource.ts';
import { columned } from '../../text/words.ts';
import { failureText } from '../freshness.ts';
import { TextPane } from '../page/TextPane.tsx';
import type { CustomProps } from '../props.ts';
import { useAnswer } from '../useStores.ts';

/** The zone file of a domain as last rendered (document 3, 4.1). */
export function ZoneFile({ resource, params, width, height }: CustomProps) {
  const theme = useTheme();
  const answer = useAnswer({ resource: resource.name, operation: 'zoneFile', params });
  const file = at(answer?.body, 'zone_file');
  const whole = [file ?? []].flat().join('\n');
  const lines = useMemo(
    () =>
      (whole === '' ? [] : textLines(zoneTable(whole), width - 2)).map((plain) => ({
        plain,
        shown: plain.startsWith(';') || plain.startsWith('$') ? theme.paint('dim', plain) : plain,
      })),
    [whole, width, theme],
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
