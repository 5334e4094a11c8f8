import type { DOMElement } from 'ink';
import { createContext, type RefObject, useContext, useInsertionEffect, useLayoutEffect, useRef } from 'react';

/** Where a box is by the layout of the last frame; a box that is not drawn has no size. */
export function boxPlace(node: DOMElement | null) {
  let [top, left] = [0, 0];
  for (let at: DOMElement | undefined = node ?? undefined; at; at = at.parentNode) {
    top += at.yogaNode?.getComputedTop() ?? 0;
    left += at.yogaNode?.getComputedLeft() ?? 0;
  }
  const { yogaNode } = node ?? {};
  return { top, left, width: yogaNode?.getComputedWidth() ?? 0, height: yogaNode?.getComputedHeight() ?? 0 };
}

/** The boxes of inputs with the focus, of which the last one has the terminal's cursor. */
type CaretBoxes = ReturnType<typeof createCaretBoxes>;

/**
 * @param onComing called when an input comes, before its first frame is drawn
 * @param onChange called when it has come, after that frame
 */
export function createCaretBoxes(onComing: () => void, onChange: () => void) {
  const nodes: RefObject<DOMElement | null>[] = [];
  return {
    /** Called before the first frame of an input is drawn; its box is known only after it. */
    expect: onComing,
    add(node: RefObject<DOMElement | null>) {
      nodes.push(node);
      onChange();
      return () => void nodes.splice(nodes.indexOf(node), 1);
    },
    /** The box in which the caret is drawn; undefined where nothing is typed. */
    place() {
      const found = nodes.at(-1)?.current;
      return found ? boxPlace(found) : undefined;
    },
  };
}

const nothing = () => {};

export const CaretContext = createContext<CaretBoxes>(createCaretBoxes(nothing, nothing));

/**
 * Has the terminal's cursor follow the caret that is drawn within a box, inverse, while the input has the focus.
 * @returns the `ref` of the box
 */
export function useCaretBox(hasFocus: boolean): RefObject<DOMElement | null> {
  const boxes = useContext(CaretContext);
  const node = useRef<DOMElement>(null);
  useInsertionEffect(() => (hasFocus ? boxes.expect() : undefined), [boxes, hasFocus]);
  useLayoutEffect(() => (hasFocus ? boxes.add(node) : undefined), [boxes, hasFocus]);
  return node;
}

interface LateBox {
  node: RefObject<DOMElement | null>;
  /** The cells of the box that are drawn at once. */
  cells: RefObject<number>;
}

/** Boxes of one line whose ends are drawn once the screen rests. */
export function createLateBoxes() {
  const boxes: LateBox[] = [];
  return {
    add(box: LateBox) {
      boxes.push(box);
      return () => void boxes.splice(boxes.indexOf(box), 1);
    },
    /** The cells at the end of the last one, `to` exclusive; undefined where there are none. */
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

export const LateContext = createContext(createLateBoxes());

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
