import { basename } from 'node:path';
import { commandName } from '../../config/commandActions.ts';
import { viewsText } from '../../config/configTexts.ts';
import { type MissingCommand, textAdded } from '../../config/missingCommands.ts';
import { parseConfig } from '../../config/parseConfig.ts';
import type { ViewsFile } from '../../store/views/userViews.ts';
import { reasonOf } from '../../text/errno.ts';
import { appendPrivate, replaceNamed } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import { configChecks } from './checks.ts';
import { besideOf, commandsFileOf, textOf, trustedConfig } from './readConfig.ts';

/**
 * Adds a command at the end of the file beside the configuration; one of its name that another session or a person has
 * added meanwhile is left as it is. Throws an Error of one sentence where nothing is written.
 */
export function addToCommandsFile(configFile: string, command: MissingCommand): void {
  const file = commandsFileOf(configFile);
  if (file === configFile)
    throw new Error(
      `The configuration is called ${basename(file)} itself, so none lies beside it: write the command there.`,
    );
  try {
    appendPrivate(file, trustedConfig, (before) => {
      const config = textOf(configFile, false) ?? '';
      const others = besideOf(configFile).filter((one) => one.file !== file);
      const parsed = (source: string) =>
        parseConfig(config, configChecks, [...others, { file, source, isOfCommands: true }]);
      const now = parsed(before);
      const isThere = now.config.commands.some(
        (one) => one.for === command.for && commandName(one) === commandName(command),
      );
      const text = textAdded(before, command);
      const [mistake] = (isThere ? now : parsed(before + text)).mistakes.filter(({ stops }) => stops === 'start');
      if (mistake) {
        const { file: where = configFile, says } = mistake;
        throw new UsageError(`${basename(where)}, ${says} Nothing is written until that is mended.`);
      }
      return isThere ? '' : text;
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    const isBusy = code === 'EEXIST' || code === 'EBUSY';
    throw new Error(
      `${file} cannot be written: ${isBusy ? 'something else writes it at this moment; do it again' : reasonOf(error)}.`,
    );
  }
}

const head = '# The views that :save keeps. Skydeck writes this file anew, so comments in it are lost.\n\n';

/** Changes the file of the saved views, as it is at that moment; a new one only its owner can read. */
export function changeViewsFile(path: string, alter: Parameters<ViewsFile['change']>[0]): void {
  const { config, mistakes } = parseConfig(textOf(path, false) ?? '');
  const [mistake] = mistakes;
  if (mistake) throw new Error(`${basename(path)}, ${mistake.says} It is not written until that is mended.`);
  replaceNamed(path, `${head}${viewsText(alter(config.views))}`);
}
