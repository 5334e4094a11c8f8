import { useMemo } from 'react';
import { textLines } from '../../components/textLines.ts';
import { useTheme } from '../../components/theme.ts';
import { at } from '../../resources/resource.ts';
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
    ? `${answer.error.message} r tries again.`
    : answer?.body === undefined
      ? 'Reading the zone file …'
      : 'There is no zone file yet; rendering it takes some minutes after a change. A slave domain never has one.';
  return <TextPane {...{ lines, whole, none, width, height }} />;
}

/** Characters of the name column at most. */
const maxNameWidth = 32;

/** A zone file with its records aligned in columns; comments and directives stay as they are. */
function zoneTable(file: string): string {
  const lines = file.split('\n').map((line) => (/^[;$]/.test(line) || !line.includes('\t') ? line : line.split('\t')));
  const records = lines.filter((line) => typeof line !== 'string');
  const widths = [maxNameWidth, 7, 2, 6].map((maxWidth, field) =>
    Math.min(maxWidth, Math.max(0, ...records.map((parts) => (parts[field] ?? '').length))),
  );
  return lines
    .map((line) =>
      typeof line === 'string'
        ? line
        : line
            .map((part, field) => part.padEnd(widths[field] ?? 0))
            .join('  ')
            .trimEnd(),
    )
    .join('\n');
}
