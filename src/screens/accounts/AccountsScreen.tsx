import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { glanceAtAll } from '../../store/accounts/glances.ts';
import { placeOf } from '../../store/navigation.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { second } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { createListWindow } from '../listWindow.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { useAppContext } from '../useStores.ts';
import { accountLines } from './accountLines.ts';
import { type AccountRow, closedRow, openRow } from './accountRows.ts';
import { useTicks } from './useTicks.ts';

/** Ages count on so often; while an answer is awaited, every second. */
const restMs = 10 * second;

const profileOf = ({ profile }: AccountRow) => profile;

/** All accounts in a line each, however the others answer. */
export function AccountsScreen({ width, height }: { width: number; height: number }) {
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

  const [windowOf] = useState(createListWindow<AccountRow>);
  const hint = hintOf(rows);
  const foot = footLines(rows, wanted, hint, width).slice(0, Math.max(0, height - 4));
  const body = Math.max(1, height - 2 - foot.length);
  const { current, top, visible, movesTo } = windowOf(rows, wanted, profileOf, body);
  const open = async (profile: string) => {
    if (profile !== shown) await accounts.show(profile);
    const isHere = placeOf(navigation.getState()).screen === 'accounts';
    // The account is left where it was before this list.
    if (isHere && (profile === shown || accounts.getState().current !== shown)) navigation.up();
  };
  useKeys('accounts', {
    ...movesTo(({ profile }) => setWanted(profile)),
    open: current ? () => void open(current.profile) : undefined,
    refresh: () => {
      setRound(round + 1);
      setSince(now());
      for (const { scheduler, events } of Object.values(opened)) {
        void scheduler.refresh();
        void events.poll();
      }
      return 'Reading all accounts again …';
    },
  });
  const region = useRegion('accounts', {
    onClick: ({ line }) => {
      const row = visible[line];
      if (row && row === current) void open(row.profile);
      else if (row) setWanted(row.profile);
    },
  });
  const hueOf = (profile: string) => opened[profile]?.configuration.getState().color;
  const { head, lines } = accountLines(theme, rows, hueOf, current?.profile, width);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={` ${theme.paint('title', 'Accounts')}  ${counted(rows.length, 'profile')}`} />
      <Line text={head} />
      <Box ref={region} flexDirection="column" width={width} height={body}>
        {visible.map(({ profile }, index) => (
          <Line key={profile} text={lines[top + index] ?? ''} />
        ))}
      </Box>
      {foot.map((text, index) => (
        <Line key={index} text={theme.paint('dim', text)} />
      ))}
    </Box>
  );
}

/** Tells how more accounts come here, where there is one only. */
function hintOf(rows: readonly AccountRow[]): string | undefined {
  if (rows.length > 1) return undefined;
  return 'Each [profiles.NAME] in the configuration is an account here; skydeck config path says where that file is.';
}

/** The whole of what the line under the cursor says in short, or how more accounts come here. */
function footLines(
  rows: readonly AccountRow[],
  wanted: string,
  hint: string | undefined,
  width: number,
): readonly string[] {
  const { why, host = wanted } = rows.find(({ profile }) => profile === wanted) ?? {};
  const said = why === undefined ? hint : `${host}: ${why}`;
  return said === undefined ? [] : wrapCells(clean(said), width - 3).map((line) => `  ${line}`);
}
