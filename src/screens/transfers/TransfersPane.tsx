import { useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import type { Transfer } from '../../store/transfers.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { useDeck } from '../useDeck.ts';
import { transferFacts, transferLine } from './transferLines.ts';

/** The transfers that are under way, the oldest first. */
export function useRunningTransfers(): readonly Transfer[] {
  const transfers = useStore(useDeck().transfers, (state) => state.transfers);
  return transfers.filter(({ state }) => state === 'running');
}

/** The line that stays on screen as long as a file is carried, wherever the user goes. */
export function TransferLine({ running, width }: { running: readonly Transfer[]; width: number }) {
  const theme = useTheme();
  return <Line text={transferLine(theme, running, width)} />;
}

/** All transfers of this session, the newest first. */
export function TransfersPane({ width, height }: { width: number; height: number }) {
  const { navigation, transfers, notices } = useDeck();
  const all = useStore(transfers, (state) => state.transfers);
  const [asked, setAsked] = useState<number>();
  const items = all.toReversed().map((one): MenuItem => {
    const isRunning = one.state === 'running';
    return {
      id: String(one.id),
      label: one.what,
      detail: transferFacts(one),
      run: () => {
        if (isRunning && asked === one.id) transfers.cancel(one.id);
        else if (isRunning) {
          setAsked(one.id);
          notices.say('plain', `${one.what} is under way; enter once more cancels it.`);
        } else notices.say('plain', `${one.what} is over already.`);
      },
    };
  });
  return (
    <Menu
      title="Transfers: enter twice cancels one that is running"
      items={items}
      width={width}
      height={height}
      close={() => navigation.close()}
      none="No file has been carried yet."
    />
  );
}
