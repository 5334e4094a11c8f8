import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { jsonLines } from '../../components/jsonLines.ts';
import type { Span } from '../../components/spans.ts';
import { marksOf, type Role, type Theme, useTheme } from '../../components/theme.ts';
import { addedCommand, commandText, lackingWords, missingOn } from '../../config/missingCommands.ts';
import { resourceNamed } from '../../resources/index.ts';
import { plural } from '../../resources/wording.ts';
import { reload } from '../../store/accounts/reload.ts';
import type { Result } from '../../store/changes/change.ts';
import { changeCounts, isPausable, isStoppable, type PendingChange } from '../../store/changes/pendingChanges.ts';
import { withJobs } from '../../store/changes/whoDidIt.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sizeText } from '../../text/numbers.ts';
import { Menu } from '../menus/Menu.tsx';
import { Page } from '../page/Page.tsx';
import { TextPane } from '../page/TextPane.tsx';
import { answerText, QuestionPane } from '../question/QuestionPane.tsx';
import { resultLines } from '../transfers/changeLines.ts';
import { useStopKey } from '../transfers/useProgress.ts';
import { type OverlayProps, useAppContext, useStores } from '../useStores.ts';

/** Chooses a request that the documents leave out, shows the lines that add it to the user's own commands, and adds them. */
export function AddCommandPane({ overlay, ...size }: OverlayProps<'addCommand'>) {
  const theme = useTheme();
  const { stores, accounts } = useAppContext();
  const { navigation, configuration, commandsFile: file, notices } = stores;
  const [isWritten, setWritten] = useState(false);
  const resource = resourceNamed(overlay.resource);
  const missing = missingOn(resource);
  const found = missing.find(({ name }) => name === overlay.name);
  const cancel = () => navigation.dismiss(overlay, overlay.next);
  if (!found)
    return (
      <Menu
        title={`Commands for ${plural(resource)} that are ${lackingWords}`}
        items={missing.map(({ name, request }) => ({
          id: name,
          label: name,
          detail: `${request?.method} ${request?.path}`,
          run: () => navigation.dismiss(overlay, { ...overlay, name }),
        }))}
        close={cancel}
        none="They are all among your commands."
        {...size}
      />
    );
  const command = addedCommand(found);
  const where = file ? `at the end of ${file.path}` : 'for this session, as there is no configuration';
  const says = `${found.name} is ${lackingWords}; an API that does not have it says so. This adds it to your commands, ${where}; nothing is sent.`;
  const room = size.width - 5;
  const lines = [
    ...wrapCells(clean(says), room),
    '',
    ...commandText(command)
      .trimEnd()
      .split('\n')
      .flatMap((line) => wrapCells(line, room))
      .map((line) => theme.paint('accent', line)),
  ];

  async function add(): Promise<void> {
    setWritten(true);
    try {
      if (file) await file.add(command);
      else configuration.setState(({ commands }) => ({ commands: [...commands, command] }));
      const opened = Object.values(accounts.getState().opened).filter((one) => one !== stores);
      const added = `${command.name} is an action of ${plural(resource)} now${file ? `; it stands in ${file.path}` : ''}`;
      if (file) await reload(stores, opened, added);
      else notices.say('good', `${added}.`);
      navigation.dismiss(overlay, overlay.next && { ...overlay.next, start: command.name });
    } catch (error) {
      setWritten(false);
      notices.say('bad', (error as Error).message);
    }
  }

  return (
    <QuestionPane
      title={`Add ${found.name} to your commands?`}
      lines={lines}
      about={found.name}
      agree={{ word: 'add it', run: () => void (isWritten || void add()) }}
      wayOut={answerText(undefined, 'add it', 'leave it')}
      cancel={cancel}
      {...size}
    />
  );
}

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
const wholeOf = ({ results }: PendingChange): string =>
  results
    .flatMap(({ label, output: { lines = [], value } = {} }) => [
      ...(results.length > 1 ? [label] : []),
      ...(value === undefined ? lines : [visibleJson(value, 2)]),
    ])
    .join('\n');

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
function linesOf(theme: Theme, { results }: PendingChange, width: number): readonly (readonly Span[])[] {
  const isOne = results.length === 1;
  return results.flatMap((result): readonly (readonly Span[])[] => {
    const lines = outputLines(theme, result, width);
    return isOne ? lines : [[{ text: clean(result.label), role: 'title' }], ...lines, []];
  });
}

function outputLines(theme: Theme, { state, says, output }: Result, width: number): readonly (readonly Span[])[] {
  const { lines = [], tones = [], droppedBytes = 0, value, ending, ms } = output ?? {};
  const role = state === 'failed' ? 'bad' : 'dim';
  const { good, bad, waiting } = marksOf(theme);
  const marks = { good: `${good} `, bad: `${bad} `, warn: '? ', dim: `${waiting} `, plain: '' };
  const lined = (text: string, role: Role, mark = '') =>
    wrapCells(mark + text, width, mark.length).map((line): readonly Span[] => [{ text: line, role }]);
  const wrapped = (text: string) => lined(clean(text, text.length), role);
  if (value !== undefined) return jsonLines(value, width);
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

/** The result of a change on each of its rows so far, failures first, left out rows last. */
export function ResultsPane({ overlay, width, height }: OverlayProps<'results'>) {
  const theme = useTheme();
  const { changes, navigation, events } = useStores();
  const sent = useStore(changes, ({ changes }) => changes.find(({ id }) => id === overlay.change));
  const known = useStore(events, (state) => state.events);
  const change = sent && withJobs(known)(sent);
  useStopKey();
  const { leftOut } = overlay;
  const results = change?.results ?? [];
  return (
    <Page
      layer="pane"
      title={change ? resultsTitle(change, leftOut.length) : 'No longer available'}
      head={change?.isRefused && wrapCells(refusedText, width - 2).map((line) => ` ${theme.paint('warn', line)}`)}
      lines={resultLines(theme, [results, leftOut], width)}
      width={width}
      height={height}
      keys={{ close: () => navigation.close() }}
    />
  );
}

const refusedText =
  'All others would be refused as well, so they were not sent. Once that is mended, the same again sends what is left.';

function resultsTitle(change: PendingChange, leftOut: number): string {
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
