import { progressBar } from '../../components/chart.ts';
import { marksOf, type Theme } from '../../components/theme.ts';
import type { Result, ResultState } from '../../store/changes/change.ts';
import { changeFacts, countOf, type PendingChange } from '../../store/changes/pendingChanges.ts';
import { cell, clean, cut, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';

/**
 * Draws a change on one line: `Delete 13 volumes ███▌░░ 3/13`.
 * @param more the number of other changes and transfers under way
 */
export function changeLine(theme: Theme, change: PendingChange, more: number, width: number): string {
  const { results } = change;
  const failed = countOf(change, 'failed');
  const unknown = countOf(change, 'unknown');
  const settled = countOf(change, 'done') + unknown + failed;
  const isOne = results.length === 1;
  const facts = [
    isOne ? changeFacts(change) : `${settled}/${results.length}`,
    unknown > 0 && !isOne ? `${unknown} unknown` : '',
    failed > 0 && !isOne ? `${failed} failed` : '',
    change.isStopping ? `stopping, ${countOf(change, 'not sent')} not sent` : '',
    more > 0 ? `and ${more} more` : '',
  ];
  const says = `  ${facts.filter(Boolean).join('  ')} `;
  const { busy } = marksOf(theme);
  const what = cut(clean(change.title), Math.max(8, width - widthOf(says) - (isOne ? 5 : 16)));
  const percent = (settled / results.length) * 100;
  const room = Math.min(30, width - widthOf(what) - widthOf(says) - 6);
  const bar = isOne ? '' : progressBar(percent, room, theme.glyphs);
  const head = ` ${theme.paint('key', keyLabel('everywhere.transfers', 'T'))} ${theme.paint('busy', `${busy} ${what}`)}${bar && ` ${theme.paint('series1', bar)}`}`;
  const used = 5 + widthOf(what) + (bar === '' ? 0 : widthOf(bar) + 1);
  return `${head}${cell(says, Math.max(0, width - used))}`;
}

const stateOrder: readonly ResultState[] = ['failed', 'unknown', 'not sent', 'running', 'waiting', 'done'];

/** One line or more for each row, the failures first. */
export function resultLines(theme: Theme, results: readonly Result[], width: number): readonly string[] {
  return stateOrder.flatMap((state) =>
    results.filter((result) => result.state === state).flatMap((result) => resultLine(theme, result, width)),
  );
}

function resultLine(theme: Theme, { label, state, says }: Result, width: number): readonly string[] {
  const { good, bad, busy, waiting, dash } = marksOf(theme);
  const marks: Readonly<Record<ResultState, string>> = {
    done: theme.paint('good', good),
    failed: theme.paint('bad', bad),
    unknown: theme.paint('warn', '?'),
    running: theme.paint('busy', busy),
    waiting: theme.paint('dim', waiting),
    'not sent': theme.paint('warn', dash),
  };
  const role = state === 'failed' ? 'bad' : state === 'not sent' || state === 'unknown' ? 'warn' : 'dim';
  const words = says ?? (state === 'running' ? 'under way' : state);
  const room = Math.min(32, Math.floor(width / 3));
  return wrapCells(clean(words), width - room - 6).map((line, index) => {
    const head = index === 0 ? ` ${marks[state]} ${cell(clean(label), room)}` : ' '.repeat(room + 3);
    return `${head}  ${theme.paint(role, line)}`;
  });
}
