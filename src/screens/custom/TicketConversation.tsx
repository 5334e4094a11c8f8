import { formatValue } from '../../components/format.ts';
import { textLines } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import { entityWords } from '../../resources/account/events.ts';
import type { Reply, Ticket } from '../../resources/account/tickets.ts';
import { resourceNamed } from '../../resources/index.ts';
import { itemsOf, type Row } from '../../resources/row.ts';
import { type Collection, listQuery } from '../../store/cache.ts';
import { cut } from '../../text/cells.ts';
import { ageText, dateText, timeOf } from '../../text/times.ts';
import { textOf } from '../../text/words.ts';
import { startOf } from '../choices.ts';
import { failureText } from '../freshness.ts';
import type { DrawContext } from '../home/tile.ts';
import { Page } from '../page/Page.tsx';
import { type CustomProps, useCollection, useStores } from '../useStores.ts';

/** A support ticket as a conversation: its subject, then all messages, the newest last. */
export function TicketConversation({ params, row, width, height }: CustomProps) {
  const stores = useStores();
  const theme = useTheme();
  const options = { theme, now: stores.now(), width };
  const description = resourceNamed('replies');
  const replies = useCollection(listQuery(description, params));
  const { create } = description;
  const reply = create && startOf(stores, { resource: description, action: create, targets: [], params });
  return (
    <Page
      layer="conversation"
      head={[...headerLines(options, row), '']}
      lines={[...messageLines(options, row, replies?.rows ?? []), ...stateLines(replies)]}
      startsAtEnd
      keys={{ reply }}
      width={width}
      height={height}
    />
  );

  function stateLines(collection: Collection | undefined): readonly string[] {
    const { error, loadedAt } = collection ?? {};
    if (error) return [theme.paint('bad', ` ${cut(failureText(error), width - 2)}`)];
    return loadedAt === undefined ? [theme.paint('dim', ' Reading replies …')] : [];
  }
}

/** The header of a ticket: its summary, state, number, object and files. */
function headerLines({ theme, width }: DrawContext, row: Row): readonly string[] {
  const { id, status, summary, entity, attachments } = row as Ticket;
  const state = formatValue(status, 'status', theme);
  const about = entityWords(entity);
  const files = itemsOf(attachments).map(textOf);
  const facts = [
    `ticket ${id}`,
    about ? `about ${textOf(entity?.type).replaceAll('_', ' ')} ${about}` : 'about the account',
    files.length > 0 ? `files: ${files.join(', ')}` : '',
  ].filter(Boolean);
  return [
    ` ${theme.paint('title', cut(textOf(summary), width - 2))}`,
    ` ${theme.paint(state.role, state.text)}${theme.paint('dim', cut(`   ${facts.join('   ')}`, width - state.text.length - 2))}`,
  ];
}

interface Message {
  by: string;
  isStaff: boolean;
  at: unknown;
  text: unknown;
}

/** All messages, the oldest first, each under a line with its author and time. */
function messageLines(options: DrawContext, row: Row, replies: readonly Row[]): readonly string[] {
  const ticket = row as Ticket;
  const staff = new Set(
    (replies as readonly Reply[]).flatMap((reply) => (reply.from_server ? [reply.created_by] : [])),
  );
  const opening: Message = {
    by: ticket.opened_by,
    isStaff: staff.has(ticket.opened_by),
    at: ticket.opened,
    text: ticket.description,
  };
  const answers = (replies as readonly Reply[]).map(
    ({ created_by: by, from_server: isStaff, created: at, description: text }): Message => ({ by, isStaff, at, text }),
  );
  const ordered = answers.toSorted((one, other) => (timeOf(one.at) || 0) - (timeOf(other.at) || 0));
  const closed = timeOf(ticket.closed);
  return [
    ...[opening, ...ordered].flatMap((message) => textLinesOf(options, message)),
    ...(Number.isNaN(closed) ? [] : [options.theme.paint('dim', ` Closed ${dateText(closed)} UTC.`)]),
  ];
}

function textLinesOf({ theme, now, width }: DrawContext, { by, isStaff, at, text }: Message): readonly string[] {
  const isAscii = theme.glyphs === 'ascii';
  const mark = isStaff ? (isAscii ? '#' : '◆') : isAscii ? 'o' : '○';
  const time = timeOf(at);
  const when = Number.isNaN(time) ? '' : `  ${ageText(now - time)} ago, ${dateText(time)} UTC`;
  const name = cut(isStaff ? `${mark} platform staff ${by}` : `${mark} ${by}`, width - 2);
  const bar = theme.paint(isStaff ? 'accent' : 'dim', isAscii ? '|' : '│');
  return [
    ` ${theme.paint(isStaff ? 'accent' : 'title', name)}${theme.paint('dim', cut(when, Math.max(0, width - name.length - 2)))}`,
    ...textLines(textOf(text), width - 4).map((line) => ` ${bar} ${line}`),
    '',
  ];
}
