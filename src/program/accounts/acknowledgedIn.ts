import type { Problem } from '../../resources/problems/rule.ts';
import { createAcknowledgements } from '../../store/problems/acknowledgements.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { stateDirectory } from '../directories.ts';
import { openStateFile } from '../stateFile.ts';

/**
 * Tells whether somebody has acknowledged a problem of a profile's account.
 * @param say told, as a sentence, when that cannot be read
 */
export function acknowledgedIn(
  profile: string,
  env: Environment,
  say: (says: string) => void,
): (problem: Problem) => boolean {
  const stateFile = openStateFile(stateDirectory(env), profile);
  const acknowledgements = createAcknowledgements(Date.now, stateFile, say);
  return (problem) => acknowledgements.of(problem) !== undefined;
}
