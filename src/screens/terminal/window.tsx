import { Box, type RenderOptions, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { percentOf } from '../../store/events.ts';
import { allOf } from '../../store/listeners.ts';
import type { Stores } from '../../store/stores.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { wrapCells } from '../../text/cells.ts';
import { timerDelay } from '../../text/times.ts';
import { useKeys, useSaid } from '../keyboard.tsx';

/** The options with which Ink draws over the whole terminal. */
export const inkOptions = (terminal: Terminal): RenderOptions => ({
  stdin: terminal.stdin,
  stdout: terminal.stdout,
  exitOnCtrlC: false,
  patchConsole: false,
  alternateScreen: true,
  interactive: true,
  // Ink writes each frame whole, which is what the screen writer compares.
  debug: true,
  // Ink's own way writes the whole screen again at each key.
  isScreenReaderEnabled: false,
});

/** A failure is shown for so long. */
const failureMs = 5000;

/** The title of the window: `skydeck work: 4 critical`. */
export const windowTitle = (name: string, criticals: number): string =>
  `skydeck ${name}${criticals > 0 ? `: ${criticals} critical` : ''}`;

/** The part of the terminal that shows something outside its screen. */
type Signs = Pick<Terminal, 'takesProgress' | 'setTitle' | 'setProgress'>;

/** Keeps title and progress of the terminal's window up to date. Returns a function that ends this. */
export function watchWindow(stores: Stores, terminal: Signs): () => void {
  const { settings, problems } = stores;
  const showTitle = () => {
    const criticals = problems.getState().problems.filter(({ severity }) => severity === 'critical').length;
    terminal.setTitle(windowTitle(settings.host ?? settings.profile, criticals));
  };
  showTitle();
  const ends = [problems.subscribe(showTitle)];
  if (terminal.takesProgress) ends.push(watchProgress(stores, terminal));
  return allOf(ends);
}

type Work = Pick<Stores, 'events' | 'changes' | 'transfers'>;

/** The jobs of the API, and the changes and transfers of this session. */
const workOf = ({ events, changes, transfers }: Work) => ({
  events: events.getState().events,
  changes: changes.getState().changes,
  transfers: transfers.getState().transfers,
});

function watchProgress(stores: Work, terminal: Signs): () => void {
  let known = failuresIn(stores);
  // The first poll tells of old failures as well.
  let hasPolled = stores.events.getState().polledAt !== undefined;
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    const failures = failuresIn(stores);
    if (hasPolled && [...failures].some((one) => !known.has(one))) {
      terminal.setProgress('failed');
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        show();
      }, timerDelay(failureMs));
      timer.unref();
    }
    known = failures;
    hasPolled ||= stores.events.getState().polledAt !== undefined;
    if (timer === undefined) terminal.setProgress(progressOfWork(stores));
  };
  // Another account may have left its progress.
  show();
  const ends = [stores.events, stores.changes, stores.transfers].map((store) => store.subscribe(show));
  return allOf([...ends, () => clearTimeout(timer)]);
}

/** The mean progress of what is under way: jobs of the API, changes of several rows, and transfers. */
export function progressOfWork(stores: Work): number | 'busy' | undefined {
  const { events, changes, transfers } = workOf(stores);
  const shares: (number | undefined)[] = [
    ...events.filter(({ status }) => status === 'started').map(percentOf),
    ...changes
      .filter(({ isOver, results, action }) => !isOver && results.length > 1 && !action.multipart)
      .map(({ results }) => {
        const over = results.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
        return (over / results.length) * 100;
      }),
    ...transfers
      .filter(({ state }) => state === 'running')
      .map(({ bytes, total }) => (total ? Math.min(100, (bytes / total) * 100) : undefined)),
  ];
  if (shares.length === 0) return undefined;
  const known = shares.filter((share) => share !== undefined);
  if (known.length === 0) return 'busy';
  return Math.floor(known.reduce((sum, share) => sum + share, 0) / known.length);
}

/** Whatever has failed, by a name of its own. */
function failuresIn(stores: Work): ReadonlySet<string> {
  const { events, changes, transfers } = workOf(stores);
  return new Set([
    ...events.filter(({ status }) => status === 'failed').map(({ id }) => `event ${id}`),
    ...changes
      .filter(({ isOver, results }) => isOver && results.some(({ state }) => state === 'failed' || state === 'unknown'))
      .map(({ id }) => `change ${id}`),
    ...transfers.filter(({ state }) => state === 'failed').map(({ id }) => `transfer ${id}`),
  ]);
}

const minSize = { columns: 60, rows: 16 };

/** Whether the terminal is too small for any screen. */
export const isTooSmall = (columns: number, rows: number): boolean => columns < minSize.columns || rows < minSize.rows;

/** Tells the size that Skydeck needs, and what is said of keys, wrapped. */
export function TooSmall({ columns, rows, says = '' }: { columns: number; rows: number; says?: string }) {
  const theme = useTheme();
  const said = useSaid();
  const text = `Skydeck needs ${minSize.columns} columns and ${minSize.rows} rows, but has ${columns} and ${rows}.`;
  return (
    <Box flexDirection="column">
      <Lines
        of={[text, said || says]
          .filter(Boolean)
          .flatMap((one) => wrapCells(one, columns))
          .slice(0, rows)
          .map((line) => theme.paint('warn', line.trimEnd()))}
      />
    </Box>
  );
}

interface WithMinSizeProps {
  quit: () => void;
  /** Told in a terminal that is too small, such as what quitting loses. */
  says?: string | undefined;
  children: (size: { columns: number; rows: number }) => ReactNode;
}

/**
 * A screen as large as the terminal. In one that is too small it stays as it is, with all that was typed into it, but is
 * not seen, so that its keys do nothing.
 */
export function WithMinSize({ quit, says, children }: WithMinSizeProps) {
  const { columns, rows } = useWindowSize();
  const size = { columns: Math.max(columns, minSize.columns), rows: Math.max(rows, minSize.rows) };
  const isSmall = isTooSmall(columns, rows);
  return (
    <>
      {isSmall ? <TooSmall columns={columns} rows={rows} says={says} /> : null}
      {isSmall ? <QuitKey quit={quit} /> : null}
      <Box display={isSmall ? 'none' : 'flex'} flexDirection="column" width={size.columns} height={size.rows}>
        {children(size)}
      </Box>
    </>
  );
}

function QuitKey({ quit }: Pick<WithMinSizeProps, 'quit'>) {
  useKeys('tooSmall', { quit });
  return null;
}
