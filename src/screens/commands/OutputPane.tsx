import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { jsonLines } from '../../components/jsonLines.ts';
import { Line } from '../../components/Line.tsx';
import { painted } from '../../components/spans.ts';
import { type Theme, useTheme } from '../../components/theme.ts';
import type { Result } from '../../store/changes/change.ts';
import { isStoppable, type PendingChange } from '../../store/changes/pendingChanges.ts';
import type { Overlay } from '../../store/navigation.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sizeText } from '../../text/numbers.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane, placeIn } from '../Pane.tsx';
import { useProgress } from '../transfers/useProgress.ts';
import { moveHandlers } from '../useScroll.ts';
import { useStores } from '../useStores.ts';

interface OutputPaneProps {
  overlay: Extract<Overlay, { kind: 'output' }>;
  width: number;
  height: number;
}

/** The output of a command on each of its rows, as it comes; the end is in sight while it runs or where it failed, until somebody scrolls. */
export function OutputPane({ overlay, width, height }: OutputPaneProps) {
  const theme = useTheme();
  const { changes, navigation } = useStores();
  const change = useStore(changes, ({ changes }) => changes.find(({ id }) => id === overlay.change));
  const { stopSending } = useProgress();
  const [wanted, setWanted] = useState<number | 'end'>();
  const lines = useMemo(() => (change ? linesOf(theme, change, width - 3) : []), [theme, change, width]);
  const body = Math.max(1, height - 1);
  const lowest = Math.max(0, lines.length - body);
  const isFine = change?.isOver && change.results.every(({ state }) => state === 'done');
  const asked = wanted ?? (isFine ? 0 : 'end');
  const top = asked === 'end' ? lowest : Math.min(asked, lowest);
  const setTop = (line: number) => setWanted(line >= lowest ? 'end' : line);
  useKeys('progress', { stopSending });
  useKeys('pane', { ...moveHandlers(top, lowest + 1, body, setTop), close: () => navigation.close() });
  return (
    <Pane
      title={change ? titleOf(change) : 'No longer available'}
      note={placeIn(theme, top, body, lines.length)}
      width={width}
      height={height}
    >
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={` ${line}`} />
      ))}
    </Pane>
  );
}

function titleOf(change: PendingChange): string {
  const { title, results, isStopping } = change;
  if (!change.isOver) {
    const how = isStopping ? 'is being stopped' : 'runs';
    return `${title} ${how}${isStoppable(change) ? `; ${keyLabel('everywhere.stopSending', 'X')} stops it` : ''}`;
  }
  const failed = results.filter(({ state }) => state !== 'done').length;
  if (results.length > 1) return failed === 0 ? title : `${title}: ${failed} of ${results.length} failed`;
  const ending = results[0]?.output?.ending?.replace(/\.$/, '');
  return failed === 0 ? title : `${title}: ${ending ?? 'failed'}`;
}

/** The lines of all rows; of several, each begins with its name. */
function linesOf(theme: Theme, { results }: PendingChange, width: number): readonly string[] {
  const isOne = results.length === 1;
  return results.flatMap((result) => {
    const head = isOne ? [] : [theme.paint('title', clean(result.label))];
    return [...head, ...outputLines(theme, result, width), ...(isOne ? [] : [''])];
  });
}

function outputLines(theme: Theme, { state, says, output }: Result, width: number): readonly string[] {
  const { lines = [], droppedBytes = 0, value, ending, ms } = output ?? {};
  const role = state === 'failed' ? 'bad' : 'dim';
  const wrapped = (text: string) => wrapCells(clean(text, text.length), width).map((line) => theme.paint(role, line));
  if (value !== undefined) return jsonLines(value, width).map(({ spans }) => painted(theme, spans));
  const dropped = droppedBytes > 0 ? wrapped(`${sizeText(droppedBytes)} more were printed and not kept.`) : [];
  const time = ms === undefined ? '' : ` It took ${(ms / 1000).toFixed(1)} s.`;
  return [
    ...lines.flatMap((line) => wrapCells(line, width)),
    ...dropped,
    ...(ending === undefined ? wrapped(stateText(state, says)) : wrapped(`${ending}${time}`)),
  ];
}

const stateText = (state: Result['state'], says: string | undefined): string =>
  says ??
  { waiting: 'waits', running: '', done: 'done', unknown: 'unknown', failed: 'failed', 'not sent': 'not run' }[state];
