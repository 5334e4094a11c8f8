import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type CellColumn, cellTable, type TableCell } from '../../components/tableLayout.ts';
import { type Hue, type Theme, useTheme } from '../../components/theme.ts';
import { glanceAtAll } from '../../store/accounts/accounts.ts';
import { placeOf } from '../../store/navigation.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import { second } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { Page } from '../page/Page.tsx';
import { type Size, useAppContext, useTicks } from '../useStores.ts';
import { type AccountRow, closedRow, factColumns, openRow } from './accountRows.ts';

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
  const cells = rows.map((row) => cellsOf(row, theme, hueOf(row.profile)));
  const { head, line } = cellTable(theme, columns, cells, width);
  return (
    <Page
      layer="accounts"
      head={[` ${theme.paint('title', 'Accounts')}  ${counted(rows.length, 'profile')}`, head]}
      lines={rows.map(({ profile }, nth) => ({ id: profile, text: (isCurrent) => line(nth, isCurrent) }))}
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

const hint =
  'Each [profiles.NAME] in the configuration is an account here; skydeck config path says where that file is.';

/** The whole of what the line under the cursor says in short, or of an only one how more accounts come here. */
function footLines(rows: readonly AccountRow[], current: string | undefined, width: number): readonly string[] {
  const { why, host = current } = rows.find(({ profile }) => profile === current) ?? {};
  const said = why === undefined ? (rows.length > 1 ? '' : hint) : `${host}: ${why}`;
  return said === '' ? [] : wrapCells(clean(said), width - 3).map((line) => `  ${line}`);
}

const columns: readonly CellColumn[] = [
  { title: 'ACCOUNT', keep: 0, maxWidth: 24, least: 16 },
  ...Object.entries(factColumns).map(([title, column]) => ({ title, ...column, maxWidth: 28, least: 12 })),
];

/** The name of an account in its own colour, if it has one, and what is known of it. */
function cellsOf(
  { profile, host = profile, cells }: AccountRow,
  theme: Theme,
  hue: Hue | undefined,
): readonly TableCell[] {
  const name: TableCell = { text: host, role: 'title' };
  if (hue) name.draw = (width) => theme.hue(hue, cell(host, width));
  return [name, ...Object.keys(factColumns).map((title) => cells[title as keyof typeof factColumns])];
}
