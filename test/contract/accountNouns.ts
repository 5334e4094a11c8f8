import {
  boolean,
  date,
  either,
  integer,
  list,
  matching,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
} from './shapes.ts';

export interface Account {
  company: string;
  state: string;
  zip: string;
  country: string;
  balance: number;
  balance_uninvoiced: number;
  credit_card: { expiry: string; last_four: number };
}

export interface Transfer {
  token: string;
  status: string;
  is_sender: boolean;
  created: string;
  expiry: string;
  entities: { servers: number[] };
}

export interface Invoice {
  id: number;
  date: string;
  subtotal: number;
  tax: number;
  tax_summary: { name: string; tax: number }[];
  total: number;
}

export interface Ticket {
  id: number;
  summary: string;
  status: string;
  closable: boolean;
  closed: string | null;
  updated: string;
  updated_by: string | null;
  attachments: string[];
  entity: { id?: number; type: string; label: string } | null;
}

export interface Reply {
  id: number;
  description: string;
  created_by: string;
  from_server: boolean;
}

const decimal = matching(/^\d+\.\d\d$/);
const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);

/** Document 1, 2.3. */
const promotion = object({
  credit_monthly_cap: decimal,
  credit_remaining: decimal,
  description: text,
  expire_dt: date,
  image_url: text,
  service_type: oneOf(
    ...['all', 'backup', 'blockstorage', 'db_mysql', 'ip_v4', 'server', 'server_disk', 'server_memory', 'monitor'],
    ...['managed', 'nodebalancer', 'objectstorage', 'transfer_tx'],
  ),
  summary: text,
  this_month_credit_remaining: decimal,
});

/** Document 1, 2.2. */
export const account: Shape = object({
  active_promotions: list(promotion),
  active_since: date,
  address_1: text,
  address_2: text,
  balance: number,
  balance_uninvoiced: number,
  capabilities: list(text),
  city: text,
  company: text,
  country: matching(/^[A-Z]{2}$/),
  credit_card: object({ expiry: matching(/^\d\d\/\d{4}$/), last_four: integer }),
  email: text,
  euuid: uuid,
  first_name: text,
  last_name: text,
  phone: text,
  state: text,
  tax_id: text,
  zip: text,
});

/** Document 1, 2.4. */
export const transfer: Shape = object({
  created: date,
  entities: object({ servers: list(integer) }),
  expiry: date,
  is_sender: boolean,
  status: oneOf('accepted', 'cancelled', 'completed', 'failed', 'pending', 'stale'),
  token: uuid,
  updated: date,
});

/** Document 1, 2.6. */
export const invoice: Shape = object({
  date,
  id: integer,
  label: text,
  subtotal: number,
  tax: number,
  tax_summary: list(object({ name: text, tax: number })),
  total: number,
});

const entity = object({ id: optional(either(integer, text)), label: text, type: text, url: nullable(text) });

/** Document 1, 2.7. */
export const ticket: Shape = object({
  attachments: list(text),
  closable: boolean,
  closed: nullable(date),
  description: text,
  entity: nullable(entity),
  avatar_id: text,
  id: integer,
  opened: date,
  opened_by: text,
  status: oneOf('closed', 'new', 'open'),
  summary: text,
  updated: date,
  updated_by: nullable(text),
});

/** Document 1, 2.8. */
export const reply: Shape = object({
  created: date,
  created_by: text,
  description: text,
  from_server: boolean,
  avatar_id: text,
  id: integer,
});
