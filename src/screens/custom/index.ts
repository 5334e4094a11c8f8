import type { ComponentType } from 'react';
import type { DialogName, ListScreenName, ScreenName } from '../../resources/names.ts';
import type { CustomProps, DialogProps } from '../customProps.ts';
import { TransferByToken } from '../menus/TransferByToken.tsx';
import { ObjectBrowser } from '../objects/ObjectBrowser.tsx';
import { ObjectTransfer } from '../objects/ObjectTransfer.tsx';
import { ProblemsScreen } from '../problems/ProblemsScreen.tsx';
import { AccountSpending } from './AccountSpending.tsx';
import { BalancerGraphs } from './BalancerGraphs.tsx';
import { BalancerTree } from './BalancerTree.tsx';
import { AccountPromotions, InvoiceTaxes } from './billing.tsx';
import { ManagedGraphs } from './ManagedGraphs.tsx';
import { RebuildDialog } from './RebuildDialog.tsx';
import { ServerGraphs } from './ServerGraphs.tsx';
import { ServerTransfer } from './ServerTransfer.tsx';
import { StackScript } from './StackScript.tsx';
import { TicketConversation } from './TicketConversation.tsx';
import { ZoneFile } from './ZoneFile.tsx';

/** The lists that the generic one cannot show, by the name they have in a description. */
export const customLists: Readonly<Record<ListScreenName, ComponentType<Omit<CustomProps, 'row'>>>> = {
  problems: ProblemsScreen,
};

/** The dialogs that no form can hold, by the name they have in a description. */
export const customDialogs: Readonly<Record<DialogName, ComponentType<DialogProps>>> = {
  rebuildBalancerConfig: RebuildDialog,
  transferByToken: TransferByToken,
};

/** The screens that no description can hold, by the name they have there. */
export const customScreens: Readonly<Record<ScreenName, ComponentType<CustomProps>>> = {
  managedGraphs: ManagedGraphs,
  objects: ObjectBrowser,
  objectTransfer: ObjectTransfer,
  serverGraphs: ServerGraphs,
  serverTransfer: ServerTransfer,
  zoneFile: ZoneFile,
  balancerTree: BalancerTree,
  balancerGraphs: BalancerGraphs,
  stackscript: StackScript,
  ticketConversation: TicketConversation,
  accountSpending: AccountSpending,
  accountPromotions: AccountPromotions,
  invoiceTaxes: InvoiceTaxes,
};
