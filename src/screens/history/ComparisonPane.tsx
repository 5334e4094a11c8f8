import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { cachedRow } from '../../store/changes/change.ts';
import type { HistoryEntry } from '../../store/history/history.ts';
import { type RowThen, rowAt } from '../../store/history/moments.ts';
import type { ComparedSide, Overlay } from '../../store/navigation.ts';
import { wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { ageText, momentWords } from '../../text/times.ts';
import { aNoun, counted, listed } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane, placeIn } from '../Pane.tsx';
import { moveHandlers } from '../useScroll.ts';
import { useStores } from '../useStores.ts';
import { comparedFields, compareHead, compareLines } from './compareLines.ts';
import { entryWords } from './historyLines.ts';
import { useHistory } from './useHistory.ts';

interface ComparisonPaneProps {
  overlay: Extract<Overlay, { kind: 'comparison' }>;
  width: number;
  height: number;
}

/** Two rows, or two moments of one row, field by field; at first those that differ. */
export function ComparisonPane({ overlay, width, height }: ComparisonPaneProps) {
  const stores = useStores();
  const theme = useTheme();
  const { view, navigation, cache, seenChanges, now } = stores;
  const resource = resourceNamed(overlay.resource);
  const [one, other] = overlay.sides;
  const { entries } = useHistory(resource, one.params);
  const left = useStore(cache, () => cachedRow(stores, resource, one.params));
  const right = useStore(cache, () => cachedRow(stores, resource, other.params));
  const [isAll, setAll] = useState(false);
  const [wanted, setTop] = useState(0);
  const isMoments = one.moment !== undefined || other.moment !== undefined;
  const [was, is] = [stateOf(left, entries, one), stateOf(right, entries, other)];
  const [before, after] = [was?.row, is?.row];
  const fields = useMemo(
    () => (before && after ? comparedFields(before, after, { resource, view, theme }) : []),
    [before, after, resource, view, theme],
  );
  const shown = isAll ? fields : fields.filter(({ isSame }) => !isSame);
  const same = fields.length - shown.length;
  const titles = [titleOf(one, left), titleOf(other, right)] as const;
  const lines = [...compareLines(shown, theme, width), '', ...wrapped(remarks())];
  const body = Math.max(1, height - 2);
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wanted, lowest);
  useKeys('comparison', {
    ...moveHandlers(top, lowest + 1, body, setTop),
    all: () => {
      setAll(!isAll);
      setTop(0);
    },
    close: () => navigation.close(),
  });
  const title = isMoments && left ? `Two moments of ${resource.label(left)}` : `Compare two ${plural(resource)}`;
  return (
    <Pane title={title} note={placeIn(theme, top, body, lines.length)} width={width} height={height}>
      <Line text={compareHead(shown, titles, theme, width)} />
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Pane>
  );

  function titleOf({ moment }: ComparedSide, row: Row | undefined): string {
    const entry = moment && entries.find(({ id }) => id === moment.entry);
    if (moment && entry)
      return `${moment.side} ${entryWords(resource, entry)}, ${entry.at > 0 ? `${ageText(now() - entry.at)} ago` : 'at an unknown time'}`;
    if (moment) return 'a moment that is forgotten';
    return isMoments ? 'now' : row ? resource.label(row) : `${aNoun(resource.one)} that is gone`;
  }

  /** Sentences about what is not shown, and what is not known. */
  function remarks(): readonly string[] {
    if (!was || !is) return [`There is nothing to compare: ${missing(was ? right : left, resource)}.`];
    const unexplained = [...new Set([...was.unexplained, ...is.unexplained])];
    const reach = [one, other].flatMap(({ moment }) => entries.find(({ id }) => id === moment?.entry)?.at ?? []);
    const isOld = reach.some((time) => time < seenChanges.beganAt);
    const all = keyLabel('comparison.all', 'a');
    return [
      shown.length === 0 ? `No field of the ${isMoments ? 'two moments' : `two ${plural(resource)}`} differs.` : '',
      same > 0 ? `${counted(same, 'field')} ${same === 1 ? 'is' : 'are'} the same; ${all} shows all.` : '',
      isAll ? `${all} shows those that differ.` : '',
      isOld
        ? `Before ${momentWords(seenChanges.beganAt, now())} only what was changed from here is known; other fields are as they were first read.`
        : '',
      unexplained.length > 0 ? `Changed in between, and nothing tells by what: ${listed(unexplained, 5)}.` : '',
    ].filter(Boolean);
  }

  function wrapped(texts: readonly string[]): readonly string[] {
    return texts.flatMap((text) => wrapCells(text, width - 4).map((line) => theme.paint('dim', `  ${line}`)));
  }
}

const missing = (row: Row | undefined, { one }: Resource): string =>
  row ? 'that moment is forgotten' : `${aNoun(one)} is gone`;

/** The row of a side as it was; undefined where it is not known. */
const stateOf = (
  row: Row | undefined,
  entries: readonly HistoryEntry[],
  { moment }: ComparedSide,
): RowThen | undefined => row && (moment ? rowAt(row, entries, moment) : { row, unexplained: [] });
