import { Box } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { audit } from '../../resources/account/audit.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import type { Collection } from '../../store/cache.ts';
import type { HistoryEntry } from '../../store/history/history.ts';
import type { Moment } from '../../store/history/moments.ts';
import type { ComparedSide } from '../../store/navigation.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { momentWords } from '../../text/times.ts';
import { aNoun } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { withPosition } from '../page/PositionedTitle.tsx';
import { placeOfRow } from '../places.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { takesBack } from '../undo/takesBack.ts';
import { useNextPage } from '../useNextPage.ts';
import { moveHandlers, useScroll } from '../useScroll.ts';
import { useStores, useView } from '../useStores.ts';
import { createEntryLines, dimLines, historyHead } from './historyLines.ts';
import { useHistory } from './useHistory.ts';

interface HistoryTabProps {
  resource: Resource;
  params: Params;
  width: number;
  height: number;
}

const events = resourceNamed('events');

const nothing = 'There is no entry.';

/** All that happened to one row, the latest first: events, changes that were sent from here, and what was seen to differ. */
export function HistoryTab({ resource, params, width, height }: HistoryTabProps) {
  const stores = useStores();
  const theme = useTheme();
  const { navigation, seenChanges } = stores;
  const now = stores.now();
  const { entries, query, collection, since } = useHistory(resource, params);
  const [view, setView] = useView(`history:${resource.name}:${JSON.stringify(params)}`);
  const cursor = Math.max(
    0,
    entries.findIndex(({ id }) => id === view.cursor),
  );
  const current = entries[cursor];
  const [drawn] = useState(createEntryLines);
  const context = { resource, theme, now, width };
  const body = Math.max(1, height - 1);
  const ends: number[] = [];
  for (const entry of entries) ends.push((ends.at(-1) ?? 0) + drawn.height(entry, context));
  const state = dimLines(theme, stateText(collection, entries.length), width);
  const total = (ends.at(-1) ?? 0) + state.length + 1;
  const start = ends[cursor - 1] ?? 0;
  const bottom = cursor === entries.length - 1 ? total - 1 : (ends[cursor] ?? 1) - 1;
  const scrolled = useScroll(total, bottom, body);
  const top = Math.min(scrolled, start);
  const lines = visibleLines();
  useNextPage(query, collection, top + body >= total);
  useKeys('history', {
    ...moveHandlers(cursor, entries.length, Math.max(1, body - 2), (index) => setView({ cursor: entries[index]?.id })),
    open: opens(current),
    mark: current ? () => mark(current) : nothing,
    takeBack: current ? () => takesBack(stores, sentOf(current)) : nothing,
    compare: current ? compares(current) : nothing,
    clear: view.marks.length > 0 ? () => setView({ marks: [] }) : undefined,
  });
  const region = useRegion('history', {
    onClick: ({ line, press }) => {
      const hit = entries[ends.findIndex((end) => end > top + line - 1)];
      if (line < 1 || !hit) return;
      if (hit === current) press('enter');
      else setView({ cursor: hit.id });
    },
  });
  return (
    <Box ref={region} flexDirection="column" width={width} height={height}>
      <Line text={withPosition(theme, historyHead(theme, width), { top, body, count: total }, width)} />
      {lines.map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Box>
  );

  function visibleLines(): readonly string[] {
    const first = Math.max(
      0,
      ends.findIndex((end) => end > top),
    );
    const shown: string[] = [];
    let skip = top - (ends[first - 1] ?? 0);
    for (let nth = first; nth < entries.length && shown.length < body + skip; nth++) {
      const entry = entries[nth];
      if (!entry) break;
      const isMarked = view.marks.includes(entry.id);
      shown.push(...drawn.lines(entry, { isCurrent: entry === current, isMarked }, context));
    }
    if (entries.length === 0) skip = 0;
    return [...shown, '', ...state].slice(skip, skip + body);
  }

  /** The changes from here among the marked entries, which are taken back together, or the one of this entry. */
  function sentOf(entry: HistoryEntry): readonly Row[] {
    const marked = entries.filter(({ id }) => view.marks.includes(id));
    return (marked.length > 0 ? marked : [entry]).flatMap(({ sent }) => (sent ? [sent] : []));
  }

  /** Opens what tells most of an entry: the change as it was sent, the event, or the row before and after. */
  function opens(entry: HistoryEntry | undefined): (() => void) | string {
    if (!entry) return nothing;
    const { event, sent } = entry;
    if (sent) return () => navigation.go(placeOfRow(audit, { [audit.param]: String(sent.id) }));
    if (event) return () => navigation.go(placeOfRow(events, { [events.param]: String(event.id) }));
    return comparison([momentAt(entry, 'before'), momentAt(entry, 'after')]);
  }

  function mark({ id }: HistoryEntry): void {
    const { marks } = view;
    const next = marks.includes(id) ? marks.filter((other) => other !== id) : [...marks, id];
    setView({ marks: next, cursor: entries[Math.min(cursor + 1, entries.length - 1)]?.id });
  }

  /** Compares the marked entries, a marked one with now, or the row before this entry with the row after it. */
  function compares(entry: HistoryEntry): (() => void) | string {
    // Entries stand with the latest first, moments with the earliest first.
    const marked = entries.filter(({ id }) => view.marks.includes(id)).reverse();
    const [one, other] = marked;
    if (!one) return comparison([momentAt(entry, 'before'), momentAt(entry, 'after')]);
    if (marked.length > 2) return `Two moments are compared; ${marked.length} are marked.`;
    return comparison([momentAt(one, 'after'), other ? momentAt(other, 'after') : { params }]);
  }

  function comparison(sides: readonly [ComparedSide, ComparedSide]): () => void {
    return () => navigation.open({ kind: 'comparison', resource: resource.name, sides });
  }

  function momentAt({ id }: HistoryEntry, side: Moment['side']): ComparedSide {
    return { params, moment: { entry: id, side } };
  }

  /** Says how far back the history reaches, and what is missing from it. */
  function stateText(of: Collection | undefined, count: number): string {
    const seen = `Differences between readings are seen since ${momentWords(seenChanges.beganAt, now)}.`;
    if (!resource.entity)
      return `${count === 0 ? 'Nothing was seen to change. ' : ''}The API has no events about ${aNoun(resource.one)}. ${seen}`;
    if (of?.error)
      return `Events: ${of.error.message}${of.error.status === 403 ? '' : ` ${keyLabel('everywhere.refresh', 'r')} tries again.`} ${seen}`;
    if (of?.loadedAt === undefined) return `Reading events … ${seen}`;
    if (since !== 0)
      return `${since === undefined ? '' : `Events are known since ${momentWords(since, now)}; `}reading on … ${seen}`;
    return `${count === 0 ? `Nothing has happened to this ${resource.one}. ` : ''}Events reach back 90 days. ${seen} Events of the API name no values.`;
  }
}
