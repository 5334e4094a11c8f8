import { Box } from 'ink';
import { useMemo } from 'react';
import { Line, Lines } from '../../components/Line.tsx';
import { SmallTable } from '../../components/SmallTable.tsx';
import { type CellColumn, cellTable, type TableCell } from '../../components/tableLayout.ts';
import { type Theme, useTheme } from '../../components/theme.ts';
import type { Account, Promotion } from '../../resources/account/account.ts';
import type { Invoice } from '../../resources/account/invoices.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceCalled, resourceNamed } from '../../resources/index.ts';
import { type Row, rowsOf } from '../../resources/row.ts';
import { type Collection, listQuery } from '../../store/cache.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { dollars } from '../../text/numbers.ts';
import { dayText, timeOf } from '../../text/times.ts';
import { counted, textOf } from '../../text/words.ts';
import { failureText } from '../freshness.ts';
import { compareMonths, type Month, monthName, monthOf, monthsBack, monthText } from '../graphs/periods.ts';
import { Page } from '../page/Page.tsx';
import { placeOfRow } from '../places.ts';
import { type CustomProps, useCollection, useStores, useView } from '../useStores.ts';

/** The active promotions of the account, with their remaining credit and descriptions. */
export function AccountPromotions({ row, width, height }: CustomProps) {
  const theme = useTheme();
  const promotions = rowsOf((row as Account).active_promotions) as readonly Promotion[];
  if (promotions.length === 0) return <Line text={` ${theme.paint('dim', 'No promotion is active.')}`} />;
  const descriptions = promotions.flatMap(({ summary, description }) =>
    wrapCells(clean(`${summary}: ${description}`), width - 2),
  );
  return (
    <Box flexDirection="column" width={width} height={height} paddingLeft={1} paddingTop={1} overflow="hidden">
      <SmallTable rows={promotions.map(promotionRow)} columns={columnsFor(width)} />
      <Line text="" />
      <Lines of={descriptions.map((line) => theme.paint('dim', line))} />
    </Box>
  );
}

/** The columns of the promotions that fit into `width` cells. */
const columnsFor = (width: number): readonly string[] => [
  'Promotion',
  'Left',
  ...(width >= 78 ? ['Left this month'] : []),
  'Expires',
  ...(width >= 100 ? ['A month', 'For'] : []),
];

const promotionRow = (promotion: Promotion): Readonly<Record<string, string>> => {
  const expires = timeOf(promotion.expire_dt);
  return {
    Promotion: promotion.summary,
    Left: dollars(promotion.credit_remaining),
    'Left this month': dollars(promotion.this_month_credit_remaining),
    Expires: Number.isNaN(expires) ? 'never' : dayText(expires),
    'A month': dollars(promotion.credit_monthly_cap),
    For: resourceCalled(textOf(promotion.service_type))?.many ?? textOf(promotion.service_type),
  };
};

/** Spending by month as bars, with the taxes of the month under the cursor. */
export function AccountSpending({ width, height }: CustomProps) {
  const { navigation } = useStores();
  const theme = useTheme();
  const description = resourceNamed('invoices');
  const invoices = useCollection(listQuery(description));
  const months = useMemo(() => monthlySpending(invoices?.rows ?? []), [invoices?.rows]);
  const [view, setView] = useView('account:spending');
  const { head, line } = spendingTable(theme, months, width);
  const monthAt = (current: string | undefined) => months.find(({ month }) => monthText(month) === current);
  const open = (current: string | undefined) => {
    const [invoice] = monthAt(current)?.invoices ?? [];
    if (!invoice) return 'This month has no invoice.';
    return () => navigation.go(placeOfRow(description, { [description.param]: idOf(description, invoice) }));
  };
  return (
    <Page
      layer="spending"
      head={months.length > 0 ? [` ${theme.paint('title', cut(sumText(months), width - 2))}`, head] : []}
      lines={months.map((one, nth) => ({ id: monthText(one.month), text: (isCurrent) => line(nth, isCurrent) }))}
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

const taxText = ({ month, subtotal, taxes, total }: MonthSpending): string =>
  `${monthName(month)}: ${[dollars(subtotal), ...taxes.map(({ name, tax }) => `${name} ${dollars(tax)}`)].join(' + ')} = ${dollars(total)}`;

function sumText(months: readonly MonthSpending[]): string {
  const total = months.reduce((sum, month) => sum + month.total, 0);
  const year = months.slice(0, 12).reduce((sum, month) => sum + month.total, 0);
  return `Invoiced: ${dollars(total)} in ${counted(months.length, 'month')}, ${dollars(year)} in the last ${Math.min(12, months.length)}`;
}

function emptyText(invoices: Collection | undefined): string {
  if (invoices?.error) return failureText(invoices.error);
  return invoices?.loadedAt === undefined ? 'Reading invoices …' : 'There are no invoices yet.';
}

/** The invoices of one month, in US dollars. */
type MonthSpending = ReturnType<typeof monthSpending>;

/** Sums invoices by month, the newest first; months without an invoice are included with zeros. */
export function monthlySpending(rows: readonly Row[]): readonly MonthSpending[] {
  const dated = (rows as readonly Invoice[]).flatMap((invoice) => {
    const time = Date.parse(`${textOf(invoice.date).slice(0, 10)}T00:00Z`);
    const month = monthOf(time);
    // Every month between the first and the last takes a line.
    return month.year >= 1990 && month.year < 2190 ? [{ month, invoice }] : [];
  });
  const months = dated.map(({ month }) => month).sort(compareMonths);
  const [oldest] = months;
  const newest = months.at(-1);
  if (!oldest || !newest) return [];
  const byMonth = Map.groupBy(dated, ({ month }) => monthText(month));
  return monthsBack(newest, oldest).map((month) =>
    monthSpending(
      month,
      (byMonth.get(monthText(month)) ?? []).map(({ invoice }) => invoice),
    ),
  );
}

function monthSpending(month: Month, invoices: readonly Invoice[]) {
  const sum = (pick: (invoice: Invoice) => number) =>
    invoices.reduce((all, invoice) => all + (Number(pick(invoice)) || 0), 0);
  const taxes = new Map<string, number>();
  for (const { name, tax } of invoices.flatMap((invoice) => rowsOf(invoice.tax_summary))) {
    const key = textOf(name);
    taxes.set(key, (taxes.get(key) ?? 0) + (Number(tax) || 0));
  }
  return {
    month,
    subtotal: sum(({ subtotal }) => subtotal),
    total: sum(({ total }) => total),
    taxes: [...taxes].map(([name, tax]) => ({ name, tax })),
    invoices,
  };
}

/** The months as a table: the invoiced total, and a bar of it that ends with the tax. */
function spendingTable(theme: Theme, months: readonly MonthSpending[], width: number) {
  const most = Math.max(...months.map(({ total }) => total));
  const marks = theme.glyphs === 'ascii' ? { net: '#', tax: '=' } : { net: '█', tax: '▒' };
  const bar = ({ subtotal, total }: MonthSpending, room: number) => {
    const cells = (amount: number) => (most > 0 ? Math.round((Math.max(0, amount) / most) * room) : 0);
    const whole = Math.min(room, cells(total));
    const inner = Math.min(whole, cells(subtotal));
    return theme.paint('series1', marks.net.repeat(inner)) + theme.paint('series2', marks.tax.repeat(whole - inner));
  };
  const legend = `${marks.net} subtotal  ${marks.tax} tax`;
  const columns: readonly CellColumn[] = [
    { title: 'MONTH', content: 16 },
    { title: 'TOTAL', content: 10, align: 'right' },
    { title: legend, content: width, maxWidth: width },
  ];
  const cells = months.map((month): readonly TableCell[] => [
    { text: monthName(month.month) },
    { text: dollars(month.total) },
    { text: '', draw: (room) => bar(month, room) },
  ]);
  return cellTable(theme, columns, cells, width);
}
