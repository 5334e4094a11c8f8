import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { cachedRow } from '../../store/changes/change.ts';
import type { HistoryEntry } from '../../store/history/history.ts';
import { type RowThen, rowAt } from '../../store/history/moments.ts';
import type { ComparedSide } from '../../store/navigation.ts';
import { wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { ageText, momentWords } from '../../text/times.ts';
import { aNoun, counted, listed } from '../../text/words.ts';
import { Page } from '../page/Page.tsx';
import type { PagePart } from '../page/usePage.ts';
import type { OverlayProps } from '../props.ts';
import { useStores } from '../useStores.ts';
import { comparedFields, compareHead, compareLines } from './compareLines.ts';
import { entryWords } from './historyLines.ts';
import { useHistory } from './useHistory.ts';

/** Two rows, or two moments of one row, field by field; at first those that differ. */
export function ComparisonPane({ overlay, width, height }: OverlayProps<'comparison'>) {
  const stores = useStores();
  const theme = useTheme();
  const { view, navigation, cache, seenChanges, now } = stores;
  const resource = resourceNamed(overlay.resource);
  const [one, other] = overlay.sides;
  const { entries } = useHistory(resource, one.params);
  const left = useStore(cache, () => cachedRow(stores, resource, one.params));
  const right = useStore(cache, () => cachedRow(stores, resource, other.params));
  const [isAll, setAll] = useState(false);
  const page = useRef<PagePart>(null);
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
  const title = isMoments && left ? `Two moments of ${resource.label(left)}` : `Compare two ${plural(resource)}`;
  const all = () => {
    setAll(!isAll);
    page.current?.scrollTo(0);
  };
  return (
    <Page
      ref={page}
      layer="comparison"
      title={title}
      head={[compareHead(shown, titles, theme, width)]}
      lines={[...compareLines(shown, theme, width), '', ...wrapped(remarks())]}
      keys={{ all, close: () => navigation.close() }}
      width={width}
      height={height}
    />
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
