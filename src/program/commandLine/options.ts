import { addressMistake, colorDepths, quoted, themes } from '../../config/settingRules.ts';
import { codeFormatNames } from '../../store/export/formatNames.ts';
import { ageIn } from '../../store/filter/units.ts';
import { type CommandName, commandNamed, formatsOf, plainFormats } from './commands.ts';
import { type OptionDescription, type OptionGroup, optionGroups } from './optionGroups.ts';
import {
  type CamelCase,
  faultList,
  type OptionValue,
  oneOf,
  refreshSeconds,
  ruledText,
  secretList,
  text,
  wholeNumber,
} from './values.ts';

const calmPrint = 'a full screen; a snapshot is taken once and without colours';

type Ungrouped = Omit<OptionDescription, 'group'>;

const inGroup = <const O extends Record<string, Ungrouped>>(group: OptionDescription['group'], options: O) =>
  Object.fromEntries(Object.entries(options).map(([name, one]) => [name, { group, ...one }])) as {
    [Name in keyof O]: O[Name] & Pick<OptionDescription, 'group'>;
  };

/** Every option: parsing, the help, the manual, its page and the completion come from here. */
const options = {
  ...inGroup('general', {
    help: {
      short: 'h',
      brief: 'this text',
      meaning: 'prints commands and options; behind a command, those of that command with examples',
    },
    version: { short: 'v', alias: 'V', brief: 'the version', meaning: 'prints the version' },
    demo: { brief: 'a built-in demo API', meaning: 'uses a built-in demo API instead of an account' },
    'base-url': {
      value: ruledText('URL', addressMistake),
      brief: 'everything before /v4',
      meaning: 'the address of the API, everything before `/v4`',
    },
    profile: {
      value: text('NAME', 'profiles'),
      brief: 'a profile of the config',
      meaning: 'a profile of the configuration',
    },
    'read-only': { brief: 'change nothing', meaning: 'nothing that changes anything leaves the program' },
    config: { value: text('FILE', 'files'), brief: 'another config file', meaning: 'another configuration' },
    ascii: { brief: 'plain letters', meaning: 'plain letters, no line drawing' },
    'log-file': {
      value: text('FILE', 'files'),
      brief: 'one JSON line per call',
      meaning: 'one JSON line for each call, without token and body',
    },
    record: {
      value: text('FILE', 'files'),
      brief: 'record what is said',
      meaning:
        'writes every request and its answer to a new file that only you can read, as HAR, without token and secrets; transfers of files are left out, and no other account is opened',
    },
    replay: {
      value: text('FILE', 'files'),
      brief: 'open a recording',
      meaning:
        'opens what `--record` has written as an account that is read-only, at the time of the recording, without a network',
    },
    'no-color': { brief: 'no colours', meaning: 'no colours' },
  }),
  ...inGroup('screen', {
    refresh: {
      value: refreshSeconds,
      brief: 'how often to look, 15 by default',
      meaning: 'how often an idle account is looked at, 1 to 3600; 15 by default',
      only: calmPrint,
    },
    theme: {
      value: oneOf(themes),
      brief: 'the colours of the screen',
      meaning: 'without it `dark`, or `light` where the terminal says that its background is',
      only: calmPrint,
    },
    colors: {
      value: oneOf(Object.keys(colorDepths)),
      brief: 'how many colours are sent',
      meaning: 'by default what the terminal has',
      only: calmPrint,
    },
    mouse: {
      brief: 'the mouse is of use',
      meaning:
        'a click moves the cursor in lists, menus and panes, and a second one opens; the terminal itself selects text while shift is held',
    },
    'screen-reader': {
      brief: 'for a screen reader',
      meaning: "for a screen reader: the terminal's cursor is at what changed last, and the first line holds still",
    },
    'no-cache': {
      brief: 'keep no lists',
      meaning: 'neither shows lists that were kept nor keeps any for the next start',
      only: 'a full screen, which alone keeps lists',
    },
  }),
  ...inGroup('snapshot', {
    format: {
      value: oneOf([...plainFormats, ...codeFormatNames], 'FORMAT'),
      wordsOf: formatsOf,
      brief: 'what is printed',
      meaning: `what is printed: \`text\`, by default, \`json\`, \`jsonl\`, a line of JSON for each row, \`csv\` or \`tsv\`. With \`export\` one of ${codeFormatNames.map((name) => `\`${name}\``).join(', ')}, \`csv\` and \`json\``,
      commands: ['snapshot', 'plan', 'export'],
      only: 'skydeck snapshot, skydeck export and skydeck plan show',
    },
    filter: {
      value: text('FILTER', 'filters'),
      brief: 'only these rows',
      meaning: 'only the rows that it finds, as it is typed behind `/`; of a view, also its own',
      commands: ['snapshot', 'export'],
      only: 'skydeck snapshot and skydeck export',
    },
    sort: {
      value: text('COLUMN', 'columns'),
      brief: 'in this order',
      meaning: 'in the order of this column; with `-` before it, as in `--sort=-created`, descending',
    },
    columns: {
      value: text('LIST', 'columns'),
      isList: true,
      brief: 'only these columns',
      meaning:
        'these columns, by their names in filters, or paths of the row such as `specs.memory`, with commas between; not with JSON, which has whole rows',
    },
    section: {
      value: text('TITLE'),
      brief: 'a part of the list',
      meaning: 'the part of this title, of a list or a board that has several, such as `home`',
    },
    limit: {
      value: wholeNumber('N', 1, 100_000, 'a number of rows'),
      brief: 'so many rows',
      meaning: 'so many rows at most, of several accounts together',
    },
    since: {
      value: ruledText('AGE', (given) =>
        ageIn(given) || (/^\d{4}-\d{2}-\d{2}$/.test(given) && Date.parse(given) >= 0)
          ? undefined
          : `must be an age such as 90min, 12h or 7d, or a date such as 2026-01-31; it is ${quoted(given)}`,
      ),
      brief: 'only what is newer',
      meaning:
        'with `journal`, `audit`, `requests`, `activity`, `events` and `problems`: only what is newer, `12h`, `7d` or a date',
    },
    watch: {
      value: wholeNumber('SECONDS', 3, 86_400, 'a number of seconds'),
      brief: 'again and again',
      meaning:
        'takes it again each so many seconds, 3 to 86400, and prints each as a line of JSON with its time, until it is ended',
    },
    'fail-on': {
      value: oneOf(['problem', 'critical']),
      brief: 'exit with 1 for it',
      meaning: 'exit code 1 when something is wrong; a notice never is',
    },
    all: {
      brief: 'long catalogues whole',
      meaning: 'with `stackscripts`: the public ones as well, which are thousands',
    },
  }),
  ...inGroup('check', { json: { brief: 'for programs', meaning: 'prints one JSON document in place of lines' } }),
  ...inGroup('doctor', {
    bundle: {
      value: text('FILE', 'files'),
      brief: 'pack what tells of a defect',
      meaning:
        'writes what is found, the configuration without secrets and the arguments of programs, the last crash, the last messages of the dashboard and, with `--log-file`, the last requests to a new file that only you can read, after it has listed them',
    },
    recording: {
      value: text('FILE', 'files'),
      brief: 'a recording goes in, too',
      meaning: 'with `--bundle`: what `--record` has written goes in as well',
    },
  }),
  ...inGroup('watch', {
    every: {
      value: wholeNumber('SECONDS', 3, 3600, 'a whole number of seconds'),
      brief: 'how long each board stays',
      meaning:
        'how long each board stays, 3 to 3600; 20 by default. A board of several pages shows the first one at each turn, and then goes on with the others',
    },
    bell: { brief: 'ring for what is critical', meaning: 'rings when something new is critical' },
    notify: {
      brief: 'notify of what is critical',
      meaning: 'has the terminal show a notification (OSC 9 and OSC 777) when something new is critical',
    },
    jsonl: {
      brief: 'a line of JSON a change',
      meaning:
        'needs no terminal: prints a line of JSON for each problem that comes or goes and each job that ends ([Rules and hooks](#rules-and-hooks)); with `plan apply` for each step and its end',
      commands: ['watch', 'plan'],
      only: 'skydeck watch and skydeck plan apply',
    },
  }),
  ...inGroup('plan', {
    'dry-run': { brief: 'only GET', meaning: 'sends only GET, and says what would be refused' },
    confirm: {
      value: wholeNumber('N', 1, 1000, 'the number of steps to carry out,'),
      brief: 'the number of steps',
      meaning: 'confirms that so many steps are carried out, where nobody is at a terminal to type it',
    },
    from: {
      value: wholeNumber('STEP', 1, 1_000_000, 'the id of a step,'),
      brief: 'begin at a step',
      meaning: 'begins at the step of this id, whatever was done before',
    },
    secret: {
      value: secretList,
      isList: true,
      brief: 'where a secret is',
      meaning:
        'where a secret is that no file keeps: `1.root_pass=env:NAME`, `file:FILE` or `fd:N`; once for each. At a terminal it is asked for',
    },
  }),
  ...inGroup('dns', {
    zone: {
      value: text('ZONE'),
      brief: 'the zone of the file',
      meaning: 'with `check` and `plan`: the zone of the file, where it does not tell it',
    },
    out: {
      value: text('FILE', 'files'),
      brief: 'the file that is written',
      meaning:
        'with `dns plan`: saves the plan to a new file, which `skydeck plan apply` carries out; with `export`: the file that is written, whole or not at all, for you alone',
      commands: ['dns', 'export'],
      only: 'skydeck dns and skydeck export',
    },
  }),
  ...inGroup('export', {
    'provider-prefix': {
      value: text('WORD'),
      brief: 'before kinds of Terraform',
      meaning:
        "with `terraform-import`: the word before the provider's kinds, where it is not the API's word for a server",
    },
  }),
  ...inGroup('port', {
    port: {
      value: wholeNumber('NUMBER', 0, 65_535),
      brief: 'where it listens, 4010',
      meaning: 'where it listens, 4010 by default; 0 takes a free one',
    },
  }),
  ...inGroup('demo', {
    servers: {
      value: wholeNumber('N', 0, 20_000),
      brief: 'how many servers',
      meaning: 'how many servers there are, up to 20 000; 40 by default',
    },
    latency: {
      value: wholeNumber('MS', 0, 60_000, 'a whole number of milliseconds'),
      brief: 'slow answers',
      meaning: 'each answer takes so long',
    },
    faults: {
      value: faultList,
      brief: 'what goes wrong',
      meaning:
        'what goes wrong, each with its share of the requests (0.2 by default), e.g. `errors:0.2,drops:0.05`: `errors` (500, 502, 504), `unavailable` (503), `limits` (429), `busy` ("Server busy." to reads), `drops`, `hangs`, `pages` (a web page instead of JSON), `truncated`, `redirects`, `revoked` (from then on the token is refused), `skew` (a wrong clock), `colleague` (somebody changes the label and tags of what you edit)',
    },
    seed: { value: wholeNumber('N', 0, 4_294_967_295), brief: 'another cloud', meaning: 'another cloud' },
  }),
} as const satisfies Record<string, OptionDescription>;

type Described = typeof options;
export type OptionName = keyof Described;

/** The options that were given; one that has a value with its text. */
export type Given = Partial<Record<OptionName, string | true>>;

/** The values of the options that were given, which override the environment and the configuration: `baseUrl` of `--base-url`. */
export type Options = {
  [Name in OptionName as CamelCase<Name>]?: Described[Name] extends { value: OptionValue<infer T> } ? T : true;
};

/** Every option, without its dashes. */
export const optionNames = Object.keys(options) as OptionName[];

/** The description of an option by its name. */
export const optionNamed = (name: OptionName): OptionDescription => options[name];

/** The group of an option. */
export const groupOf = (name: OptionName): OptionGroup => optionGroups[optionNamed(name).group];

/** The options that work with a command, some of them only beside others. */
export const optionsOf = (command: CommandName): readonly OptionName[] => {
  const { options: its } = commandNamed(command);
  return optionNames.filter(
    (name) => its?.includes(name) ?? (optionNamed(name).commands ?? groupOf(name).commands)?.includes(command) ?? true,
  );
};
