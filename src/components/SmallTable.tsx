import { Text } from 'ink';
import inkTable from 'ink-table';
import { createContext, type PropsWithChildren, useContext } from 'react';
import { cell, clean, widthOf } from '../text/cells.ts';
import { signsIn } from './Line.tsx';
import { useTheme } from './theme.ts';

// The declarations describe the CommonJS package; the bundler and the test runner load it as a module.
const InkTable = inkTable as unknown as typeof inkTable.default;

export interface SmallTableProps {
  rows: readonly Readonly<Record<string, string | number>>[];
  /** The keys to show, which are also the headings; all keys of the first row by default. */
  columns?: readonly string[];
}

/** The width of each column in cells, and whether it holds amounts only. */
interface ColumnMeasure {
  width: number;
  isAmount: boolean;
}

const maxColumnWidth = 60;

// ink-table measures by String length and hands every piece to a component together with its column;
// there each piece gets the width that it has on the screen.
const Measures = createContext<readonly ColumnMeasure[]>([]);

type PieceProps = PropsWithChildren<{ column?: number }>;

/** A piece in the width of its column, and the gap to the next. */
function usePiece({ children, column = -1 }: PieceProps): string {
  const { glyphs } = useTheme();
  const { width, isAmount } = useContext(Measures)[column] ?? { width: 0, isAmount: false };
  return `${signsIn(glyphs, cell(String(children).trim(), width, isAmount ? 'right' : 'left'))}  `;
}

function Heading(props: PieceProps) {
  return <Text>{useTheme().paint('dim', usePiece(props).toUpperCase())}</Text>;
}

function Cell(props: PieceProps) {
  return <Text>{usePiece(props)}</Text>;
}

/** The table has no borders: their lines have no height without a piece. */
const NoBorder = () => null;

/** A number, a sum of money or a quantity with its unit. */
const isAmountText = (text: string) => text === '–' || /^-?\$?\d[\d.,]*( [^\d\s]+)?$/.test(text);

/** A small table, all of it visible: transfer, promotions. Amounts are aligned to the right. */
export function SmallTable({ rows, columns = Object.keys(rows[0] ?? {}) }: SmallTableProps) {
  const data = rows.map((row) => Object.fromEntries(columns.map((key) => [key, clean(String(row[key] ?? ''), 256)])));
  const measures = columns.map((key, index): ColumnMeasure => {
    const widths = data.map((row) => widthOf(row[key] ?? ''));
    return {
      width: Math.min(maxColumnWidth, Math.max(widthOf(clean(columns[index] ?? '')), ...widths)),
      isAmount: data.every((row) => isAmountText(row[key] ?? '')),
    };
  });
  return (
    <Measures value={measures}>
      <InkTable data={data} columns={[...columns]} header={Heading} cell={Cell} skeleton={NoBorder} />
    </Measures>
  );
}
