import { configJsonSchema } from '../../config/jsonSchema.ts';
import { keyNames } from '../../screens/keys/userKeys.ts';
import { counted } from '../../text/words.ts';
import type { Invocation } from '../invocation.ts';
import { configFile, type ReadConfig, readConfig } from './readConfig.ts';

/** Carries out `skydeck config`. Returns what is to be printed, and whether mistakes were found. */
export async function configCommand(
  { topic, file, options }: Invocation,
  env: Parameters<typeof configFile>[1],
): Promise<{ text: string; wrong: boolean }> {
  const { file: used, wanted } = configFile(options.config, env);
  if (topic === 'schema') return { text: configJsonSchema(keyNames()), wrong: false };
  if (topic === 'path') return { text: `${used}\n`, wrong: false };
  const read = await readConfig(file ?? used, wanted || file !== undefined);
  // As compilers say it, so that editors go there.
  const at = ({ file: own = read.file, line, says }: ReadConfig['warnings'][number], kind = '') =>
    `${own}:${line}: ${kind}${says.replace(/^line \d+: /, '')}`;
  const mistakes = read.mistakes.map((mistake) => at(mistake));
  const warnings = read.warnings.map((warning) => at(warning, 'warning: '));
  const lines = [...(mistakes.length > 0 ? mistakes : [verdict(read)]), ...warnings];
  return { text: `${lines.join('\n')}\n`, wrong: mistakes.length > 0 };
}

function verdict({ file, found, config, commandsFile }: ReadConfig): string {
  if (!found && commandsFile === undefined) return `There is no configuration: ${file} does not exist.`;
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
  const files = [...(found ? [file] : []), ...(commandsFile === undefined ? [] : [commandsFile])];
  return `${files.join(' with ')} has no mistakes: ${parts.join(', ') || 'it is empty'}.`;
}
