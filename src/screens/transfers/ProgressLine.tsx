import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { changeLine } from './changeLines.ts';
import { transferLine } from './transferLines.ts';
import type { Progress } from './useProgress.ts';

/** The line that stays on screen as long as anything is changed or transferred, wherever the user goes. */
export function ProgressLine({ progress, width }: { progress: Progress; width: number }) {
  const theme = useTheme();
  const { changes, transfers, count } = progress;
  const [change] = changes;
  return <Line text={change ? changeLine(theme, change, count - 1, width) : transferLine(theme, transfers, width)} />;
}
