import type { DOMElement } from 'ink';

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
