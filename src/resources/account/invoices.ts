import { dollars } from '../../text/numbers.ts';
import { type Labelled, type Resource, resource } from '../resource.ts';

/** An invoice (document 1, 2.6); the amounts are in US dollars. */
export type Invoice = Labelled & {
  date: string;
  subtotal: number;
  tax: number;
  total: number;
  tax_summary: readonly { name: string; tax: number }[];
};

/** Invoices (document 1, 2.6 and 4.1). */
export const invoices: Resource = resource<Invoice>()({
  name: 'invoices',
  area: 'Account',
  aliases: ['bills'],
  path: '/v4/account/invoices',
  scope: 'account',
  ids: /^\d+$/,
  sort: '-Date',
  empty: 'The platform issues an invoice at the beginning of each month, for the month before.',
  columns: [
    { title: 'Date', value: 'date', format: 'date', keep: 1 },
    { title: 'Label', value: 'label', keep: 1 },
    { title: 'Total', value: 'total', format: 'money', keep: 1, total: true },
    { title: 'Tax', value: 'tax', format: 'money' },
    { title: 'Subtotal', value: 'subtotal', format: 'money' },
    { title: 'ID', value: 'id', format: 'id' },
  ],
  card: [
    {
      title: 'Tax summary',
      value: ({ tax_summary }) => (tax_summary ?? []).map(({ name, tax }) => `${name} ${dollars(tax)}`),
      format: 'list',
    },
    { title: 'Items', value: () => 'The API does not tell them; its console has them.', format: 'dim' },
  ],
});
