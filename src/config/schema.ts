import * as v from 'valibot';
import { nameServerIn } from '../resources/ipAddress.ts';
import { orSuggestion } from '../text/nearest.ts';
import { askSetting } from './askSchema.ts';
import { profile, shared } from './profile.ts';
import {
  about,
  described,
  flag,
  listOf,
  must,
  oneOf,
  optional,
  ruled,
  table,
  tables,
  text,
  textsLike,
  wholeFrom,
} from './values.ts';

/** The key of an action, or several; an empty one takes them away. */
const keyOrKeys = v.union([v.string(), v.array(text)], must('a key like "ctrl-r", a list of keys, or "" for none'));

const keys = v.objectWithRest(
  { preset: optional(oneOf(['default', 'vim', 'k9s', 'lazygit']), 'The keys to begin with.') },
  v.record(v.string(), keyOrKeys, must('a table like [keys.list]')),
);

const column = v.union(
  [
    text,
    table(
      {
        value: described(text, 'A column of the list by its name, or a path of the row such as `specs.gpus`.'),
        title: optional(text, 'Its title; the last part of the path by default.'),
        width: optional(wholeFrom(1, 200, 'cells'), 'Its width in cells.'),
      },
      '{ value = "specs.gpus" }',
    ),
  ],
  must('a column like "status", or a table like { value = "specs.gpus", title = "GPUs", width = 5 }'),
);

const view = table(
  {
    area: described(text, 'The list that it shows: `servers`, `volumes`.'),
    section: optional(text, 'The part of the list, where it has several.'),
    filter: optional(text, 'The filter, as it is typed behind `/`.'),
    sort: optional(text, 'The column by which it is sorted; `-` before it for descending.'),
    key: optional(
      v.pipe(
        text,
        v.regex(/^(f[2-9]|f1[0-2]|alt-[1-9])$/, must('one of the keys "f2" to "f12" and "alt-1" to "alt-9"')),
      ),
      'The key that opens it everywhere: `f2` to `f12`, or a digit with alt, `alt-1`.',
    ),
    columns: optional(listOf(column, '["label", "status", "specs.gpus"]'), 'The columns in their order.'),
  },
  '[views.production]',
);

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** In JSON Schema, a request that reads and has these keys. */
const getting = (...keys: readonly string[]) => ({
  required: ['method', ...keys],
  properties: { method: { const: 'GET' } },
});

const command = v.pipe(
  table(
    {
      name: described(text, 'Its name, as a verb phrase: `Reboot`.'),
      key: optional(
        v.pipe(text, v.regex(/^[A-Za-z0-9]$/, must('one letter or digit'))),
        'Its letter in the actions menu.',
      ),
      for: described(text, 'The area whose rows it is offered on: `servers`.'),
      ask: optional(
        askSetting,
        'Whether it asks first, or the question; by default it asks where it changes something. A list: what is typed or chosen before, for placeholders of these names, and the question, if any.',
      ),
      destroys: optional(flag, 'Its question is a warning, and the label of the row is typed before it is done.'),
      show: optional(
        oneOf(['terminal', 'pane', 'notice']),
        'Where its output goes: it has the terminal, a pane shows it, or a notice its first line; `pane` by default. Of `run` only.',
      ),
      changes: optional(flag, 'It changes something, which read-only refuses and guards look at; true by default.'),
      timeout: optional(
        wholeFrom(1, 3600, 'seconds'),
        'Seconds after which it is ended; 60 by default. One that has the terminal has no limit.',
      ),
      run: optional(
        textsLike('["mtr", "{ipv4.0}"]'),
        'A program and its arguments, never a shell; paths of the row in braces are filled in.',
      ),
      request: optional(
        table(
          {
            method: described(oneOf(methods), 'GET, POST, PUT or DELETE.'),
            path: v.pipe(
              text,
              v.regex(/^\/v4\//, must('a path like /v4/server/instances/{id}/reboot')),
              v.description("The path in the documents' words; paths of the row in braces are filled in."),
            ),
            body: optional(
              v.record(v.string(), v.unknown(), must('a table like { booted = true }')),
              'The body; texts like `{label}` are filled in.',
            ),
          },
          '{ method = "POST", path = "/v4/server/instances/{id}/reboot" }',
        ),
        'A request to the API instead of a program.',
      ),
      form: optional(
        textsLike('["root_pass"]'),
        'Fields of the area that are typed before it is sent, beside its body; of `request` only.',
      ),
    },
    '[[commands]]',
  ),
  v.check(({ run, request }) => run !== undefined || request !== undefined, 'needs either run or request'),
  about('request', ({ run, request }) =>
    run && request ? 'cannot be set together with run; keep one of them' : undefined,
  ),
  about('show', ({ request, show }) =>
    request && show ? 'has no place beside a request, whose result is shown like that of any action' : undefined,
  ),
  about('form', ({ form, request }) =>
    form && (!request || request.method === 'GET') ? 'has a place only beside a request that has a body' : undefined,
  ),
  about('ask', ({ ask }) =>
    Array.isArray(ask) && ask.filter((one) => typeof one === 'string').length > 1
      ? 'must have one question at most'
      : undefined,
  ),
  about('ask', ({ ask, destroys }) => (destroys && ask === false ? 'cannot be false where it destroys' : undefined)),
  about('destroys', ({ changes, destroys, request }) =>
    destroys && (changes === false || request?.method === 'GET')
      ? 'cannot be true where it changes nothing'
      : undefined,
  ),
  v.metadata({
    oneOf: [{ required: ['run'] }, { required: ['request'] }],
    not: {
      anyOf: [
        { required: ['request', 'show'] },
        { required: ['destroys', 'ask'], properties: { destroys: { const: true }, ask: { const: false } } },
        { required: ['destroys', 'changes'], properties: { destroys: { const: true }, changes: { const: false } } },
        { required: ['destroys', 'request'], properties: { destroys: { const: true }, request: getting() } },
        { required: ['request'], properties: { request: getting('body') } },
        { required: ['form', 'run'] },
        { required: ['form', 'request'], properties: { request: getting() } },
      ],
    },
  }),
);

const rule = table(
  {
    for: described(text, 'The area whose rows are examined: `servers`.'),
    where: described(text, 'A filter; each row that it finds is a problem.'),
    severity: described(oneOf(['critical', 'warning', 'notice']), '`critical`, `warning` or `notice`.'),
    says: described(text, 'One sentence; paths of the row in braces are filled in: `{label} is {status}`.'),
  },
  '[[rules]]',
);

const hook = v.pipe(
  table(
    {
      on: described(
        listOf(oneOf(['critical', 'recovered', 'job-ended']), '["critical", "recovered"]'),
        '`critical`: a problem is new and critical; `recovered`: one is gone; `job-ended`: a job of the API has ended.',
      ),
      run: described(
        textsLike('["notify-send", "Skydeck"]'),
        'A program and its arguments, never a shell; JSON comes on its standard input.',
      ),
      timeout: optional(wholeFrom(1, 600, 'seconds'), 'Seconds after which it is ended; 10 by default.'),
      for: optional(text, 'The area whose rows it is about: `servers`; all by default.'),
      where: optional(text, 'A filter of that area; only rows that it finds run it, as they are then or were last.'),
      profile: optional(textsLike('["work"]'), 'The profiles in whose accounts it is run; all by default.'),
    },
    '[[hooks]]',
  ),
  about('where', ({ for: area, where }) =>
    where !== undefined && area === undefined ? 'needs for, the area whose rows it is asked about' : undefined,
  ),
  v.metadata({ not: { required: ['where'], not: { required: ['for'] } } }),
);

const audit = table(
  {
    max_mib: optional(
      wholeFrom(1, 1024, 'MiB'),
      'A file is left, and a new one begun, before it is larger, in MiB; 16 by default.',
    ),
    keep: optional(wholeFrom(1, 1000, 'files'), 'So many older files are kept; 8 by default.'),
  },
  '[audit]',
);

const resolver = (input: string) =>
  nameServerIn(input) ? undefined : must('an address like 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53')({ input });

const dns = table(
  {
    resolve: optional(
      flag,
      'Whether name servers may be asked about a record, which tells them its name; false by default.',
    ),
    resolver: v.pipe(
      v.optional(ruled(resolver)),
      v.metadata({ pattern: '^[0-9.]+(:[0-9]+)?$|^[0-9a-fA-F:.]+$|^\\[[0-9a-fA-F:.]+\\]:[0-9]+$' }),
      v.description('The address of the resolver that is asked; by default those that this machine uses.'),
    ),
  },
  '[dns]',
);

/** A name in the configuration, as it is typed on the command line. */
const named = <T extends v.GenericSchema>(schema: T, like: string) =>
  v.record(v.string(), schema, `must be made of tables like ${like}`);

const parts = {
  profiles: described(v.optional(named(profile, '[profiles.work]'), {}), 'The accounts, by name.'),
  defaults: optional(
    shared,
    'Settings of all profiles; one of a profile stands above it, and guards are added to those of the profile.',
  ),
  keys: described(v.optional(keys, {}), "Keys of one's own, by layer and action; docs/keys.md has their names."),
  views: described(v.optional(named(view, '[views.production]'), {}), 'Lists as they are to be shown, by name.'),
  commands: described(tables(command, 'commands'), "Actions of one's own."),
  rules: described(tables(rule, 'rules'), "Problems of one's own."),
  hooks: described(tables(hook, 'hooks'), 'Programs that run once when something happens.'),
  audit: optional(audit, 'The size of the audit log; it counts from the next start.'),
  dns: optional(dns, 'What name servers are asked.'),
};

export const configSchema = table(
  parts,
  '[profiles.work]',
  (key, known) => `is unknown; settings belong in [profiles.NAME]${orSuggestion(key, known)}`,
);

/** The checked configuration. */
export type ConfigFile = v.InferOutput<typeof configSchema>;
/** The tables with settings of profiles, by their paths: what all share, and each profile. */
export const settingsTables = ({ defaults, profiles }: ConfigFile) => [
  ...(defaults ? [{ path: ['defaults'], own: defaults }] : []),
  ...Object.entries(profiles).map(([name, own]) => ({ path: ['profiles', name], own })),
];

/** The configuration in which each profile has what all share. */
export function withDefaults(config: ConfigFile): ConfigFile {
  const { defaults, profiles } = config;
  if (!defaults) return config;
  const whole = Object.entries(profiles).map(([name, own]): [string, Profile] => [
    name,
    { ...defaults, ...own, guards: [...defaults.guards, ...own.guards] },
  ]);
  return { ...config, profiles: Object.fromEntries(whole) };
}

export type Profile = ConfigFile['profiles'][string];
export type CommandConfig = ConfigFile['commands'][number];
export type RuleConfig = ConfigFile['rules'][number];
export type HookConfig = ConfigFile['hooks'][number];
