import { useMemo } from 'react';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Collection, idOf } from '../../store/cache.ts';
import { cut, wrapCells } from '../../text/cells.ts';
import { dollars } from '../../text/money.ts';
import { counted } from '../../text/words.ts';
import { monthName, monthText } from '../graphs/months.ts';
import { Page } from '../page/Page.tsx';
import { placeOfRow } from '../places.ts';
import type { CustomProps } from '../props.ts';
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
  const maxTotal = Math.max(...months.map(({ total }) => total));
  const monthAt = (current: string | undefined) => months.find(({ month }) => monthText(month) === current);
  const open = (current: string | undefined) => {
    const [invoice] = monthAt(current)?.invoices ?? [];
    if (!invoice) return 'This month has no invoice.';
    return () => navigation.go(placeOfRow(description, { [description.param]: idOf(description, invoice) }));
  };
  return (
    <Page
      layer="spending"
      head={
        months.length > 0 ? [` ${theme.paint('title', cut(sumText(months), width - 2))}`, spendingHeader(theme)] : []
      }
      lines={months.map((one) => ({
        id: monthText(one.month),
        text: (isCurrent) => spendingLine(theme, one, isCurrent, maxTotal, width),
      }))}
      none={emptyText(invoices)}
      foot={(current) => {
        const month = monthAt(current);
        return month ? ['', ...wrapCells(taxText(month), width - 2).map((line) => ` ${line}`)] : [];
      }}
      cursor={view.cursor}
      setCursor={(cursor) => setView({ cursor })}
      keys={(current) => ({ open: open(current) })}
      width={width}
      height={height}
    />
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
