/** The part of JSON Schema (2020-12) in which the documents of snapshots are described. */
export interface Schema {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  format?: 'date-time';
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  not?: Schema;
  pattern?: string;
  minLength?: number;
  minItems?: number;
  minimum?: number;
  maximum?: number;
}

const text: Schema = { type: 'string' };
const objects: Schema = { type: 'object' };

/** An object with these properties; a `?` at the end of a name makes it optional. */
function objectOf(properties: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(properties);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name.replace('?', ''), schema])),
    required: names.filter((name) => !name.endsWith('?')),
  };
}

const listOf = (items: Schema, description?: string): Schema => ({
  type: 'array',
  ...(description === undefined ? {} : { description }),
  items,
});

const problem = objectOf({
  id: { type: 'string', description: 'the same as long as the same thing is wrong with the same object' },
  severity: { enum: ['critical', 'warning', 'notice'] },
  rule: { type: 'string', description: 'the name of the rule that found it' },
  resource: { type: 'string', description: 'the kind of the object' },
  params: { type: 'object', description: 'what names the object in paths', additionalProperties: text },
  label: { type: 'string', description: 'what the object is called' },
  says: { type: 'string', description: 'what is wrong, as a sentence' },
  since: { type: ['string', 'null'], format: 'date-time' },
});

const unexamined = objectOf({
  resource: text,
  operation: { type: 'string', description: 'list, or the operation asked about each row' },
  count: { type: 'integer', description: 'the rows about which nothing is known' },
  of: { type: 'integer', description: 'all rows about which rules ask it' },
  'own?': { enum: ['critical', 'warning', 'notice'], description: 'a rule of the configuration asks it: its severity' },
  'since?': { type: 'integer', description: 'of events: from when on they are known, in ms since the epoch' },
});

const row = (sections: readonly string[]) =>
  objectOf({
    section: { enum: sections },
    subject: text,
    status: { type: ['string', 'null'] },
    value: {
      type: ['number', 'string', 'null'],
      description: 'a count, a percentage, a time, an address or what changed, by section',
    },
  });

const reading = (description: string): Schema => ({ type: ['number', 'null'], description });

const load = objectOf({
  id: { description: 'as the API writes it' },
  label: text,
  cpu: reading('percent of all its CPUs; null where there is no reading'),
  in: reading('bit/s of the public network, IPv4 and IPv6 together'),
  out: reading('bit/s, as `in`'),
  io: reading('blocks/s'),
});

const count = (description: string): Schema => ({ type: ['integer', 'null'], description });
const dollars = (description: string): Schema => ({ type: ['number', 'null'], description });

const cost = objectOf({
  by: { enum: ['tag', 'area', 'row'] },
  id: text,
  label: text,
  'what?': { type: 'string', description: 'of a row or an area: server, volume …' },
  'resource?': { type: 'string', description: 'of a row: the area that lists it' },
  'params?': { type: 'object', description: 'what names it in paths', additionalProperties: text },
  'tags?': listOf(text),
  'region?': text,
  'count?': { type: 'integer', description: 'of a tag or an area: its rows' },
  'cost?': { type: 'number', description: 'dollars a month; absent where the API does not tell it' },
  'wasted?': { type: 'number', description: 'the part of it that is known to be idle, off or unattached' },
  'state?': { enum: ['in_use', 'idle', 'off', 'unattached', 'no_ports', 'empty'] },
  'since?': { type: 'integer', description: 'in ms since the epoch' },
  'why?': { type: 'string', description: 'how that is known' },
  'helps?': text,
  'untold?': { type: 'string', description: 'what the API does not tell' },
});

const account = objectOf({
  'account?': { type: 'string', description: 'its profile' },
  state: { enum: ['ok', 'incomplete', 'not read'] },
  critical: count('problems of this severity; null where nothing is known'),
  warnings: count('problems of this severity; null where nothing is known'),
  jobs: count('events in progress'),
  servers: count('all of them'),
  balance: dollars('in dollars'),
  uninvoiced: dollars('what is not invoiced yet'),
  readOnly: { type: ['boolean', 'null'], description: 'whether the profile changes nothing' },
});

/** Whether problems are always examined, or only with `--fail-on`. */
type Examined = 'always' | 'asked';

const examined = (when: Examined): Readonly<Record<string, Schema>> => {
  const mark = when === 'always' ? '' : '?';
  return {
    [`problems${mark}`]: listOf(problem, 'the open problems, the most urgent first'),
    [`unexamined${mark}`]: listOf(unexamined, 'what was too much to be examined'),
  };
};

const documentOf = (area: Schema, rows: Schema, further: Readonly<Record<string, Schema>>): Schema =>
  objectOf({
    area,
    takenAt: { type: 'string', format: 'date-time' },
    ...further,
    rows: listOf(rows),
    missing: listOf(text, 'one sentence for each part that could not be read'),
  });

/** The schema of each board's document, and of any area's. */
export const schemas = {
  home: documentOf({ const: 'home' }, row(['counts', 'happening now', 'last activity']), examined('always')),
  problems: documentOf({ const: 'problems' }, problem, { unexamined: listOf(unexamined) }),
  activity: documentOf({ const: 'activity' }, objects, examined('asked')),
  managed: documentOf({ const: 'managed' }, row(['services', 'issues']), examined('asked')),
  fleet: documentOf({ const: 'fleet' }, load, examined('asked')),
  costs: documentOf({ const: 'costs' }, cost, {}),
  accounts: documentOf({ const: 'accounts' }, account, examined('always')),
  journal: documentOf({ const: 'journal' }, row(['sent from here', 'running', 'messages', 'changed meanwhile']), {}),
  AREA: documentOf(text, objects, examined('asked')),
} as const satisfies Record<string, Schema>;

const takenAt = '2026-05-13T12:00:00.000Z';

const anExpiredCard = {
  id: 'card-expired',
  severity: 'critical',
  rule: 'card-expired',
  resource: 'account',
  params: {},
  label: 'Example Inc.',
  says: 'The card ending in 1117 expired 04/2026; the next invoice cannot be charged to it',
  since: '2026-05-01T00:00:00.000Z',
};

/** An example of each document. */
export const examples: Readonly<Record<keyof typeof schemas, unknown>> = {
  home: {
    area: 'home',
    takenAt,
    problems: [anExpiredCard],
    unexamined: [{ resource: 'servers', operation: 'transfer', count: 250, of: 400 }],
    rows: [
      { section: 'counts', subject: 'servers', status: 'running', value: 399 },
      { section: 'counts', subject: 'servers', status: 'resizing', value: 1 },
      { section: 'happening now', subject: 'server resize web-7', status: 'started', value: 68 },
      { section: 'last activity', subject: 'server boot web-1', status: 'finished', value: '2026-05-13T11:58:00' },
    ],
    missing: [],
  },
  problems: { area: 'problems', takenAt, unexamined: [], rows: [anExpiredCard], missing: [] },
  activity: {
    area: 'activity',
    takenAt,
    rows: [{ id: 7, action: 'server_boot', status: 'finished', entity: { type: 'server', id: 12, label: 'web-1' } }],
    missing: [],
  },
  managed: {
    area: 'managed',
    takenAt,
    rows: [
      { section: 'services', subject: 'shop', status: 'ok', value: 'https://shop.example.com/health' },
      { section: 'issues', subject: '70426', status: null, value: '2026-05-13T11:50:00' },
    ],
    missing: [],
  },
  journal: {
    area: 'journal',
    takenAt,
    rows: [
      { section: 'sent from here', subject: 'Edit: web-1', status: 'done', value: '2026-05-13T11:50:00.000Z' },
      { section: 'messages', subject: 'Edit: web-1 done.', status: 'good', value: '2026-05-13T11:50:01.000Z' },
      { section: 'changed meanwhile', subject: 'volume logs', status: 'changed', value: 'size 20 GiB → 40 GiB' },
    ],
    missing: [],
  },
  fleet: {
    area: 'fleet',
    takenAt,
    rows: [{ id: 12, label: 'web-1', cpu: 36.2, in: 1230000, out: 17700000, io: 120.5 }],
    missing: [],
  },
  costs: {
    area: 'costs',
    takenAt,
    rows: [
      { id: 'tag web', by: 'tag', label: 'web', count: 9, cost: 232, wasted: 0, untold: '1 NodeBalancer' },
      {
        id: 'servers 12',
        by: 'row',
        label: 'web-1',
        what: 'server',
        resource: 'servers',
        params: { serverId: '12' },
        cost: 29,
        wasted: 29,
        state: 'off',
        tags: ['web'],
      },
    ],
    missing: [],
  },
  accounts: {
    area: 'accounts',
    takenAt,
    problems: [anExpiredCard],
    unexamined: [],
    rows: [
      {
        account: 'work',
        state: 'ok',
        critical: 1,
        warnings: 0,
        jobs: 0,
        servers: 40,
        balance: 0,
        uninvoiced: 31.5,
        readOnly: false,
      },
    ],
    missing: [],
  },
  AREA: {
    area: 'volumes',
    takenAt,
    problems: [],
    unexamined: [],
    rows: [{ id: 12, label: 'data', status: 'active', size: 20, region: 'us-east', tags: ['web'] }],
    missing: [],
  },
};
