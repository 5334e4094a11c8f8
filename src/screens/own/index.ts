import type { ComponentType } from 'react';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { ServerGraphs } from './ServerGraphs.tsx';
import { ServerTransfer } from './ServerTransfer.tsx';

/** What a screen is given that a description names: the row it is about and the room it has, in cells. */
export interface OwnProps {
  resource: Resource;
  params: Params;
  row: Row;
  width: number;
  height: number;
}

/** The screens that no description can hold, by the name they have there. */
export const ownScreens: Readonly<Record<string, ComponentType<OwnProps>>> = {
  serverGraphs: ServerGraphs,
  serverTransfer: ServerTransfer,
};
