import type { Span } from '../../components/spans.ts';
import { columnGap, placeColumns, type TableColumn } from '../../components/tableLayout.ts';
import { type Hue, pointerOf, type Theme } from '../../components/theme.ts';
import { cell, clean, widthOf } from '../../text/cells.ts';
import { type AccountRow, type Title, titles } from './accountRows.ts';

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
export function accountLines(
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
