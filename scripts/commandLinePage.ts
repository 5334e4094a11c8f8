import { commandNamed, commandNames } from '../src/program/commandLine/commands.ts';
import { exitCodes } from '../src/program/commandLine/exitCodes.ts';
import { typedOption, usageOf } from '../src/program/commandLine/help.ts';
import { optionGroups } from '../src/program/commandLine/optionGroups.ts';
import { type OptionName, optionNamed, optionNames } from '../src/program/commandLine/options.ts';
import { listed } from '../src/text/words.ts';
import { code, table } from './markdown.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Names the commands of an option that works only with some. */
function beside(name: OptionName): string {
  const { group, commands, only: own, meaning } = optionNamed(name);
  const { only } = { only: undefined, ...optionGroups[group] };
  if (group === 'screen' || only === undefined) return '';
  const told = commands ? (own ?? only) : group === 'demo' ? '--demo and demo-api' : only;
  const named = told.split(/, | and /).map((part) => code(part.replace('skydeck ', '')));
  // A meaning that says by itself with what: it goes behind the one command, or names each of several.
  if (meaning.startsWith('with ')) return named.length === 1 ? `${named[0]} ` : '';
  return `with ${listed(named)}: `;
}

const tables: Readonly<Record<string, () => string>> = {
  commands: () =>
    table(
      ['Command', 'What it does'],
      (['dashboard', ...commandNames] as const).map((name) => [
        code(`skydeck ${usageOf(name)}`),
        cell(commandNamed(name).meaning),
      ]),
    ),
  options: () =>
    table(
      ['Option', 'Meaning'],
      optionNames.map((name) => {
        const { short } = optionNamed(name);
        const typed = [code(typedOption(name)), ...(short ? [code(`-${short}`)] : [])].join(', ');
        return [typed, cell(beside(name) + optionNamed(name).meaning)];
      }),
    ),
  'exit codes': () =>
    table(
      ['Exit code', 'Meaning'],
      exitCodes.map(({ code, meaning }) => [code, cell(meaning)]),
    ),
};

/** Updates the tables of a page. Each is between two comments, of which the first names it. */
export const withCommandLine = (page: string): string =>
  page.replace(
    /<!-- ([\w ]+), written by npm run docs -->\n[\s\S]*?<!-- end -->/g,
    (_whole, name: string) => `<!-- ${name}, written by npm run docs -->\n${tables[name]?.()}\n<!-- end -->`,
  );
