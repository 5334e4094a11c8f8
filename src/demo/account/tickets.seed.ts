import type { Reply as ReplyRow, Ticket as TicketRow } from '../../resources/account/tickets.ts';
import type { Stored } from '../engine/cloud.ts';
import type { Entity } from '../engine/eventLog.ts';
import { day, hour, minute, timestamp } from '../engine/time.ts';

/** A reply to a ticket (document 1, 2.8). */
export type Reply = Stored<ReplyRow> & { avatar_id: string };

/** A ticket (document 1, 2.7) with its replies, the oldest first. */
export type Ticket = Omit<Stored<TicketRow>, 'entity'> & {
  entity: Entity | null;
  avatar_id: string;
  replies: readonly Reply[];
};

/** The user name of the platform's support. */
export const staff = 'platform-support';

const avatars: Readonly<Record<string, string>> = {
  operator: '0c4b1f7d9e2a4f60b1d83e5a7c92f014',
  'night-shift': '9b7e02d4c1f84a35a6e0d2b85f3c7719',
  [staff]: 'e51f0a6c38d94b72905c7d1be4a2f683',
};

/** The picture of a user. */
const avatarOf = (username: string): string => avatars[username] ?? '00000000000000000000000000000000';

/** A reply of a user, or of the support, as the API has it. */
export const replyOf = (username: string, description: string, created: string, id: number): Reply => ({
  created,
  created_by: username,
  description,
  from_server: username === staff,
  avatar_id: avatarOf(username),
  id,
});

type Told = 'id' | 'summary' | 'description' | 'entity' | 'opened' | 'opened_by';

/** A ticket that was opened, as far as nothing else is said of it. */
export const openedTicket = (own: Pick<Ticket, Told> & Partial<Ticket>): Ticket => ({
  ...{ attachments: [], closable: true, closed: null, avatar_id: avatarOf(own.opened_by), status: 'new' },
  ...{ updated: own.opened, updated_by: own.opened_by, replies: [], ...own },
});

/** A ticket there is at first, its times relative to now. */
interface InitialTicket {
  summary: string;
  text: string;
  by?: string;
  /** The time since it was opened, in milliseconds. */
  age: number;
  about?: Entity | undefined;
  /** By whom each is, how long after the ticket was opened in milliseconds, and its text. */
  replies?: readonly (readonly [username: string, after: number, text: string])[];
  files?: readonly string[];
  /** The time from its opening to its closing, in milliseconds. */
  closedAfter?: number;
  /** The platform alone closes it. */
  kept?: true;
}

/** The things that tickets are about. */
export interface Subjects {
  server: (label: string) => Entity | undefined;
  volume: (label: string) => Entity | undefined;
  cluster: Entity | undefined;
  /** The token of the transfer that another account offers. */
  token: string;
}

/** The summaries of the tickets about outages that managed monitoring found: one that goes on, and one that is over. */
export const outages = { now: 'search does not answer', past: 'shop answered without its text' } as const;

const initialTickets = ({ server, volume, cluster, token }: Subjects): readonly InitialTicket[] => [
  {
    summary: outages.now,
    by: staff,
    age: 6 * minute,
    kept: true,
    text: 'Managed monitoring got no response from search within 10 seconds, three times in a row. We are looking into it.',
  },
  {
    summary: outages.past,
    by: staff,
    age: 12 * day + 2 * hour,
    kept: true,
    text: 'The response of shop lacked the text that it is expected to have. We are looking into it.',
    replies: [
      [staff, 9 * minute, 'The shop was put into maintenance by a deployment. It answers as expected again.'],
      ['operator', 50 * minute, 'That was us. We disable the service before the next one.'],
    ],
    closedAfter: hour,
  },
  {
    summary: 'The card on file has expired',
    by: staff,
    age: 6 * day,
    kept: true,
    text: 'The credit card ending in 1117 has expired, so the next invoice cannot be charged to it.\n\nPlease add another card under Account before the end of the month.',
  },
  {
    summary: 'Maintenance of the host of batch-2 on Sunday',
    by: staff,
    age: 4 * day,
    kept: true,
    about: server('batch-2'),
    text: 'The host of this server gets new firmware on Sunday between 02:00 and 04:00 UTC.\n\nThe server is shut down and booted again afterwards; it is off for about 20 minutes. If that time does not suit you, tell us here.',
    replies: [
      ['night-shift', 9 * hour, 'That suits us, the nightly jobs are over by 01:00.'],
      [staff, 10 * hour, 'Good to know, then we leave it at that.'],
    ],
  },
  {
    summary: 'Disk latency on db-primary during the nightly backup',
    age: 2 * day + 3 * hour,
    about: server('db-primary'),
    files: ['iostat-night.txt', 'latency.png'],
    text: 'Since Monday writes on db-primary take up to 900 ms between 01:10 and 01:40 UTC, when its backup runs. Before that they took 4 ms at most.\n\nThe load of the database is the same as in the weeks before. Output of iostat and a graph are attached.\n\nIs another tenant of the host busy at that time, or has something changed in how backups are made?',
    replies: [
      [
        staff,
        40 * minute,
        'Thank you for the numbers, they help a lot.\n\nThe host had one noisy neighbour at that time, which we have moved. Could you tell us tomorrow whether last night was better?',
      ],
      [
        'operator',
        21 * hour,
        'Better, but not gone: 01:10 to 01:18 still had peaks of 300 ms. I have attached the output of last night.',
      ],
      [
        staff,
        23 * hour,
        'We see those peaks as well. They come from the backup reading the swap disk, which has grown to 8 GB.\n\nTwo things help:\n- make the swap disk smaller, or\n- move the backup window to a time at which the database is idle.\n\nWe keep an eye on it until the end of the week.',
      ],
    ],
  },
  {
    summary: 'Two servers of the old account, token inside',
    age: 9 * hour,
    text: 'The old account has offered us legacy-web and legacy-db as an entity transfer. It ends 24 hours after it was made.',
    replies: [
      ['night-shift', 20 * minute, `Its token is ${token}. Look at it before you accept it, please.`],
      [staff, hour, 'We see the transfer. You can accept it yourself; there is nothing to do for us.'],
    ],
  },
  {
    summary: 'More than 50 servers, please',
    by: 'night-shift',
    age: 95 * minute,
    text: 'We plan to add 20 workers for the end of the quarter and will pass 50 servers then. Please raise the limit.',
  },
  {
    summary: 'Nodes of the edge cluster stay NotReady',
    age: 19 * day,
    about: cluster,
    text: 'After the upgrade two nodes of the cluster stay NotReady, and new ones as well.',
    replies: [
      [
        staff,
        25 * minute,
        'The upgrade left a wrong certificate on these nodes. We have replaced it; please look again.',
      ],
      ['operator', 50 * minute, 'All nodes are ready. Thank you.'],
    ],
    closedAfter: hour,
  },
  {
    summary: 'archive-2023 cannot be detached',
    by: 'night-shift',
    age: 41 * day,
    about: volume('archive-2023'),
    text: 'Detaching ends with "The volume is busy" since yesterday.',
    replies: [[staff, 15 * minute, 'An old job held it. It is detached now.']],
    closedAfter: 8 * hour,
  },
  {
    summary: 'The invoice lacks our purchase order',
    age: 63 * day,
    text: 'Can the number of our purchase order be printed on the invoice? It is PO-00417.',
    replies: [[staff, 3 * hour, 'It stands in the second line of the address from the next invoice on.']],
    closedAfter: 3 * day,
  },
  {
    summary: 'Abuse report: port scan from ci-1',
    by: staff,
    age: 88 * day,
    about: server('ci-1'),
    text: 'We were told of port scans from this server on 203.0.113.0/24. Please look into it within 24 hours.',
    replies: [
      ['operator', 2 * hour, 'A test of our own scanner had a wrong range. It is corrected; sorry about that.'],
      [staff, 4 * hour, 'Thank you for the quick answer.'],
    ],
    closedAfter: 5 * hour,
  },
];

const firstId = 11_480_203;

/**
 * The tickets there are at first.
 * @param time the present, in milliseconds since the epoch
 */
export function seedTickets(subjects: Subjects, time: number): Map<number, Ticket> {
  const initial = initialTickets(subjects);
  const tickets = initial.map((ticket, index) => ticketFrom(ticket, firstId + (initial.length - index) * 37, time));
  return new Map(tickets.map((ticket) => [ticket.id, ticket]));
}

function ticketFrom(ticket: InitialTicket, id: number, time: number): Ticket {
  const { summary, text, by = 'operator', age, about = null, replies = [], files = [], closedAfter, kept } = ticket;
  const opened = time - age;
  const last = replies.at(-1);
  const ended = closedAfter === undefined ? undefined : opened + closedAfter;
  const isAnswered = by === staff || replies.some(([username]) => username === staff);
  return openedTicket({
    ...{ id, summary, description: text, entity: about ?? null, opened: timestamp(opened), opened_by: by },
    ...{ attachments: files, closable: kept !== true, closed: ended === undefined ? null : timestamp(ended) },
    status: ended !== undefined ? 'closed' : isAnswered ? 'open' : 'new',
    updated: timestamp(ended ?? opened + (last?.[1] ?? 0)),
    updated_by: last?.[0] ?? by,
    replies: replies.map(([username, after, text], index) =>
      replyOf(username, text, timestamp(opened + after), id * 10 + index),
    ),
  });
}
