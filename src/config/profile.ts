import * as v from 'valibot';
import { orSuggestion } from '../text/nearest.ts';
import { addressMistake, themes } from './settingRules.ts';
import {
  described,
  flag,
  must,
  numberFrom,
  oneOf,
  optional,
  ruled,
  table,
  tables,
  text,
  textsLike,
  wholeFrom,
} from './values.ts';

/** Words in paths and fields of the documents that a deployment may replace by its own. */
const standIns = ['server', 'servers', 'monitor', 'kube', 'watchdog', 'console', 'avatar'] as const;

/** In paths and names dashes and underscores part words. */
const wordRule = 'a word of lower-case letters and digits';
const word = v.pipe(v.string(must(wordRule)), v.regex(/^[a-z][a-z0-9]*$/, must(wordRule)));

/** The three sources of a token; a profile names one. */
const tokenSources = ['token_env', 'token_file', 'token_command'] as const;
const whichServers = described(text, 'A filter of servers, as it is typed behind `/`.');

const shell = {
  run: optional(
    textsLike('["ssh", "{user}@{address}"]'),
    'The program and its arguments; `{user}`, `{address}`, `{label}` and `{id}` are filled in.',
  ),
  user: optional(
    v.pipe(text, v.regex(/^[^-\s@:]\S*$/, 'must be the name of a user, which has no blanks and does not begin with -')),
    'The user on the server; `root` by default.',
  ),
  address: optional(
    oneOf(['public', 'private', 'ipv6']),
    'The address of the server that is used; `public` by default.',
  ),
};

const guard = v.pipe(
  table(
    {
      for: optional(text, 'The area whose rows are guarded, such as `servers`; all by default.'),
      where: optional(text, 'A filter of these rows, such as `tag:prod`; all rows by default.'),
      actions: described(
        textsLike('["delete", "resize"] or ["*"]'),
        'The names of the actions that are guarded, as `skydeck doctor` and docs/keys.md have them; `*` are all.',
      ),
      deny: optional(v.literal(true, must('true')), 'They are refused.'),
      ask: optional(v.literal('label', must('"label"')), 'The label must be typed before they are sent.'),
      at_most: optional(wholeFrom(1, 1000, 'rows'), 'They are done to so many rows at once, and no more.'),
      reason: optional(text, 'Said where it refuses or asks.'),
    },
    '[[profiles.work.guards]]',
  ),
  v.check(
    ({ deny, ask, at_most }) => deny !== undefined || ask !== undefined || at_most !== undefined,
    'needs deny = true, ask = "label" or at_most = 5',
  ),
  v.metadata({ anyOf: [{ required: ['deny'] }, { required: ['ask'] }, { required: ['at_most'] }] }),
);

/** The settings that profiles may share: those that do not say whose account it is. */
const settings = {
  read_only: optional(flag, 'Nothing but GET leaves the program; no option can lift it.'),
  critical: optional(flag, 'A red header; each change is confirmed by typing the label.'),
  color: optional(
    oneOf(['red', 'green', 'yellow', 'blue', 'magenta', 'cyan']),
    'The colour of its name in the header and among the accounts.',
  ),
  theme: optional(oneOf(themes), '`dark`, `light`, `high-contrast` or `mono`.'),
  colors: optional(oneOf(['16', '256', 'truecolor']), '`16`, `256` or `truecolor`, as `--colors`.'),
  mouse: optional(flag, 'As `--mouse`.'),
  screen_reader: optional(flag, 'As `--screen-reader`.'),
  refresh: optional(
    numberFrom(1, 3600, 'a number of seconds from 1 to 3600'),
    'How often an idle account is looked at, in seconds; 15 by default.',
  ),
  cache: optional(flag, 'Whether the lists last seen are kept for the next start, without secrets; true by default.'),
  vocabulary: optional(
    table(
      Object.fromEntries(standIns.map((name) => [name, v.optional(word)])) as Record<
        (typeof standIns)[number],
        v.OptionalSchema<typeof word, undefined>
      >,
      '[profiles.work.vocabulary]',
      (_, known) => `is unknown; the words are ${known.join(', ')}`,
    ),
    'The words of this deployment for the stand-ins of the documents.',
  ),
  ssh: optional(
    table(
      {
        ...shell,
        read_only: optional(flag, 'Shells may be opened in a read-only session, too.'),
        when: described(
          tables(table({ where: whichServers, ...shell }, '[[profiles.work.ssh.when]]'), 'profiles.work.ssh.when'),
          'What is different for servers that a filter finds; the first that fits counts.',
        ),
      },
      '[profiles.work.ssh]',
    ),
    'The shell on a server that `S` opens.',
  ),
  guards: described(
    tables(guard, 'profiles.work.guards'),
    'Changes that are refused, limited or asked about; the strictest counts.',
  ),
};

const ofAccount: readonly string[] = ['base_url', ...tokenSources, 'insecure_http'];

/** The settings that all profiles share. */
export const shared = table(settings, '[defaults]', (key, known) =>
  ofAccount.includes(key)
    ? 'says whose account it is, so it stands in its profile: [profiles.NAME]'
    : `is unknown${orSuggestion(key, known)} The settings are ${known.join(', ')}`,
);

export const profile = v.pipe(
  table(
    {
      base_url: v.pipe(
        v.optional(ruled(addressMistake)),
        // Without a user, a query, or the /v4 that is added.
        v.metadata({ pattern: '^https?://(?![^/?#]*[^/?#@:][^/?#]*@)(?!.*/v4/?$)[^?#]*\\??#?$' }),
        v.description('The address of the API, everything before `/v4`.'),
      ),
      token_env: optional(
        v.pipe(text, v.regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable: letters, digits and _')),
        'The name of the variable that holds the token.',
      ),
      token_file: optional(text, 'A file with the token that only its owner may read.'),
      token_command: optional(
        textsLike('["pass", "show", "cloud"]'),
        'A program and its arguments; its first line is the token. It has ten seconds.',
      ),
      ...settings,
      insecure_http: optional(flag, 'The token may be sent unencrypted to another machine.'),
    },
    '[profiles.work]',
    (key, known) =>
      key === 'token'
        ? `must not be in this file; use one of ${tokenSources.join(', ')}`
        : `is unknown${orSuggestion(key, known)} The settings are ${known.join(', ')}`,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const [one, other] = tokenSources.filter((key) => value[key] !== undefined);
    if (!one || !other) return;
    addIssue({
      message: `cannot be set together with ${one}; keep exactly one of ${tokenSources.join(', ')}`,
      path: [{ type: 'object', origin: 'value', input: value, key: other, value: value[other] }],
    });
  }),
  v.metadata({
    not: { anyOf: tokenSources.map((_, at) => ({ required: tokenSources.filter((__, other) => other !== at) })) },
  }),
);
