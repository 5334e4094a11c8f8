import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Overlay } from '../store/navigation.ts';

/** Props of a custom screen: its row, and its size in cells. */
export interface CustomProps {
  resource: Resource;
  params: Params;
  row: Row;
  width: number;
  height: number;
}

/** Props of a list, which may be seen by one of the user's own views. */
export interface ListProps extends Omit<CustomProps, 'row'> {
  view?: string;
}

/** Props of a custom dialog, which takes the place of an action's form. */
export interface DialogProps {
  overlay: Extract<Overlay, { kind: 'dialog' }>;
  width: number;
  height: number;
}
