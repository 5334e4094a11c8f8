import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { marksOf, useTheme } from '../../components/theme.ts';
import { privateAddressOf } from '../../resources/networking/nodeText.ts';
import type { ResourceAction } from '../../resources/relations.ts';
import type { Resource, Row } from '../../resources/resource.ts';
import type { Tempo } from '../../store/changes/change.ts';
import { isLeftDown } from '../../store/plans/planning.ts';
import { drainedNodes, nodeResource, nodesOf, placesOf, readNodesFor } from '../../store/plans/servedNodes.ts';
import { longerTempo, sizesFor, tempoSays, waitsAt } from '../../store/plans/tempo.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { cellsOf } from '../page/Pane.tsx';
import { useStores } from '../useStores.ts';

interface AskedTempo {
  /** The rows or steps; how they are done is asked of several. */
  count: number;
  /** One by one is offered first where one of these takes something down; the nodes of NodeBalancers that their rows serve can be drained. */
  acted: readonly (ResourceAction & { row?: Row | undefined })[];
  of: Pick<Resource, 'one' | 'many'>;
  changes: () => Parameters<typeof waitsAt>[1];
  /** The name of all at once. */
  atOnce: string;
  /** The steps say themselves what they wait for, and that is offered first. */
  isPlanned?: boolean;
  /** Each row has a program, which has a timeout of its own. */
  isProgram?: boolean;
  /** The cells of a line. */
  room: number;
}

/** Asks how something is done to several rows: its lines, its keys, and the answer; undefined leaves it to the steps. */
export function useTempo({
  count,
  acted,
  of,
  changes,
  atOnce,
  isPlanned = false,
  isProgram = false,
  room,
}: AskedTempo) {
  const theme = useTheme();
  const nodes = useServedNodes(acted, count > 1 && !isProgram);
  const downs = acted.filter(({ action }) => action.disrupts);
  const isCareful = isProgram || downs.length > 0;
  const [chosen, setTempo] = useState<Tempo>();
  const [isChosen, setChosen] = useState(!isPlanned);
  const tempo = chosen ?? { within: '10m', ...(isCareful && { atATime: 1 }) };
  if (count < 2) return { tempo: undefined, head: [], lines: [], about: '', nodes, keys: {} };
  const choose = (next: Tempo) => {
    setTempo(next);
    setChosen(true);
  };
  const isPaced = isChosen && tempo.atATime !== undefined;
  const key = (name: string, usual: string) => theme.paint('key', keyLabel(`confirm.${name}`, usual));
  const wrapped = (text: string) =>
    text === '' ? [] : wrapCells(clean(text), room, 0).map((line) => theme.paint('dim', line));
  const { good, waiting, pointer } = marksOf(theme);
  const sizes = sizesFor(count);
  const isSize = (size: number | undefined) => isChosen && size === tempo.atATime;
  const named = (size: number | undefined) =>
    size === undefined ? atOnce : size === 1 ? 'one by one' : isSize(size) ? `${size} at a time` : String(size);
  const option = (name: string, isOn: boolean) =>
    isOn ? `${pointer}${theme.paint('title', name)}` : ` ${theme.paint('dim', name)}`;
  const options = [
    ...(isPlanned ? [option('as planned', !isChosen)] : []),
    ...sizes.map((size) => option(named(size), isSize(size))),
  ].join(' ');
  const says = !isPaced ? '' : isProgram ? programSays : tempoSays(tempo, waitsAt(tempo, changes()), of);
  const canDrain = isPaced && nodes?.canDrain;
  const accept = downs.every(({ action }) => isLeftDown(action)) ? '' : ', accept after';
  const tick = tempo.drains ? theme.paint('good', good) : theme.paint('dim', waiting);
  const first = `How ${options}`;
  const isBeside = !isPaced && cellsOf(first) + 9 <= room;
  const ways = [isBeside ? `${first}   ${key('how', 'ctrl-o')}` : first];
  const hints = [
    ...(isBeside ? [] : [`${key('how', 'ctrl-o')} another way`]),
    ...(isPaced && !isProgram ? [`${key('within', 'ctrl-t')} longer`] : []),
    ...(canDrain ? [`${key('drain', 'ctrl-r')} ${tick} drain before${accept}`] : []),
  ];
  const isUsual = !isCareful && chosen === undefined;
  const lines = [
    ...(isUsual ? ways : []),
    ...wrapped(says),
    ...(isPaced && nodes ? wrapped(nodes.says) : []),
    ...(cellsOf(hints.join('   ')) <= room ? [hints.join('   ')].filter(Boolean) : hints),
  ];
  const unpaced = `Nothing is waited for here: ${keyLabel('confirm.how', 'ctrl-o')} has them done one by one.`;
  return {
    tempo: isChosen ? tempo : undefined,
    nodes,
    /** The ways, always in sight once they matter. */
    head: isUsual ? [] : ways,
    lines,
    /** Another answer makes another question. */
    about: isUsual ? '' : JSON.stringify([isChosen, tempo]),
    keys: {
      how: () => {
        const isLast = isChosen && tempo.atATime === undefined;
        if (isLast && isPlanned) setChosen(false);
        else choose({ ...tempo, atATime: isChosen && !isLast ? sizes[sizes.indexOf(tempo.atATime) + 1] : 1 });
      },
      within: isProgram
        ? 'A program has the timeout of its command.'
        : isPaced
          ? () => choose(longerTempo(tempo))
          : unpaced,
      drain: canDrain
        ? () => choose({ ...tempo, drains: tempo.drains ? undefined : true })
        : isPaced
          ? (nodes?.says ?? 'No node of a NodeBalancer is concerned here.')
          : unpaced,
    },
  };
}

const programSays = 'Where one fails, no further one is begun, and the other rows stay marked.';

/**
 * The nodes that rows serve which actions take down, in words, and whether any can be drained; absent where there are none.
 * @param mayRead their lists are read; without that, only what is loaded is told of
 */
function useServedNodes(all: AskedTempo['acted'], mayRead: boolean): { says: string; canDrain: boolean } | undefined {
  const stores = useStores();
  const { view } = stores;
  const [isRead, setRead] = useState(false);
  const isOf = ({ name }: Resource) => nodeResource.relations?.some(({ to }) => to === name);
  const rows = all.flatMap(({ resource, action, row }) =>
    row && action.disrupts && isOf(resource) && privateAddressOf(row) ? [row] : [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are those of the question, which at most come back
  useEffect(() => {
    if (rows.length > 0 && mayRead) void readNodesFor(stores, rows).then(() => setRead(true));
  }, [mayRead, stores, rows.length]);
  useStore(stores.cache, () => rows.map((row) => nodesOf(row, view)?.length).join());
  const found = rows.map((row) => nodesOf(row, view));
  if (found.some((nodes) => nodes === undefined)) {
    const unread = 'It cannot be told whether they serve NodeBalancers: not all could be read.';
    if (!mayRead) return undefined;
    return { says: isRead ? unread : 'Reading which NodeBalancers they serve …', canDrain: false };
  }
  const nodes = found.flatMap((some) => some ?? []);
  if (nodes.length === 0) return undefined;
  const serve = `${all.length > 1 ? 'They serve' : 'It serves'} ${placesOf(nodes, view)}`;
  const canDrain = rows.some((row) => drainedNodes(row, view)?.length);
  const by = canDrain ? ` by ${counted(nodes.length, 'node')}` : ', by nodes that take no traffic now';
  return { says: `${serve}${by}.`, canDrain };
}
