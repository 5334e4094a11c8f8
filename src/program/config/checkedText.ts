import { keyText } from '../../config/lines.ts';
import { visibleJson } from '../../text/escapes.ts';
import { counted } from '../../text/words.ts';
import type { ReadConfig } from './readConfig.ts';

/** The mistakes and warnings as compilers say them, so that editors go there; or that there are none. */
export function checkedText(read: ReadConfig): string {
  const at = ({ file = read.file, line, column, says }: ReadConfig['warnings'][number], kind = '') =>
    `${file}:${line}:${column}: ${kind}${withoutLine(says)}`;
  const mistakes = read.mistakes.map((mistake) => at(mistake));
  const warnings = read.warnings.map((warning) => at(warning, 'warning: '));
  return `${[...(mistakes.length > 0 ? mistakes : [verdict(read)]), ...warnings].join('\n')}\n`;
}

const withoutLine = (says: string) => says.replace(/^line \d+: /, '');

/** The same as a JSON document. */
export function checkedJson({ file: own, mistakes, warnings }: ReadConfig): string {
  const at = ({ file = own, line, column, says }: ReadConfig['warnings'][number]) => ({
    ...{ file, line, column },
    says: withoutLine(says),
  });
  const told = mistakes.map((mistake) => ({ ...at(mistake), key: keyText(mistake.path) }));
  return `${visibleJson({ file: own, mistakes: told, warnings: warnings.map(at) }, 2)}\n`;
}

function verdict({ file, found, config, commandsFile, further = [] }: ReadConfig): string {
  if (!found && commandsFile === undefined && further.length === 0)
    return `There is no configuration: ${file} does not exist.`;
  const keys = Object.entries(config.keys).reduce(
    (sum, [, layer]) => sum + (typeof layer === 'object' ? Object.keys(layer).length : 1),
    0,
  );
  const parts = [
    counted(Object.keys(config.profiles).length, 'profile'),
    counted(keys, 'key'),
    counted(Object.keys(config.views).length, 'view'),
    counted(config.commands.length, 'command'),
    counted(config.rules.length, 'rule'),
    counted(config.hooks.length, 'hook'),
    config.audit ? 'the audit log' : '0 ',
  ].filter((part) => !part.startsWith('0 '));
  const files = [...(found ? [file] : []), ...further, ...(commandsFile === undefined ? [] : [commandsFile])];
  return `${files.join(' with ')} has no mistakes: ${parts.join(', ') || 'it is empty'}.`;
}
