import type { Span } from '../../components/spans.ts';
import type { Ticket } from '../../resources/account/tickets.ts';
import { idOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { at, type Row } from '../../resources/resource.ts';
import { isOpen, waitsForUs } from '../../resources/rules/tickets.ts';
import { clean, widthOf } from '../../text/cells.ts';
import { dollars, grouped, isNumber } from '../../text/numbers.ts';
import { ageText, dayText, timeOf } from '../../text/times.ts';
import { counted, textIn } from '../../text/words.ts';
import { placeOfOwn } from '../places.ts';
import { countsBy, isBad } from './countLines.ts';
import {
  amountLine,
  type HomeData,
  itemLine,
  linkToList,
  placeholderText,
  placeholderTile,
  statusCount,
  type Tile,
  type TileLine,
} from './tile.ts';

const services = resourceNamed('managed-services');
const issues = resourceNamed('managed-issues');
const invoices = resourceNamed('invoices');
const tickets = resourceNamed('tickets');

const servicesByStatus = countsBy(({ status }) => textIn(status));

/** The monitored services and their issues; undefined for an account without any. */
export function managedTile({ view, queryState, glyphs }: HomeData): Tile | undefined {
  const watched = view.rows(services.name);
  const found = view.rows(issues.name);
  const tile = { name: 'managed', title: 'Managed', link: linkToList(services.name) } as const;
  const placeholder = placeholderText(queryState(services.name));
  if (watched.length + found.length === 0) return placeholder ? placeholderTile(tile, placeholder) : undefined;
  const open = found.filter((issue) => view.row('tickets', at(issue, 'entity.id'))?.status !== 'closed');
  const states = servicesByStatus(watched)
    .toSorted((one, other) => Number(isBad(other.value)) - Number(isBad(one.value)))
    .map(({ value, count }) => statusCount(value, `${grouped(count)} ${value}`, glyphs));
  const [newest] = open.map(({ created }) => timeOf(created) || 0).sort((one, other) => other - one);
  return {
    ...tile,
    figures: states,
    summary: [...states.slice(0, 1), { text: counted(open.length, 'open issue') }],
    lines: [
      amountLine('managed:services', linkToList(services.name), 'Services', { text: grouped(watched.length) }),
      amountLine(
        'managed:issues',
        linkToList(issues.name),
        'Open issues',
        { text: grouped(open.length), role: open.length > 0 ? 'warn' : undefined },
        newest ? [{ text: `${ageText(view.now - newest)} ago`, role: 'dim' }] : [],
      ),
    ],
  };
}

/** The balance, what is not invoiced yet, and the invoices, the newest first. */
export function moneyTile({ view, queryState }: HomeData): Tile {
  const tile = { name: 'money', title: 'Money', link: linkToList('account') } as const;
  const [account] = view.rows('account');
  if (!account) return placeholderTile(tile, placeholderText(queryState('account')) ?? 'not read');
  const { balance, balance_uninvoiced: uninvoiced } = account;
  const invoiced = [...view.rows('invoices')].sort((one, other) => (timeOf(other.date) || 0) - (timeOf(one.date) || 0));
  return {
    ...tile,
    figures: [],
    summary: [balanceSummary(balance)],
    lines: [
      amountLine('money:balance', tile.link, 'Balance', amountSpan(balance), dim(balanceWords(balance))),
      amountLine('money:uninvoiced', tile.link, 'Not invoiced', plain(amountSpan(uninvoiced)), dim('estimate')),
      ...invoiceLines(invoiced, placeholderText(queryState('invoices'))),
    ],
  };
}

const dim = (text: string): readonly Span[] => [{ text, role: 'dim' }];
const plain = ({ text }: Span): Span => ({ text });

/** A debt is coloured; a credit has no sign. */
export function amountSpan(amount: unknown): Span {
  if (!isNumber(amount)) return { text: '–', role: 'dim' };
  return { text: dollars(Math.abs(amount)), role: amount >= 0.01 ? 'warn' : undefined };
}

const balanceWords = (balance: unknown): string => {
  if (!isNumber(balance)) return 'unknown';
  if (balance >= 0.01) return 'due';
  return balance <= -0.01 ? 'credit' : 'nothing due';
};

/** A balance in words: `$12.00 due`. */
export function balanceSummary(balance: unknown): Span {
  const words = balanceWords(balance);
  const { text, role } = amountSpan(balance);
  return ['nothing due', 'unknown'].includes(words) ? { text: words } : { text: `${text} ${words}`, role };
}

const maxInvoices = 12;

function invoiceLines(rows: readonly Row[], placeholder: string | undefined): readonly TileLine[] {
  const [newest, ...others] = rows.slice(0, maxInvoices);
  if (!newest) {
    const amount: Span = { text: placeholder ?? 'none', role: 'dim' };
    return [amountLine('money:invoices', linkToList(invoices.name), 'Last invoice', amount)];
  }
  const line = (row: Row, label: string) =>
    amountLine(
      `invoices:${idOf(invoices, row)}`,
      { place: placeOfOwn(invoices, row) },
      label,
      plain(amountSpan(row.total)),
      dim(Number.isNaN(timeOf(row.date)) ? '' : dayText(timeOf(row.date))),
    );
  return [line(newest, 'Last invoice'), ...others.map((row) => line(row, 'Invoice'))];
}

/** Open tickets, those that wait for an answer of the account first. */
export function ticketsTile({ view, queryState, glyphs }: HomeData): Tile {
  const tile = { name: 'tickets', title: 'Tickets', link: linkToList('tickets') } as const;
  const placeholder = placeholderText(queryState('tickets'));
  const rows = view.rows('tickets') as readonly Ticket[];
  if (placeholder && rows.length === 0) return placeholderTile(tile, placeholder);
  const open = rows.filter(isOpen);
  const waiting = new Set(open.filter((ticket) => waitsForUs(ticket, view) === true));
  const others = open.filter((ticket) => !waiting.has(ticket));
  const waits = (words: string): readonly Span[] =>
    waiting.size > 0 ? [statusCount('warning', `${grouped(waiting.size)} ${words}`, glyphs)] : [];
  const count: Span = { text: `${grouped(open.length)} open`, role: open.length > 0 ? undefined : 'dim' };
  const ends = [...waiting, ...others].map((ticket) => {
    const updated = timeOf(ticket.updated);
    return { ticket, name: tickets.label(ticket), end: Number.isNaN(updated) ? '' : ageText(view.now - updated) };
  });
  const wide = Math.max(0, ...ends.map(({ name, end }) => widthOf(clean(name)) + widthOf(end) + 6));
  return {
    ...tile,
    figures: [count, ...waits('waiting for you')],
    summary: [...waits('waiting'), count],
    lines: ends.map(({ ticket, name, end }) => {
      const mark = statusCount(waiting.has(ticket) ? 'warning' : 'open', '', glyphs);
      return itemLine(`tickets:${ticket.id}`, { place: placeOfOwn(tickets, ticket) }, mark, name, end, wide);
    }),
  };
}
