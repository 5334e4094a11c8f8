import { basename } from 'node:path';
import { parseConfig } from '../../config/parseConfig.ts';
import { viewsText } from '../../config/viewText.ts';
import type { ViewsFile } from '../../store/views/savedViews.ts';
import { reasonOf } from '../../text/errno.ts';
import { textOf } from '../config/readConfig.ts';
import { replacePrivate } from '../privateFile.ts';

const head = '# The views that :save keeps. Skydeck writes this file anew, so comments in it are lost.\n\n';

/** Changes the file of the saved views, as it is at that moment; only its owner can read it. */
export function changeViewsFile(path: string, alter: Parameters<ViewsFile['change']>[0]): void {
  const { config, mistakes } = parseConfig(textOf(path, false) ?? '');
  const [mistake] = mistakes;
  if (mistake) throw new Error(`${basename(path)}, ${mistake.says} It is not written until that is mended.`);
  const next = alter(config.views);
  try {
    replacePrivate(path, `${head}${viewsText(next)}`);
  } catch (error) {
    throw new Error(`${path} cannot be written: ${reasonOf(error)}.`);
  }
}
