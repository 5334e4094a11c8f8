import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useTheme } from '../../components/theme.ts';
import { glanceAtAll } from '../../store/accounts/glances.ts';
import { placeOf } from '../../store/navigation.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { second } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { Page } from '../page/Page.tsx';
import type { Size } from '../props.ts';
import { useAppContext } from '../useStores.ts';
import { accountLines } from './accountLines.ts';
import { type AccountRow, closedRow, openRow } from './accountRows.ts';
import { useTicks } from './useTicks.ts';

/** Ages count on so often; while an answer is awaited, every second. */
const restMs = 10 * second;

/** All accounts in a line each, however the others answer. */
export function AccountsScreen({ width, height }: Size) {
  const { accounts, stores } = useAppContext();
  const { navigation, now } = stores;
  const theme = useTheme();
  const { opened, failures, current: shown } = useStore(accounts);
  const [round, setRound] = useState(0);
  const [since, setSince] = useState(now);
  const [wanted, setWanted] = useState(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round opens anew what could not be opened
  useEffect(() => glanceAtAll(accounts), [accounts, round]);
  const rows = accounts.profiles().map((profile) => {
    const known = opened[profile];
    return known ? openRow(profile, known, since, now()) : closedRow(profile, failures[profile]);
  });
  useTicks(rows.some(({ isWaiting }) => isWaiting) ? second : restMs);

  const open = async (profile: string) => {
    if (profile !== shown) await accounts.show(profile);
    const isHere = placeOf(navigation.getState()).screen === 'accounts';
    // The account is left where it was before this list.
    if (isHere && (profile === shown || accounts.getState().current !== shown)) navigation.up();
  };
  const refresh = () => {
    setRound(round + 1);
    setSince(now());
    for (const { scheduler, events } of Object.values(opened)) {
      void scheduler.refresh();
      void events.poll();
    }
    return 'Reading all accounts again …';
  };
  const hueOf = (profile: string) => opened[profile]?.configuration.getState().color;
  const { head, lineOf } = accountLines(theme, rows, hueOf, width);
  return (
    <Page
      layer="accounts"
      head={[` ${theme.paint('title', 'Accounts')}  ${counted(rows.length, 'profile')}`, head]}
      lines={rows.map(({ profile }, index) => ({ id: profile, text: (isCurrent) => lineOf(index, isCurrent) }))}
      foot={(current) =>
        footLines(rows, current, width)
          .slice(0, Math.max(0, height - 4))
          .map((line) => theme.paint('dim', line))
      }
      cursor={wanted}
      setCursor={setWanted}
      keys={(current) => ({ open: current === undefined ? undefined : () => void open(current), refresh })}
      width={width}
      height={height}
    />
  );
}

/** Tells how more accounts come here, where there is one only. */
function hintOf(rows: readonly AccountRow[]): string | undefined {
  if (rows.length > 1) return undefined;
  return 'Each [profiles.NAME] in the configuration is an account here; skydeck config path says where that file is.';
}

/** The whole of what the line under the cursor says in short, or how more accounts come here. */
function footLines(rows: readonly AccountRow[], current: string | undefined, width: number): readonly string[] {
  const { why, host = current } = rows.find(({ profile }) => profile === current) ?? {};
  const said = why === undefined ? hintOf(rows) : `${host}: ${why}`;
  return said === undefined ? [] : wrapCells(clean(said), width - 3).map((line) => `  ${line}`);
}
