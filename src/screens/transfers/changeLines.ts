import { progressBar } from '../../components/chart.ts';
import { marksOf, type Role, type Theme } from '../../components/theme.ts';
import type { Result, ResultState } from '../../store/changes/change.ts';
import { changeFacts, countOf, isPausable, type PendingChange } from '../../store/changes/pendingChanges.ts';
import { secondsLeftOf, type Transfer } from '../../store/changes/transfers.ts';
import { countedOf, hasBegun, isDone, type PlanStep, partOf, wasAnswered } from '../../store/plans/plan.ts';
import type { PlansState } from '../../store/plans/plans.ts';
import { cell, clean, cut, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sizeText } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';
import { counted } from '../../text/words.ts';

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
  if (isPausable(change) || (change.action.program && !isOne && !change.isStopping)) {
    const labelsOf = (wanted: ResultState) => results.flatMap((one) => (one.state === wanted ? clean(one.label) : []));
    const [count, now] = [results.length, nowOf(labelsOf('running'), labelsOf('waiting')[0])];
    const ways = [...(failed > 0 ? [`${failed} failed`] : []), ...waysOf(change.isPaused ? 'paused' : undefined)];
    return factsLine(theme, { title: change.title, done: settled, count, now, ways }, width);
  }
  const facts = [
    isOne ? changeFacts(change) : `${settled}/${results.length}`,
    unknown > 0 && !isOne ? `${unknown} unknown` : '',
    failed > 0 && !isOne ? `${failed} failed` : '',
    change.isStopping ? `stopping, ${countOf(change, 'not sent')} not sent` : '',
    more > 0 ? `and ${more} more` : '',
  ];
  const says = `  ${facts.filter(Boolean).join('  ')} `;
  return barLine(theme, busyTitle(theme, change.title), isOne ? undefined : settled / results.length, says, width);
}

type CarriedOut = Pick<PlansState, 'steps' | 'rolling' | 'run' | 'ends'>;

/** The plan, or the rolling action of it, that is being carried out: its title, how far it is, and whether it is held. */
export function planFacts({ steps, rolling, run, ends = {} }: CarriedOut) {
  const part = countedOf(partOf(steps, rolling));
  const label = ({ record }: PlanStep) => clean(record.label);
  const begun = part.filter(hasBegun).map((step) => {
    const says = clean(ends[step.id] ?? 'has begun').replace(/^has begun, /, '');
    return `${label(step)} ${says}`;
  });
  const next = run === 'stopping' ? undefined : part.find((step) => !wasAnswered(step));
  return {
    title: part[0]?.rolling?.title ?? `Plan of ${counted(part.length, 'step')}`,
    done: part.filter(isDone).length,
    count: part.length,
    now: nowOf(begun, next && label(next)),
    ways: waysOf(run),
  };
}

/** The rows that go on and come, of which the last matter least. */
const nowOf = ([first, ...others]: readonly string[], next: string | undefined): string[] => [
  ...(first === undefined ? [] : [first]),
  ...(others.length > 0 ? [`and ${others.length} more`] : []),
  ...(next === undefined ? [] : [`${first === undefined ? '' : 'then '}${next}`]),
];

/** Whether it is held; the footer has the key that stops it. */
const waysOf = (run: PlansState['run']): readonly string[] =>
  run === 'paused' ? [`paused; ${keyLabel('everywhere.pause', 'Z')} goes on`] : run === 'stopping' ? [run] : [];

/** Draws it on one line: `Reboot 8 servers ███▌░░ 3/8  web-4 38%; then web-5`. */
export const planLine = (theme: Theme, state: CarriedOut, width: number): string =>
  factsLine(theme, planFacts(state), width);

function factsLine(theme: Theme, facts: ReturnType<typeof planFacts>, width: number): string {
  const { title, done, count, now, ways } = facts;
  const said = () => [`${done}/${count}`, now.join('; '), ...ways].filter(Boolean).join('  ');
  const over = () => widthOf(said()) - (width - Math.min(widthOf(title), 24) - 12);
  while (now.length > 1 && over() > 0) now.pop();
  // A name is cut last, and so that it still tells something.
  const [first = ''] = now;
  if (over() > 0) now.splice(0, 1, ...(widthOf(first) - over() < 8 ? [] : [cut(first, widthOf(first) - over())]));
  return barLine(theme, busyTitle(theme, title), done / count, `  ${said()} `, width);
}

const busyTitle = (theme: Theme, title: string) => `${marksOf(theme).busy} ${title}`;

/** A title, the share that is done as a bar unless there is one row alone, and what is said behind it. */
function barLine(theme: Theme, title: string, share: number | undefined, says: string, width: number): string {
  const what = cut(clean(title), Math.max(10, width - widthOf(says) - (share === undefined ? 1 : 12)));
  const room = Math.min(30, width - widthOf(what) - widthOf(says) - 2);
  const bar = share === undefined ? '' : progressBar(share * 100, room, theme.glyphs);
  const head = ` ${theme.paint('busy', what)}${bar && ` ${theme.paint('series1', bar)}`}`;
  const used = 1 + widthOf(what) + (bar === '' ? 0 : widthOf(bar) + 1);
  return `${head}${cell(says, Math.max(0, width - used))}`;
}

/** The mark of a row in this state, or of all that was sent together. */
export function markOf(theme: Theme, state: ResultState): readonly [role: Role, mark: string] {
  const { good, bad, busy, waiting, dash } = marksOf(theme);
  const marks = {
    done: ['good', good],
    failed: ['bad', bad],
    unknown: ['warn', '?'],
    running: ['busy', busy],
    waiting: ['dim', waiting],
    'not sent': ['warn', dash],
  } as const;
  return marks[state];
}

const stateOrder: readonly ResultState[] = ['failed', 'unknown', 'not sent', 'running', 'waiting', 'done'];

/** One line or more for each row of some lists, the failures of each first. */
export function resultLines(theme: Theme, lists: readonly (readonly Result[])[], width: number): readonly string[] {
  const longest = lists.flat().reduce((most, { label }) => Math.max(most, widthOf(clean(label))), 0);
  const room = Math.max(Math.min(32, Math.floor(width / 3)), Math.min(longest, Math.floor(width / 2)));
  return lists.flatMap((results) =>
    stateOrder.flatMap((state) =>
      results.filter((result) => result.state === state).flatMap((result) => resultLine(theme, result, room, width)),
    ),
  );
}

function resultLine(theme: Theme, { label, state, says }: Result, room: number, width: number): readonly string[] {
  const [role, mark] = markOf(theme, state);
  const words = says ?? (state === 'running' ? 'under way' : state);
  return wrapCells(clean(words), width - room - 6).map((line, index) => {
    const head = index === 0 ? ` ${theme.paint(role, mark)} ${cell(clean(label), room)}` : ' '.repeat(room + 3);
    return `${head}  ${theme.paint(role === 'bad' || role === 'warn' ? role : 'dim', line)}`;
  });
}

/** The progress of a transfer, its speed and the time left: `42%  12.0 MiB of 28.6 MiB  3.1 MiB/s  6 s left`. */
export function transferFacts(transfer: Transfer): string {
  const { state, bytes, total, rate, error } = transfer;
  if (state === 'failed') return error ?? 'failed';
  const amount = total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`;
  if (state !== 'running') return `${state}, ${amount}`;
  const percent = percentOf(transfer);
  const left = secondsLeftOf(transfer);
  return [
    percent === undefined ? '' : `${Math.floor(percent)}%`,
    amount,
    rate === undefined ? '' : `${sizeText(rate)}/s`,
    left === undefined ? '' : `${durationText(Math.ceil(left))} left`,
  ]
    .filter(Boolean)
    .join('  ');
}

const percentOf = ({ bytes, total }: Transfer): number | undefined =>
  total === undefined ? undefined : total === 0 ? 100 : (bytes / total) * 100;

/** Draws transfers on one line: the first with a bar, and the number of the others. */
export function transferLine(theme: Theme, running: readonly Transfer[], width: number): string {
  const [first] = running;
  if (!first) return ''.padEnd(width);
  const more = running.length > 1 ? `  and ${running.length - 1} more` : '';
  // Of an unknown share the bar says so.
  const share = (percentOf(first) ?? Number.NaN) / 100;
  return barLine(theme, first.what, share, `  ${transferFacts(first)}${more} `, width);
}
