import { capitalized, columned, withStop } from '../../text/words.ts';
import { type CommandName, commandNamed, commandNames } from './commands.ts';
import { exitCodes } from './exitCodes.ts';
import { optionGroups } from './optionGroups.ts';
import { type OptionName, optionNamed, optionNames, optionsOf } from './options.ts';

const width = 79;

/** The way to type a command, without the program's own name. */
export const usageOf = (name: CommandName): string =>
  [name === 'dashboard' ? '' : name, commandNamed(name).words].filter(Boolean).join(' ');

/** The way to type an option. */
export const typedOption = (name: OptionName): string =>
  [`--${name}`, optionNamed(name).value?.called].filter(Boolean).join(' ');

const inGroup = (group: string) =>
  optionNames.filter((name) => optionNamed(name).group === group && name !== 'help' && name !== 'version');

/** Lines of so many cells at most; those after the first are indented. */
function wrapped(words: readonly string[], most = width): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length > most) lines.push(`  ${word}`);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

const aligned = (rows: readonly (readonly string[])[]) => columned(rows).map((line) => `  ${line}`);

const commandLines = (): readonly string[] =>
  aligned(
    (['dashboard', ...commandNames.filter((name) => name !== 'version' && name !== 'help')] as const).map((name) => [
      `skydeck ${usageOf(name)}`,
      commandNamed(name).brief,
    ]),
  );

/** Two in each line: values, beside switches and the last of them. */
function generalLines(): readonly string[] {
  const cell = (name: OptionName) => [typedOption(name), optionNamed(name).brief];
  const { values = [], switches = [] } = Object.groupBy(inGroup('general'), (name) =>
    optionNamed(name).value ? 'values' : 'switches',
  );
  const half = Math.ceil((values.length + switches.length) / 2);
  const beside = [...switches, ...values.slice(half)];
  return aligned(
    values.slice(0, half).map((name, nth) => [...cell(name), ...beside.slice(nth, nth + 1).flatMap(cell)]),
  );
}

const groupLines = (): readonly string[] =>
  Object.entries(optionGroups).flatMap(([group, description]) => {
    if (!('title' in description)) return [];
    const names = inGroup(group);
    const typed = names.map((name, nth) => typedOption(name) + (nth < names.length - 1 ? ',' : ''));
    return wrapped([`${description.title}:`, ...typed]);
  });

const exits = exitCodes.flatMap(({ code, brief }) => (brief === undefined ? [] : `${code} ${brief}`));

/** Printed by `--help`: one screen of 80×24, without an escape sequence. */
export const help = `\
A dashboard for cloud hosting. More: skydeck help COMMAND, man skydeck.
${[...commandLines(), ...generalLines(), ...groupLines()].join('\n')}
Variables: SKYDECK_TOKEN, SKYDECK_BASE_URL, _PROFILE, _CONFIG and NO_COLOR.
Exit: ${exits.join(', ')}.
`;

/** Markdown as words: without links, which lead nowhere here; what refers to the manual by its heading alone is left out. */
export const withoutLinks = (markdown: string): string =>
  markdown.replace(/ \(\[[^\]]*\]\(#[^)]*\)\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** A meaning of the table as a sentence; code stays as it is typed. */
const told = (meaning: string): string => withStop(capitalized(withoutLinks(meaning).replaceAll('`', '')));

/** A text in lines that begin below each other, behind its name where that is short enough. */
function entry(name: string, text: string): readonly string[] {
  const indent = 24;
  const lines = wrapped(text.split(' '), width - indent).map((line) => ' '.repeat(indent) + line.trimStart());
  const [first = '', ...rest] = lines;
  return name.length < indent - 3
    ? [`  ${name.padEnd(indent - 2)}${first.trimStart()}`, ...rest]
    : [`  ${name}`, ...lines];
}

/** Whether an option is a command's own, or shared with most others. */
export const groupIn = (command: CommandName) => (name: OptionName) => {
  const { group } = optionNamed(name);
  return commandNamed(command).options || (group !== 'general' && group !== 'demo') ? 'own' : group;
};

/** Printed by `skydeck help COMMAND`, without an escape sequence. */
export function helpOf(name: CommandName): string {
  const { meaning, examples } = commandNamed(name);
  const { own = [], general = [], demo = [] } = Object.groupBy(optionsOf(name), groupIn(name));
  const exits = exitCodes.filter(({ commands }) => commands?.includes(name) ?? true);
  const options = general.filter((one) => one !== 'help' && one !== 'version');
  const part = (title: string, entries: readonly (readonly [string, string])[]) =>
    entries.length === 0 ? [] : ['', `${title}:`, ...entries.flatMap(([head, text]) => entry(head, text))];
  const lines = [
    `Usage: skydeck ${usageOf(name)}${own.length + options.length > 0 ? ' [OPTION...]' : ''}`,
    '',
    ...wrapped(told(meaning).split(' ')).map((line) => line.trimStart()),
    ...part(
      'Examples',
      Object.entries(examples).map(([line, about]) => [`skydeck ${line}`, told(about)]),
    ),
    ...part('Options', [
      ...own.map((one) => [typedOption(one), told(optionNamed(one).meaning)] as const),
      ...options.map((one) => [typedOption(one), told(optionNamed(one).brief)] as const),
      ...(demo.length > 0
        ? [['with --demo', `As skydeck help demo-api has them: ${demo.map((one) => `--${one}`).join(', ')}`] as const]
        : []),
    ]),
    ...part(
      'Exit codes',
      exits.map(({ code, meaning }) => [code, told(meaning)]),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
