import type { ComponentType } from 'react';
import type { DialogName, ListScreenName, ScreenName } from '../../resources/names.ts';
import { RowGraphs } from '../graphs/Comparison.tsx';
import { JournalScreen } from '../journal/JournalScreen.tsx';
import { TransferByToken } from '../menus/TransferByToken.tsx';
import { ProblemsScreen } from '../problems/ProblemsScreen.tsx';
import type { CustomProps, DialogProps, ListProps } from '../useStores.ts';
import { BalancerTree } from './BalancerTree.tsx';
import { AccountPromotions, AccountSpending } from './billing.tsx';
import { ObjectBrowser, ObjectTransfer } from './objects.tsx';
import { ProblemPage } from './ProblemPage.tsx';
import { RebuildDialog } from './RebuildDialog.tsx';
import { ServerTransfer } from './ServerTransfer.tsx';
import { TicketConversation } from './TicketConversation.tsx';
import { StackScript, ZoneFile } from './texts.tsx';

/** Lists that replace the generic one, by their name in a description. */
export const customLists: Readonly<Record<ListScreenName, ComponentType<ListProps>>> = {
  problems: ProblemsScreen,
  journal: JournalScreen,
};

/** Screens that replace the overview of a row, by the name of that of its list. */
export const customOverviews: Readonly<Partial<Record<ListScreenName, ComponentType<Omit<CustomProps, 'row'>>>>> = {
  problems: ProblemPage,
};

/** Dialogs that replace a form, by their name in a description. */
export const customDialogs: Readonly<Record<DialogName, ComponentType<DialogProps>>> = {
  rebuildBalancerConfig: RebuildDialog,
  transferByToken: TransferByToken,
};

/** Custom screens of detail tabs, by their name in a description. */
export const customScreens: Readonly<Record<ScreenName, ComponentType<CustomProps>>> = {
  graphs: RowGraphs,
  objects: ObjectBrowser,
  objectTransfer: ObjectTransfer,
  serverTransfer: ServerTransfer,
  zoneFile: ZoneFile,
  balancerTree: BalancerTree,
  stackscript: StackScript,
  ticketConversation: TicketConversation,
  accountSpending: AccountSpending,
  accountPromotions: AccountPromotions,
};
