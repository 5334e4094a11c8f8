import { clean, cut } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';

/** Why the typed text does not confirm yet, as a sentence; empty if it does or if no phrase is asked for. */
export function phraseObjection(phrase: string | undefined, typed: string): string {
  if (phrase === undefined || typed === phrase) return '';
  if (typed === '') return `Type ${phrase} first; ${keyLabel('confirm.cancel', 'esc')} cancels.`;
  const isCase = typed.toLowerCase() === phrase.toLowerCase();
  return `"${cut(clean(typed), 40)}" does not match: type ${phrase}${isCase ? ', capitals as shown' : ''}.`;
}

/** Why a question cannot be agreed to before its last lines were on the screen. */
export const unseenObjection = (below: number): string =>
  `${counted(below, 'line')} below have not been shown yet: press pagedown or end.`;
