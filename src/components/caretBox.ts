import type { DOMElement } from 'ink';
import { createContext, type RefObject, useContext, useInsertionEffect, useLayoutEffect, useRef } from 'react';
import { boxPlace } from './boxPlace.ts';

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
