import { useStore } from 'zustand';
import { useTheme } from '../../components/theme.ts';
import { changeCounts, isStoppable, type PendingChange } from '../../store/changes/pendingChanges.ts';
import { withJobs } from '../../store/changes/whoDidIt.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Page } from '../page/Page.tsx';
import type { OverlayProps } from '../props.ts';
import { useStores } from '../useStores.ts';
import { resultLines } from './changeLines.ts';
import { useStopKey } from './useProgress.ts';

/** The result of a change on each of its rows so far, failures first, left out rows last. */
export function ResultsPane({ overlay, width, height }: OverlayProps<'results'>) {
  const theme = useTheme();
  const { changes, navigation, events } = useStores();
  const sent = useStore(changes, ({ changes }) => changes.find(({ id }) => id === overlay.change));
  const known = useStore(events, (state) => state.events);
  const change = sent && withJobs(sent, known);
  useStopKey();
  const { leftOut } = overlay;
  const results = change?.results ?? [];
  return (
    <Page
      layer="pane"
      title={change ? titleOf(change, leftOut.length) : 'No longer available'}
      lines={[results, leftOut].flatMap((some) => resultLines(theme, some, width))}
      width={width}
      height={height}
      keys={{ close: () => navigation.close() }}
    />
  );
}

function titleOf(change: PendingChange, leftOut: number): string {
  const isOne = change.results.length + leftOut === 1;
  const isRest =
    leftOut > 0 ||
    change.results.some(({ state }) => state === 'failed' || state === 'unknown' || state === 'not sent');
  const then = isStoppable(change)
    ? `; ${keyLabel('everywhere.stopSending', 'X')} stops those waiting`
    : change.isOver && isRest
      ? `; ${change.action.parts ? 'the form has what is left' : 'these stay marked'}`
      : '';
  return isOne ? change.title : `${change.action.help}: ${changeCounts(change, leftOut)}${then}`;
}
