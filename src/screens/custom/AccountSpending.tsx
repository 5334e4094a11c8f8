import { Box } from 'ink';
import { useMemo } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Collection, idOf } from '../../store/cache.ts';
import { cut, wrapCells } from '../../text/cells.ts';
import { dollars } from '../../text/money.ts';
import { counted } from '../../text/words.ts';
import { monthName, monthText } from '../graphs/months.ts';
import { useKeys } from '../keyboard.tsx';
import { placeOfRow } from '../places.ts';
import type { CustomProps } from '../props.ts';
import { moveHandlers, useScroll } from '../useScroll.ts';
import { useCollection, useStores, useView } from '../useStores.ts';
import { type MonthSpending, monthlySpending, spendingHeader, spendingLine } from './spending.ts';

/** Spending by month as bars, with the taxes of the month under the cursor. */
export function AccountSpending({ width, height }: CustomProps) {
  const { navigation } = useStores();
  const theme = useTheme();
  const description = resourceNamed('invoices');
  const invoices = useCollection({ resource: description.name, operation: 'list', params: {} });
  const months = useMemo(() => monthlySpending(invoices?.rows ?? []), [invoices?.rows]);
  const [view, setView] = useView('account:spending');
  const cursor = Math.max(
    0,
    months.findIndex(({ month }) => monthText(month) === view.cursor),
  );
  const chosen = months[cursor];
  const taxes = chosen ? ['', ...wrapCells(taxText(chosen), width - 2)] : [];
  const body = Math.max(1, height - 2 - taxes.length);
  const top = useScroll(months.length, cursor, body);
  const [invoice] = chosen?.invoices ?? [];
  useKeys('spending', {
    ...moveHandlers(cursor, months.length, body, (index) => {
      const next = months[index];
      if (next) setView({ cursor: monthText(next.month) });
    }),
    open: invoice
      ? () => navigation.go(placeOfRow(description, { [description.param]: idOf(description, invoice) }))
      : 'This month has no invoice.',
  });
  if (!chosen) return <EmptyText text={emptyText(invoices)} width={width} />;
  const maxTotal = Math.max(...months.map(({ total }) => total));
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={` ${theme.paint('title', cut(sumText(months), width - 2))}`} />
      <Line text={spendingHeader(theme)} />
      {months.slice(top, top + body).map((one, index) => (
        <Line key={monthText(one.month)} text={spendingLine(theme, one, top + index === cursor, maxTotal, width)} />
      ))}
      {taxes.map((line, index) => (
        <Line key={`tax ${index}`} text={` ${line}`} />
      ))}
    </Box>
  );
}

/** The taxes of one month in a line. */
const taxText = ({ month, subtotal, taxes, total }: MonthSpending): string =>
  `${monthName(month)}: ${[dollars(subtotal), ...taxes.map(({ name, tax }) => `${name} ${dollars(tax)}`)].join(' + ')} = ${dollars(total)}`;

function sumText(months: readonly MonthSpending[]): string {
  const total = months.reduce((sum, month) => sum + month.total, 0);
  const year = months.slice(0, 12).reduce((sum, month) => sum + month.total, 0);
  return `Invoiced: ${dollars(total)} in ${counted(months.length, 'month')}, ${dollars(year)} in the last ${Math.min(12, months.length)}`;
}

function emptyText(invoices: Collection | undefined): string {
  if (invoices?.error) return `${invoices.error.message} r tries again.`;
  return invoices?.loadedAt === undefined ? 'Reading invoices …' : 'There are no invoices yet.';
}

function EmptyText({ text, width }: { text: string; width: number }) {
  const theme = useTheme();
  return (
    <Box flexDirection="column" paddingTop={1}>
      {wrapCells(text, width - 2).map((line, index) => (
        <Line key={index} text={` ${theme.paint('dim', line)}`} />
      ))}
    </Box>
  );
}
