import { marksOf, useTheme } from '../../components/theme.ts';
import { isSingle } from '../../resources/index.ts';
import { momentOf, placeOf } from '../../store/navigation.ts';
import { useKeys } from '../keyboard.tsx';
import type { CustomProps } from '../props.ts';
import { useEvents, useNavigation } from '../useStores.ts';
import { eventMarks } from './eventMarks.ts';
import { GraphBoard, graphHeader } from './GraphBoard.tsx';
import { useGraphBoard } from './useGraphBoard.ts';
import { usePeriod } from './usePeriod.ts';
import { useStatistics } from './useStatistics.ts';

/** The statistics of one row as graphs: of the last hour up to the last 30 days, or of any month that the API has. */
export function RowGraphs({ resource, params, row, width, height }: CustomProps) {
  const theme = useTheme();
  const chosen = usePeriod(resource, () => dropCrosshair());
  const { members, window, title } = useStatistics(resource, [{ params, row }], {
    ...chosen,
    kind: 'graphs',
    urgency: 'screen',
  });
  const { groups = [], says, trouble = '' } = members[0] ?? {};
  const subject = { id: params[resource.param] ?? '', label: resource.label(row) };
  const marks = eventMarks(resource, [subject], useEvents(), marksOf(theme).bad);
  const moment = useNavigation((state) => momentOf(placeOf(state)));
  const { board, keys, dropCrosshair, event } = useGraphBoard(groups, window, width, height, { marks, moment });
  useKeys('graphs', { ...keys, ...chosen.keys });
  const of = isSingle(resource) ? ` of ${resource.label(row)}` : '';
  const head = chosen.lineOr(graphHeader(theme, { title: `${title}${of}`, trouble, event, width }), width);
  return <GraphBoard board={board} text={says} head={head} />;
}
