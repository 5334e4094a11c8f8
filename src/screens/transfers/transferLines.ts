import { progressBar } from '../../components/chart.ts';
import type { Theme } from '../../components/theme.ts';
import { secondsLeftOf, type Transfer } from '../../store/changes/transfers.ts';
import { cell, clean, cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { sizeText } from '../../text/numbers.ts';
import { durationText } from '../../text/times.ts';

/** The progress of a transfer, its speed and the time left: `42 %  12.0 MiB of 28.6 MiB  3.1 MiB/s  6 s left`. */
export function transferFacts(transfer: Transfer): string {
  const { state, bytes, total, rate, error } = transfer;
  if (state === 'failed') return error ?? 'failed';
  const amount = total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`;
  if (state !== 'running') return `${state}, ${amount}`;
  const percent = percentOf(transfer);
  const left = secondsLeftOf(transfer);
  return [
    percent === undefined ? '' : `${Math.floor(percent)} %`,
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
  const facts = `  ${transferFacts(first)}${more} `;
  const what = cut(clean(first.what), Math.max(8, width - widthOf(facts) - 14));
  const bar = progressBar(percentOf(first), Math.min(30, width - widthOf(what) - widthOf(facts) - 4), theme.glyphs);
  const room = Math.max(0, width - widthOf(what) - widthOf(bar) - 4);
  return ` ${theme.paint('key', keyLabel('everywhere.journal', 'J'))} ${theme.paint('busy', what)} ${theme.paint('series1', bar)}${cell(facts, room)}`;
}
