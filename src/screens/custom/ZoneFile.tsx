import { Box } from 'ink';
import { useMemo } from 'react';
import { Lines } from '../../components/Line.tsx';
import { textLines } from '../../components/textLines.ts';
import { useTheme } from '../../components/theme.ts';
import { at } from '../../resources/resource.ts';
import { wrapCells } from '../../text/cells.ts';
import type { CustomProps } from '../props.ts';
import { TextPane } from '../TextPane.tsx';
import { useAnswer } from '../useStores.ts';
import { zoneTable } from './zoneTable.ts';

/** The zone file of a domain as last rendered (document 3, 4.1). */
export function ZoneFile({ resource, params, width, height }: CustomProps) {
  const theme = useTheme();
  const answer = useAnswer({ resource: resource.name, operation: 'zoneFile', params });
  const file = at(answer?.body, 'zone_file');
  const whole = [file ?? []].flat().join('\n');
  const lines = useMemo(
    () =>
      textLines(zoneTable(whole), width - 2).map((plain) => ({
        plain,
        shown: plain.startsWith(';') || plain.startsWith('$') ? theme.paint('dim', plain) : plain,
      })),
    [whole, width, theme],
  );
  if (whole !== '') return <TextPane lines={lines} whole={whole} width={width} height={height} />;
  const text =
    answer?.body === undefined
      ? answer?.error
        ? `${answer.error.message} r tries again.`
        : 'Reading the zone file …'
      : 'There is no zone file yet; rendering it takes some minutes after a change. A slave domain never has one.';
  return (
    <Box flexDirection="column" paddingTop={1} paddingLeft={2}>
      <Lines of={wrapCells(text, width - 4).map((line) => theme.paint('dim', line))} />
    </Box>
  );
}
