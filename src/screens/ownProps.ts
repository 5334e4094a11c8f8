import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Overlay } from '../store/navigation.ts';

/** What a screen is given that a description names: the row it is about and the room it has, in cells. */
export interface OwnProps {
  resource: Resource;
  params: Params;
  row: Row;
  width: number;
  height: number;
}

/** What a dialog is given that an action names, in place of its form. */
export interface DialogProps {
  overlay: Extract<Overlay, { kind: 'own' }>;
  width: number;
  height: number;
}
