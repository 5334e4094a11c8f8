import { useState } from 'react';
import { marksOf, useTheme } from '../../components/theme.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Tempo } from '../../store/changes/change.ts';
import { longerTempo, sizesFor, tempoSays, waitsAt } from '../../store/plans/tempo.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { cellsOf } from '../page/Pane.tsx';

interface AskedTempo {
  /** The rows or steps; how they are done is asked of several. */
  count: number;
  /** One by one is offered first. */
  isCareful: boolean;
  of: Pick<Resource, 'one' | 'many'>;
  changes: () => Parameters<typeof waitsAt>[1];
  /** The name of all at once. */
  atOnce: string;
  /** The steps say themselves what they wait for, and that is offered first. */
  isPlanned?: boolean;
  /** The nodes that can be drained, in words, or why none can, as a sentence; absent where that is not offered. */
  nodes?: { says: string } | { why: string };
  /** Each row has a program, which has a timeout of its own. */
  isProgram?: boolean;
  /** Rows that take no traffic afterwards either are only drained. */
  isLeftDown?: boolean;
  /** The cells of a line. */
  room: number;
}

/** Asks how something is done to several rows: its lines, its keys, and the answer; undefined leaves it to the steps. */
export function useTempo({
  count,
  isCareful,
  of,
  changes,
  atOnce,
  isPlanned = false,
  nodes,
  isProgram = false,
  isLeftDown,
  room,
}: AskedTempo) {
  const theme = useTheme();
  const [chosen, setTempo] = useState<Tempo>();
  const [isChosen, setChosen] = useState(!isPlanned);
  const tempo = chosen ?? { within: '10m', ...(isCareful && { atATime: 1 }) };
  if (count < 2) return { tempo: undefined, head: [], lines: [], about: '', keys: {} };
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
  const canDrain = isPaced && nodes && 'says' in nodes;
  const tick = tempo.drains ? theme.paint('good', good) : theme.paint('dim', waiting);
  const first = `How ${options}`;
  const isBeside = !isPaced && cellsOf(first) + 9 <= room;
  const ways = [isBeside ? `${first}   ${key('how', 'ctrl-o')}` : first];
  const hints = [
    ...(isBeside ? [] : [`${key('how', 'ctrl-o')} another way`]),
    ...(isPaced && !isProgram ? [`${key('within', 'ctrl-t')} longer`] : []),
    ...(canDrain ? [`${key('drain', 'ctrl-r')} ${tick} drain before${isLeftDown ? '' : ', accept after'}`] : []),
  ];
  const isUsual = !isCareful && chosen === undefined;
  const lines = [
    ...(isUsual ? ways : []),
    ...wrapped(says),
    ...(isPaced && nodes ? wrapped('says' in nodes ? nodes.says : nodes.why) : []),
    ...(cellsOf(hints.join('   ')) <= room ? [hints.join('   ')].filter(Boolean) : hints),
  ];
  const unpaced = `Nothing is waited for here: ${keyLabel('confirm.how', 'ctrl-o')} has them done one by one.`;
  return {
    tempo: isChosen ? tempo : undefined,
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
        : !isPaced
          ? unpaced
          : nodes && 'why' in nodes
            ? nodes.why
            : 'No node of a NodeBalancer is concerned here.',
    },
  };
}

const programSays = 'Where one fails, no further one is begun, and the other rows stay marked.';
