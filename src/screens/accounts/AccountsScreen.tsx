import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Span } from '../../components/spans.ts';
import { columnGap, placeColumns } from '../../components/tableLayout.ts';
import { type Hue, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { glanceAtAll } from '../../store/accounts/accounts.ts';
import { placeOf } from '../../store/navigation.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
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
  const { head, lineOf } = accountLines(theme, rows, hueOf, width);
  return (
    <Page
      layer="accounts"
      head={[` ${theme.paint('title', 'Accounts')}  ${counted(rows.length, 'profile')}`, head]}
      lines={rows.map((row) => ({ id: row.profile, text: (isCurrent) => lineOf(row, isCurrent) }))}
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

/** The accounts as a table: its head, and a line for each. */
function accountLines(
  theme: Theme,
  rows: readonly AccountRow[],
  hueOf: (profile: string) => Hue | undefined,
  width: number,
): { head: string; lineOf: (row: AccountRow, isCurrent: boolean) => string } {
  const nameOf = ({ profile, host }: AccountRow) => clean(host ?? profile);
  const cellsOf = (row: AccountRow): readonly Span[] => [
    { text: nameOf(row), role: 'title' },
    ...Object.keys(factColumns).map((title) => row.cells[title as keyof typeof factColumns]),
  ];
  const contents = rows.map((row) => cellsOf(row).map(({ text }) => widthOf(text)));
  const contentOf = (nth: number) => Math.max(0, ...contents.map((cells) => cells[nth] ?? 0));
  const columns = [
    { title: 'ACCOUNT', keep: 0, align: 'left', maxWidth: 24, least: 16 } as const,
    ...Object.entries(factColumns).map(([title, column]) => ({ title, ...column, maxWidth: 28, least: 12 })),
  ].map((one, nth) => ({ ...one, content: contentOf(nth), keep: contentOf(nth) > 0 ? one.keep : (3 as const) }));
  const placed = placeColumns(columns, width - 2);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string) =>
    placed
      .map((column) => paint(cell(texts[column.index] ?? '', column.width, columns[column.index]?.align), column.index))
      .join(columnGap);
  const head = line(
    columns.map(({ title }) => title),
    (text) => text,
  );
  return {
    head: `  ${theme.paint('dim', head)}`,
    lineOf: (row, isCurrent) => {
      const spans = cellsOf(row);
      const hue = hueOf(row.profile);
      const painted = (text: string, index: number) => {
        const role = spans[index]?.role;
        return index === 0 && hue ? theme.hue(hue, text) : theme.paint(role, text);
      };
      const texts = spans.map(({ text }) => clean(text));
      return `${pointerOf(theme, isCurrent)} ${line(texts, painted)}`;
    },
  };
}
