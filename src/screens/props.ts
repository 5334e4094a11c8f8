import type { Params, Resource, Row } from '../resources/resource.ts';
import type { Overlay } from '../store/navigation.ts';

/** The room of a pane or screen in cells. */
export interface Size {
  width: number;
  height: number;
}

/** Props of the pane of one kind of overlay. */
export interface OverlayProps<K extends Overlay['kind']> extends Size {
  overlay: Extract<Overlay, { kind: K }>;
}

/** Props of a custom dialog, which takes the place of an action's form. */
export type DialogProps = OverlayProps<'dialog'>;

/** Props of a custom screen: its row, and its room. */
export interface CustomProps extends Size {
  resource: Resource;
  params: Params;
  row: Row;
}

/** Props of a list, which may be seen by one of the user's own views. */
export interface ListProps extends Omit<CustomProps, 'row'> {
  view?: string;
}
