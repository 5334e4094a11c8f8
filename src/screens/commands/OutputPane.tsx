import { useMemo } from 'react';
import { useStore } from 'zustand';
import { jsonLines } from '../../components/jsonLines.ts';
import { painted } from '../../components/spans.ts';
import { marksOf, type Role, type Theme, useTheme } from '../../components/theme.ts';
import type { Result } from '../../store/changes/change.ts';
import { isPausable, isStoppable, type PendingChange } from '../../store/changes/pendingChanges.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sizeText } from '../../text/numbers.ts';
import { type TextLine, TextPane } from '../page/TextPane.tsx';
import type { OverlayProps } from '../props.ts';
import { useStopKey } from '../transfers/useProgress.ts';
import { useStores } from '../useStores.ts';

/** The output of a command on each of its rows, as it comes; the end is in sight while it runs or where it failed, until somebody scrolls. */
export function OutputPane({ overlay, width, height }: OverlayProps<'output'>) {
  const theme = useTheme();
  const { changes, navigation } = useStores();
  const change = useStore(changes, ({ changes }) => changes.find(({ id }) => id === overlay.change));
  const lines = useMemo(() => (change ? linesOf(theme, change, width - 3) : []), [theme, change, width]);
  const isFine = change?.isOver && change.results.every(({ state }) => state === 'done');
  useStopKey();
  const title = change ? titleOf(change) : 'No longer available';
  const pane = { title, close: () => navigation.close(), startsAtEnd: !isFine };
  return <TextPane lines={lines} whole={change && wholeOf(change)} width={width} height={height} pane={pane} />;
}

/** All that was printed, as it was printed; of several rows each begins with its name. */
function wholeOf({ results }: PendingChange): string {
  return results
    .flatMap(({ label, output: { lines = [], value } = {} }) => [
      ...(results.length > 1 ? [label] : []),
      ...(value === undefined ? lines : [visibleJson(value, 2)]),
    ])
    .join('\n');
}

function titleOf(change: PendingChange): string {
  const { title, results, isStopping } = change;
  if (!change.isOver) {
    const how = isStopping ? 'is being stopped' : change.isPaused ? 'is paused' : 'runs';
    const pause = keyLabel('everywhere.pause', 'Z');
    const held = isPausable(change) ? `; ${pause} ${change.isPaused ? 'goes on' : 'pauses'}` : '';
    return `${title} ${how}${held}${isStoppable(change) ? `; ${keyLabel('everywhere.stopSending', 'X')} stops it` : ''}`;
  }
  const failed = results.filter(({ state }) => state !== 'done').length;
  if (results.length > 1) return failed === 0 ? title : `${title}: ${failed} of ${results.length} failed`;
  const ending = results[0]?.output?.ending?.replace(/\.$/, '');
  return failed === 0 ? title : `${title}: ${ending ?? 'failed'}`;
}

/** The lines of all rows; of several, each begins with its name. */
function linesOf(theme: Theme, { results }: PendingChange, width: number): readonly TextLine[] {
  const isOne = results.length === 1;
  return results.flatMap((result) => {
    const head = isOne ? [] : [lineIn(theme, 'title', clean(result.label))];
    return [...head, ...outputLines(theme, result, width), ...(isOne ? [] : [{ plain: '', shown: '' }])];
  });
}

const lineIn = (theme: Theme, role: Role, plain: string): TextLine => ({ plain, shown: theme.paint(role, plain) });

function outputLines(theme: Theme, { state, says, output }: Result, width: number): readonly TextLine[] {
  const { lines = [], tones = [], droppedBytes = 0, value, ending, ms } = output ?? {};
  const role = state === 'failed' ? 'bad' : 'dim';
  const { good, bad, waiting } = marksOf(theme);
  const marks = { good: `${good} `, bad: `${bad} `, warn: '? ', dim: `${waiting} `, plain: '' };
  const lined = (text: string, role: Role, mark = '') =>
    wrapCells(mark + text, width, mark.length).map((line) => lineIn(theme, role, line));
  const wrapped = (text: string) => lined(clean(text, text.length), role);
  if (value !== undefined)
    return jsonLines(value, width).map(({ text, spans }) => ({ plain: text, shown: painted(theme, spans) }));
  const dropped = droppedBytes > 0 ? wrapped(`${sizeText(droppedBytes)} more were printed and not kept.`) : [];
  const time = ms === undefined ? '' : ` It took ${(ms / 1000).toFixed(1)} s.`;
  return [
    ...lines.flatMap((line, nth) => lined(line, tones[nth] ?? 'plain', marks[tones[nth] ?? 'plain'])),
    ...dropped,
    ...(ending === undefined ? wrapped(stateText(state, says)) : wrapped(`${ending}${time}`)),
  ];
}

const stateText = (state: Result['state'], says: string | undefined): string =>
  says ??
  { waiting: 'waits', running: '', done: 'done', unknown: 'unknown', failed: 'failed', 'not sent': 'not run' }[state];
