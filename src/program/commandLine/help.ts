import { type CommandName, commandNamed, commandNames } from './commands.ts';
import { exitCodes } from './exitCodes.ts';
import { type OptionName, optionGroups, optionNamed, optionNames } from './options.ts';

const width = 79;

/** The way to type a command, without the program's own name. */
export const usageOf = (name: CommandName): string =>
  [name === 'dashboard' ? '' : name, commandNamed(name).words].filter(Boolean).join(' ');

/** The way to type an option. */
export const typedOption = (name: OptionName): string =>
  [`--${name}`, optionNamed(name).value?.called].filter(Boolean).join(' ');

const inGroup = (group: string) =>
  optionNames.filter((name) => optionNamed(name).group === group && name !== 'help' && name !== 'version');

/** Lines of at most 79 cells; those after the first are indented. */
function wrapped(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length > width) lines.push(`  ${word}`);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

/** Rows of cells in columns, which are as wide as their widest cell. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (column: number) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0));
  return rows.map((cells) => `  ${cells.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')}`.trimEnd());
}

const commandLines = (): readonly string[] =>
  aligned(
    (['dashboard', ...commandNames] as const).map((name) => [`skydeck ${usageOf(name)}`, commandNamed(name).brief]),
  );

/** A value and a switch in each line. */
function generalLines(): readonly string[] {
  const cell = (name: OptionName) => [typedOption(name), optionNamed(name).brief];
  const { values = [], switches = [] } = Object.groupBy(inGroup('general'), (name) =>
    optionNamed(name).value ? 'values' : 'switches',
  );
  return aligned(values.map((name, nth) => [...cell(name), ...switches.slice(nth, nth + 1).flatMap(cell)]));
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
Skydeck: a terminal dashboard for a cloud hosting API. More: man skydeck.
${[...commandLines(), ...generalLines(), ...groupLines()].join('\n')}
Variables: SKYDECK_TOKEN, SKYDECK_BASE_URL, _PROFILE, _CONFIG and NO_COLOR.
Exit: ${exits.join(', ')}.
`;
