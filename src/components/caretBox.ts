import type { DOMElement } from 'ink';
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';
import { type BoxPlace, boxPlace } from './boxPlace.ts';

/** The boxes of inputs with the focus, of which the last one has the terminal's cursor. */
export interface CaretBoxes {
  add(node: RefObject<DOMElement | null>): () => void;
  /** The box in which the caret is drawn; undefined where nothing is typed. */
  place(): BoxPlace | undefined;
}

/** @param onChange called when an input has come, after its first frame was drawn */
export function createCaretBoxes(onChange: () => void): CaretBoxes {
  const nodes: RefObject<DOMElement | null>[] = [];
  return {
    add(node) {
      nodes.push(node);
      onChange();
      return () => void nodes.splice(nodes.indexOf(node), 1);
    },
    place() {
      const found = nodes.at(-1)?.current;
      return found ? boxPlace(found) : undefined;
    },
  };
}

export const CaretContext = createContext<CaretBoxes>(createCaretBoxes(() => {}));

/**
 * Has the terminal's cursor follow the caret that is drawn within a box, inverse, while the input has the focus.
 * @returns the `ref` of the box
 */
export function useCaretBox(hasFocus: boolean): RefObject<DOMElement | null> {
  const boxes = useContext(CaretContext);
  const node = useRef<DOMElement>(null);
  useLayoutEffect(() => (hasFocus ? boxes.add(node) : undefined), [boxes, hasFocus]);
  return node;
}
