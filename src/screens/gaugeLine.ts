import { progressBar } from '../components/chart.ts';
import { formatValue } from '../components/format.ts';
import type { Theme } from '../components/theme.ts';
import type { Gauge } from '../resources/gauge.ts';
import { cut } from '../text/cells.ts';

/** A share as a bar and in words: `███░░  60 GiB of 100 GiB allocated, 40 GiB left`. */
export function gaugeLine(theme: Theme, { used, of, format: as, says }: Gauge, width: number): string {
  const formatted = (amount: number) => formatValue(amount, as, { now: 0, glyphs: theme.glyphs }).text;
  const rest = used > of ? `${formatted(used - of)} too much` : `${formatted(of - used)} left`;
  const words = cut(`  ${formatted(used)} of ${formatted(of)} ${says}, ${rest}`, width - 10);
  const bar = progressBar(of > 0 ? (used / of) * 100 : undefined, Math.min(40, width - words.length), theme.glyphs);
  return `${theme.paint(used > of ? 'bad' : 'good', bar)}${words}`;
}
