import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Span } from '../../components/spans.ts';
import { columnGap, placeColumns, type TableColumn } from '../../components/tableLayout.ts';
import { type Hue, pointerOf, type Theme, useTheme } from '../../components/theme.ts';
import { glanceAtAll } from '../../store/accounts/glances.ts';
import { placeOf } from '../../store/navigation.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
import { second } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { Page } from '../page/Page.tsx';
import type { Size } from '../props.ts';
import { useAppContext } from '../useStores.ts';
import { type AccountRow, closedRow, openRow, type Title, titles } from './accountRows.ts';
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

/** The narrowest screen has the state, the problems and the servers. */
const keeps: Readonly<Record<Title, TableColumn['keep']>> = {
  STATE: 1,
  AGE: 2,
  CRITICAL: 1,
  WARNINGS: 1,
  JOBS: 2,
  SERVERS: 2,
  MONEY: 2,
  UNINVOICED: 2,
  MODE: 2,
};

const toTheRight = new Set<Title>(['AGE', 'CRITICAL', 'WARNINGS', 'JOBS', 'SERVERS', 'UNINVOICED']);

/** The accounts as a table: its head, and a line for each. */
function accountLines(
  theme: Theme,
  rows: readonly AccountRow[],
  hueOf: (profile: string) => Hue | undefined,
  width: number,
): { head: string; lineOf: (nth: number, isCurrent: boolean) => string } {
  const room = width - 2;
  const names = rows.map(({ profile, host }) => clean(host ?? profile));
  const columns: readonly TableColumn[] = [
    { title: 'ACCOUNT', keep: 0, content: Math.max(...names.map(widthOf), 0), maxWidth: 24, least: 10 },
    ...titles.map((title) => ({
      title,
      keep: keeps[title],
      content: Math.max(...rows.map(({ cells }) => widthOf(cells[title].text)), 0),
      maxWidth: 28,
      least: 12,
    })),
  ];
  const placed = placeColumns(columns, room);
  const line = (text: (index: number, width: number) => string) =>
    placed.map(({ index, width: cells }) => text(index, cells)).join(columnGap);
  return {
    head: `  ${theme.paint(
      'dim',
      line((index, cells) => cell(columns[index]?.title ?? '', cells, alignOf(index))),
    )}`,
    lineOf: (nth, isCurrent) => {
      const { profile, cells: spans } = rows[nth] as AccountRow;
      const name = (cells: number) => {
        const text = cell(names[nth] ?? '', cells);
        const hue = hueOf(profile);
        return hue ? theme.hue(hue, text) : theme.paint('title', text);
      };
      return `${pointerOf(theme, isCurrent)} ${line((index, cells) => (index === 0 ? name(cells) : painted(spans, index, cells)))}`;
    },
  };

  function painted(spans: AccountRow['cells'], index: number, cells: number): string {
    const title = titles[index - 1];
    const span: Span = title ? spans[title] : { text: '' };
    const text = cell(clean(span.text), cells, alignOf(index));
    return span.role ? theme.paint(span.role, text) : text;
  }
}

const alignOf = (index: number): 'left' | 'right' => {
  const title = titles[index - 1];
  return title && toTheRight.has(title) ? 'right' : 'left';
};
