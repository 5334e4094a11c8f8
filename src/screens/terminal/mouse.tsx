import type { DOMElement } from 'ink';
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';
import { boxPlace } from '../../components/boxes.ts';
import type { MouseReport } from '../../terminal/reports.ts';
import { useKeyboard } from '../keyboard.tsx';
import type { LayerName } from '../keymap.ts';
import type { Keys } from '../keys/keyboard.ts';

/** A cell of a region, counted from its top left corner. */
export interface Pointed {
  line: number;
  column: number;
  press: (key: string) => void;
}

interface RegionHandlers {
  /** The left button was pressed. */
  onClick?: (pointed: Pointed) => void;
  /** It was pressed, or moved while it was; the cell is always within the region. */
  onDrag?: (pointed: Pointed) => void;
}

interface Region {
  node: RefObject<DOMElement | null>;
  layer: LayerName | undefined;
  handlers: RefObject<RegionHandlers>;
}

/** One turn of the wheel moves a cursor by so many lines. */
const linesPerTurn = 3;

/** The regions of the screen that take clicks. */
export function createMouse() {
  const regions = new Set<Region>();
  let keys: Keys | undefined;
  let pressed: Region | undefined;

  /** The innermost region at a cell. */
  const regionAt = (row: number, column: number): Region | undefined => {
    const hits = [...regions].flatMap((region) => {
      const place = boxPlace(region.node.current);
      const [line, cell] = [row - place.top, column - place.left];
      const isHit = line >= 0 && line < place.height && cell >= 0 && cell < place.width;
      return isHit ? [{ region, size: place.height * place.width }] : [];
    });
    return hits.sort((one, other) => one.size - other.size)[0]?.region;
  };

  const tell = ({ node, handlers }: Region, name: keyof RegionHandlers, { row, column }: MouseReport) => {
    const { top, left, height, width } = boxPlace(node.current);
    handlers.current[name]?.({
      line: Math.max(0, Math.min(row - top, height - 1)),
      column: Math.max(0, Math.min(column - left, width - 1)),
      press: (key) => keys?.send(key),
    });
  };

  /** Each key finds the screen that the one before it has left. */
  const turn = (key: string, times: number) => {
    keys?.send(key);
    if (times > 1) setImmediate(turn, key, times - 1);
  };

  return {
    take(report: MouseReport) {
      if (report.action === 'release') pressed = undefined;
      if (report.action === 'drag' && pressed && regions.has(pressed)) tell(pressed, 'onDrag', report);
      const isWheel = report.action === 'wheelUp' || report.action === 'wheelDown';
      if (!isWheel && report.action !== 'press') return;
      const region = regionAt(report.row, report.column);
      // A pane behind a form or menu takes no keys, and so no clicks.
      if (region?.layer && !keys?.reaches(region.layer)) return;
      if (isWheel) {
        turn(report.action === 'wheelUp' ? 'up' : 'down', linesPerTurn);
        return;
      }
      pressed = region;
      if (!region) return;
      tell(region, 'onClick', report);
      tell(region, 'onDrag', report);
    },
    add(region: Region) {
      regions.add(region);
      return () => void regions.delete(region);
    },
    /** Sets the keyboard, which knows the layers and gets what the wheel stands for. */
    connect(given: Keys) {
      keys = given;
    },
  };
}

export const MouseContext = createContext(createMouse());

/** Connects the mouse with the keyboard; draws nothing. */
export function MouseKeys() {
  const mouse = useContext(MouseContext);
  const keys = useKeyboard();
  useLayoutEffect(() => mouse.connect(keys), [mouse, keys]);
  return null;
}

/**
 * Takes clicks on a box while the keys of its layer work; always where it has none.
 * @returns the `ref` of the box
 */
export function useRegion(layer: LayerName | undefined, handlers: RegionHandlers): RefObject<DOMElement | null> {
  const mouse = useContext(MouseContext);
  const node = useRef<DOMElement>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  useLayoutEffect(() => mouse.add({ node, layer, handlers: latest }), [mouse, layer]);
  return node;
}
