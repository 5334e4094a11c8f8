import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { changeLine } from './changeLines.ts';
import { transferLine } from './transferLines.ts';
import type { Progress } from './useProgress.ts';

/** The line on every screen while anything is changed or transferred. */
export function ProgressLine({ progress, width }: { progress: Progress; width: number }) {
  const theme = useTheme();
  const { changes, transfers, count } = progress;
  const [change] = changes;
  return <Line text={change ? changeLine(theme, change, count - 1, width) : transferLine(theme, transfers, width)} />;
}
