import { Box } from 'ink';
import { Line, Lines } from '../../components/Line.tsx';
import { SmallTable } from '../../components/SmallTable.tsx';
import { useTheme } from '../../components/theme.ts';
import type { Account, Promotion } from '../../resources/account/account.ts';
import { rowsOf } from '../../resources/row.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { dollars } from '../../text/money.ts';
import { dayText, timeOf } from '../../text/times.ts';
import type { CustomProps } from '../props.ts';

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
    For: promotion.service_type,
  };
};
