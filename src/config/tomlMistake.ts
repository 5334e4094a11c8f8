/** Says why a text is no TOML, in the words of who wrote it. */

import type { TomlError } from 'smol-toml';
import { earlierLine, unclosedLine } from './lines.ts';
import { quoted } from './settingRules.ts';

/** The line of a mistake of TOML, from 1, and a sentence about it. */
export function tomlMistake(
  source: string,
  { message, line, column }: TomlError,
): { line: number; column: number; says: string } {
  const lines = source.split(/\r?\n/);
  const reason = (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
  const at = lines[line - 1] ?? '';
  const rest = at.slice(column - 1);
  const isAtEnd = rest.trim() === '' && lines.slice(line).every((one) => one.trim() === '');
  const open = isAtEnd ? unclosedLine(source) : line;
  const [key = '', value = ''] = (lines[open - 1] ?? '').trim().split(/=(.*)/s);
  const says = (why: string, where = line) => ({
    line: where,
    column: where === line ? column : 1,
    says: `line ${where}: ${quoted(key.trim())} is not valid TOML: ${why}.`,
  });
  if (reason.startsWith('control characters') ? rest === '' : reason === 'unfinished string')
    return says('a text has no closing quote');
  if (isAtEnd && /^\s*[[{]/.test(value))
    return says(`what ${value.trim().charAt(0)} opens there is never closed`, open);
  if (reason === 'invalid value') {
    if (rest.trim() === '') return says('it has no value');
    const word = rest.replace(/\s*(#.*)?$/, '');
    // It would be the value of another kind, misspelt.
    if (/^[^\W\d]/.test(word)) return says(`a text needs quotes: ${key.trim()} = ${quoted(word)}`);
  }
  if (reason.startsWith('trying to redefine')) {
    const before = earlierLine(source, line);
    return says(before === undefined ? 'it stands there twice' : `it stands in line ${before} already`);
  }
  return says(reason);
}
