import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The commit that the program is made of, in short, with a `+` where the sources differ from it; undefined where nobody can tell. */
const commit = (): Promise<string | undefined> =>
  promisify(execFile)('git', ['describe', '--always', '--dirty=+', '--exclude=*', '--abbrev=12'])
    .then(({ stdout }) => stdout.trim())
    .catch(() => undefined);

/** The manifest beside the scripts of the bundle, which tells `--version` the commit. */
export const manifest = async (): Promise<string> =>
  `${JSON.stringify({ type: 'commonjs', commit: await commit() })}\n`;
