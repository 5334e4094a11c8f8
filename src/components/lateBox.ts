import type { DOMElement } from 'ink';
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';
import { boxPlace } from './boxPlace.ts';

/** Cells at the end of a line. */
interface LineEnd {
  row: number;
  from: number;
  /** Exclusive. */
  to: number;
}

/** Boxes of one line whose ends are drawn once the screen rests. */
export interface LateBoxes {
  add(box: LateBox): () => void;
  /** The end of the last one; undefined where there is none. */
  place(): LineEnd | undefined;
}

interface LateBox {
  node: RefObject<DOMElement | null>;
  /** The cells of the box that are drawn at once. */
  cells: RefObject<number>;
}

export function createLateBoxes(): LateBoxes {
  const boxes: LateBox[] = [];
  return {
    add(box) {
      boxes.push(box);
      return () => void boxes.splice(boxes.indexOf(box), 1);
    },
    place() {
      const last = boxes.at(-1);
      if (!last?.node.current) return undefined;
      const { top, left, width } = boxPlace(last.node.current);
      const [from, to] = [left + last.cells.current, left + width];
      // The line is full.
      return from < to ? { row: top, from, to } : undefined;
    },
  };
}

export const LateContext = createContext<LateBoxes>(createLateBoxes());

/**
 * Has the end of a line drawn once the screen rests, where nothing else of the line is new.
 * @param cells of the box that are drawn at once
 * @returns the `ref` of the box
 */
export function useLateEnd(cells: number): RefObject<DOMElement | null> {
  const boxes = useContext(LateContext);
  const node = useRef<DOMElement>(null);
  const latest = useRef(cells);
  latest.current = cells;
  useLayoutEffect(() => boxes.add({ node, cells: latest }), [boxes]);
  return node;
}
