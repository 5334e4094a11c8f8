import { commandNamed, commandNames } from '../src/program/commandLine/commands.ts';
import { exitCodes } from '../src/program/commandLine/exitCodes.ts';
import { groupIn, usageOf, withoutLinks } from '../src/program/commandLine/help.ts';
import type { optionGroups } from '../src/program/commandLine/optionGroups.ts';
import { type OptionName, optionNamed, optionNames, optionsOf } from '../src/program/commandLine/options.ts';

/** Text in roff: a backslash, a hyphen and what begins a line mean themselves. */
const plain = (text: string): string =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replace(/^\./gm, '\\&.');

/** Markdown of one line in roff: code is bold. */
const inline = (markdown: string): string =>
  markdown
    .split('`')
    .map((part, nth) => (nth % 2 === 0 ? plain(part) : `\\fB${plain(part)}\\fR`))
    .join('');

const sentence = (text: string): string => {
  const markdown = withoutLinks(text);
  return inLines(inline(markdown.charAt(0).toUpperCase() + markdown.slice(1)).replace(/[^.]$/, '$&.'));
};

/** Text of roff in lines of less than 80 bytes, none of which begins like a request. */
const inLines = (text: string): string => text.replace(/(?=.{78})(.{1,76}) /g, '$1\n').replace(/^(?=[.'])/gm, '\\&');

const item = (head: string, body: string): string => `.TP\n${head}\n${sentence(body)}`;

/** The name of a value is in italics, as a person replaces it. */
const value = (called: string): string =>
  called.replace(/[A-Z]+|[^A-Z]+/g, (part) => (/[A-Z]/.test(part) ? `\\fI${part}\\fR` : `\\fB${plain(part)}\\fR`));

const optionItem = (name: OptionName): string => {
  const { short, value: taken, meaning } = optionNamed(name);
  const names = [...(short ? [`\\fB\\-${short}\\fR`] : []), `\\fB${plain(`--${name}`)}\\fR`].join(', ');
  return item(taken ? `${names} ${value(taken.called)}` : names, meaning);
};

/** The groups whose options belong to several commands; the others are in the section of theirs. */
const titles: Partial<Record<keyof typeof optionGroups, string>> = {
  general: 'Options',
  screen: 'Options of the full screen',
  demo: 'Options of \\-\\-demo and demo\\-api',
};

const variables = {
  SKYDECK_TOKEN: 'the token, which is never an option, because every user of the machine sees the options of a process',
  SKYDECK_BASE_URL: 'stands for `--base-url`',
  SKYDECK_PROFILE: 'stands for `--profile`',
  SKYDECK_CONFIG: 'stands for `--config`',
  NO_COLOR: 'stands for `--no-color`',
  INK_SCREEN_READER: 'where it is `true`, stands for `--screen-reader`',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY': 'are honoured, in lower case first; this machine is always reached directly',
};

const files = {
  '~/.config/skydeck/config.toml': 'the configuration; `skydeck config path` prints where it is',
  '~/.local/state/skydeck/audit.jsonl':
    'two lines for every change: one before it is sent, one about what became of it',
  '~/.cache/skydeck': 'what Node compiled of the program; it may be deleted at any time',
};

const bold = (text: string): string => `\\fB${plain(text)}\\fR`;
const items = (entries: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(entries).map(([name, about]) => item(bold(name), about));

/** The section of a command: what it does, its own options, and examples. */
function commandSection(name: (typeof names)[number]): readonly string[] {
  const { meaning, examples } = commandNamed(name);
  const shown = Object.entries(examples);
  return [
    `.SS skydeck ${plain(usageOf(name))}`.trimEnd(),
    sentence(meaning),
    ...optionsOf(name)
      .filter((option) => groupIn(name)(option) === 'own' && optionNamed(option).group !== 'screen')
      .map(optionItem),
    ...(shown.length > 0 ? ['.PP', shown.length > 1 ? 'Examples:' : 'Example:'] : []),
    ...shown.map(([line, about]) => item(bold(`skydeck ${line}`), about)),
  ];
}

const names = ['dashboard', ...commandNames] as const;

/**
 * The page of `man skydeck`.
 * @param date of the version, so that the page is the same whenever it is made
 */
export function manualPage(version = '', date = ''): string {
  const groups = Object.keys(titles) as (keyof typeof titles)[];
  const lines = [
    '.\\" Written by npm run docs; a test fails when it is stale.',
    `.TH SKYDECK 1 "${date}" "skydeck ${version}" "User Commands"`,
    '.SH NAME',
    'skydeck \\- a full\\-screen terminal dashboard for a cloud hosting API',
    '.SH SYNOPSIS',
    ...names.flatMap((name, nth) => [
      ...(nth > 0 ? ['.br'] : []),
      `\\fBskydeck\\fR ${value(usageOf(name))}${commandNamed(name).options?.length === 0 ? '' : ' [\\fIOPTION\\fR...]'}`.replace(
        '  ',
        ' ',
      ),
    ]),
    '.SH DESCRIPTION',
    sentence(
      'shows servers, volumes, domains, load balancers, object storage, tickets and billing of an account on one screen, and changes them by keys. It asks before anything is lost or charged. `?` shows the keys that work, `:` goes anywhere, `q` quits.',
    ),
    '.SH COMMANDS',
    ...names.flatMap(commandSection),
    '.SH OPTIONS',
    ...groups.flatMap((group) => [
      ...(group === 'general' ? [] : [`.SS ${titles[group]}`]),
      ...optionNames.filter((name) => optionNamed(name).group === group).map(optionItem),
    ]),
    '.SH ENVIRONMENT',
    'Options come before the environment, the environment before the profile.',
    ...items(variables),
    '.SH FILES',
    ...items(files),
    '.SH EXIT STATUS',
    ...exitCodes.map(({ code, meaning }) => item(bold(code), meaning)),
    '.SH EXAMPLES',
    ...items({ 'source <(skydeck completion bash)': 'completes commands, options and their values in bash' }),
    '.SH SEE ALSO',
    sentence(
      'the manual, the keys and the configuration are in the folder `docs` of the package: manual.md, keys.md, config.md',
    ),
  ];
  return `${lines.join('\n')}\n`;
}
