import * as v from 'valibot';
import { orSuggestion } from '../text/nearest.ts';
import { settingRules, themes } from './settingRules.ts';
import { flag, must, numberFrom, oneOf, ruled, table, tables, text, textsLike, wholeFrom } from './values.ts';

/** Words in paths and fields of the documents that a deployment may replace by its own. */
const standIns = ['server', 'servers', 'monitor', 'kube', 'watchdog', 'console', 'avatar'] as const;

const wordRule = 'a word of lower-case letters, digits, - and _';
const word = v.pipe(v.string(must(wordRule)), v.regex(/^[a-z][a-z0-9_-]*$/, must(wordRule)));

/** The three sources of a token; a profile names one. */
const tokenSources = ['token_env', 'token_file', 'token_command'] as const;

/** The program that is a shell on a server. */
const shell = {
  run: v.pipe(
    v.optional(textsLike('["ssh", "{user}@{address}"]')),
    v.description('The program and its arguments; `{user}`, `{address}`, `{label}` and `{id}` are filled in.'),
  ),
  user: v.pipe(
    v.optional(
      v.pipe(
        text,
        v.regex(/^[^-\s@:]\S*$/, 'must be the name of a user, which has no blanks and does not begin with -'),
      ),
    ),
    v.description('The user on the server; `root` by default.'),
  ),
  address: v.pipe(
    v.optional(oneOf(['public', 'private', 'ipv6'])),
    v.description('The address of the server that is used; `public` by default.'),
  ),
};

const guard = v.pipe(
  table(
    {
      for: v.pipe(
        v.optional(text),
        v.description('The area whose rows are guarded, such as `servers`; all by default.'),
      ),
      where: v.pipe(
        v.optional(text),
        v.description('A filter of these rows, such as `tag:prod`; all rows by default.'),
      ),
      actions: v.pipe(
        textsLike('["delete", "resize"] or ["*"]'),
        v.description(
          'The names of the actions that are guarded, as `skydeck doctor` and docs/keys.md have them; `*` are all.',
        ),
      ),
      deny: v.pipe(v.optional(v.literal(true, must('true'))), v.description('They are refused.')),
      ask: v.pipe(
        v.optional(v.literal('label', must('"label"'))),
        v.description('The label must be typed before they are sent.'),
      ),
      at_most: v.pipe(
        v.optional(wholeFrom(1, 1000, 'rows')),
        v.description('They are done to so many rows at once, and no more.'),
      ),
      reason: v.pipe(v.optional(text), v.description('Said where it refuses or asks.')),
    },
    '[[profiles.work.guards]]',
  ),
  v.check(
    ({ deny, ask, at_most }) => deny !== undefined || ask !== undefined || at_most !== undefined,
    'needs deny = true, ask = "label" or at_most = 5',
  ),
  v.metadata({ anyOf: [{ required: ['deny'] }, { required: ['ask'] }, { required: ['at_most'] }] }),
);

/** The end of a sentence about a key that a profile does not have. */
const unknownInProfile = (key: string, known: readonly string[]): string =>
  key === 'token'
    ? `must not be in this file; use one of ${tokenSources.join(', ')}`
    : `is unknown${orSuggestion(key, known)} The settings are ${known.join(', ')}`;

/** The settings that profiles may share: those that do not say whose account it is. */
const settings = {
  read_only: v.pipe(v.optional(flag), v.description('Nothing but GET leaves the program; no option can lift it.')),
  critical: v.pipe(v.optional(flag), v.description('A red header; each change is confirmed by typing the label.')),
  color: v.pipe(
    v.optional(oneOf(['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'])),
    v.description('The colour of its name in the header and among the accounts.'),
  ),
  theme: v.pipe(v.optional(oneOf(themes)), v.description('`dark`, `light`, `high-contrast` or `mono`.')),
  colors: v.pipe(
    v.optional(oneOf(['16', '256', 'truecolor'])),
    v.description('`16`, `256` or `truecolor`, as `--colors`.'),
  ),
  mouse: v.pipe(v.optional(flag), v.description('As `--mouse`.')),
  screen_reader: v.pipe(v.optional(flag), v.description('As `--screen-reader`.')),
  refresh: v.pipe(
    v.optional(numberFrom(1, 3600, 'a number of seconds from 1 to 3600')),
    v.description('How often an idle account is looked at, in seconds; 15 by default.'),
  ),
  cache: v.pipe(
    v.optional(flag),
    v.description('Whether the lists last seen are kept for the next start, without secrets; true by default.'),
  ),
  vocabulary: v.pipe(
    v.optional(
      table(
        Object.fromEntries(standIns.map((name) => [name, v.optional(word)])) as Record<
          (typeof standIns)[number],
          v.OptionalSchema<typeof word, undefined>
        >,
        '[profiles.work.vocabulary]',
        (_, known) => `is unknown; the words are ${known.join(', ')}`,
      ),
    ),
    v.description('The words of this deployment for the stand-ins of the documents.'),
  ),
  ssh: v.pipe(
    v.optional(
      table(
        {
          ...shell,
          read_only: v.pipe(v.optional(flag), v.description('Shells may be opened in a read-only session, too.')),
          when: v.pipe(
            tables(table({ where: text, ...shell }, '[[profiles.work.ssh.when]]'), 'profiles.work.ssh.when'),
            v.description('What is different for servers that a filter finds; the first that fits counts.'),
          ),
        },
        '[profiles.work.ssh]',
      ),
    ),
    v.description('The shell on a server that `S` opens.'),
  ),
  guards: v.pipe(
    tables(guard, 'profiles.work.guards'),
    v.description('Changes that are refused, limited or asked about; the strictest counts.'),
  ),
};

/** The settings of one account. */
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
        v.optional(ruled(settingRules.baseUrl)),
        // Without a user, a query, or the /v4 that is added.
        v.metadata({ pattern: '^https?://(?![^/?#]*[^/?#@:][^/?#]*@)(?!.*/v4/?$)[^?#]*\\??#?$' }),
        v.description('The address of the API, everything before `/v4`.'),
      ),
      token_env: v.pipe(
        v.optional(v.pipe(text, v.regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable: letters, digits and _'))),
        v.description('The name of the variable that holds the token.'),
      ),
      token_file: v.pipe(v.optional(text), v.description('A file with the token that only its owner may read.')),
      token_command: v.pipe(
        v.optional(textsLike('["pass", "show", "cloud"]')),
        v.description('A program and its arguments; its first line is the token. It has ten seconds.'),
      ),
      ...settings,
      insecure_http: v.pipe(v.optional(flag), v.description('The token may be sent unencrypted to another machine.')),
    },
    '[profiles.work]',
    unknownInProfile,
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
