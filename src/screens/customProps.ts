import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Overlay } from '../store/navigation.ts';

/** Given to a screen that a description names: the row it is about and its room in cells. */
export interface CustomProps {
  resource: Resource;
  params: Params;
  row: Row;
  width: number;
  height: number;
}

/** Given to a dialog that an action names, in place of its form. */
export interface DialogProps {
  overlay: Extract<Overlay, { kind: 'dialog' }>;
  width: number;
  height: number;
}
