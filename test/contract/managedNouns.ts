import { boolean, date, integer, list, nullable, object, oneOf, type Shape, text } from './shapes.ts';

/** The fields of a managed service that tests read (document 3, 4.4). */
export interface Service {
  id: number;
  label: string;
  status: string;
  address: string;
  region: string | null;
  credentials: number[];
}

export interface Credential {
  id: number;
  label: string;
}

export interface Contact {
  id: number;
  phone: { primary: string | null; secondary: string | null };
}

export interface Issue {
  id: number;
  services: number[];
  entity: { id: number };
}

export const service: Shape = object({
  id: integer,
  status: oneOf('disabled', 'pending', 'ok', 'problem'),
  label: text,
  service_type: oneOf('url', 'tcp'),
  address: text,
  timeout: integer,
  body: nullable(text),
  consultation_group: text,
  credentials: list(integer),
  notes: nullable(text),
  region: nullable(text),
  created: date,
  updated: date,
});

export const issue: Shape = object({
  id: integer,
  created: date,
  services: list(integer),
  entity: object({ id: integer, type: oneOf('ticket'), label: text, url: text }),
});

export const contact: Shape = object({
  id: integer,
  name: text,
  email: text,
  phone: object({ primary: nullable(text), secondary: nullable(text) }),
  group: nullable(text),
  updated: date,
});

export const credential: Shape = object({ id: integer, label: text, last_decrypted: nullable(date) });

export const serverSettings: Shape = object({
  id: integer,
  label: text,
  group: text,
  ssh: object({ access: boolean, ip: text, port: integer, user: text }),
});

const points = list(object({ x: integer, y: integer }));

export const statistics: Shape = object({
  data: object({ cpu: points, disk: points, swap: points, net_in: points, net_out: points }),
});
