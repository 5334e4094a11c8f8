import { marksOf, type Theme } from '../../components/theme.ts';
import { clean, cut } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import type { OneLine } from '../page/Page.tsx';
import { PromptLine } from '../page/Prompt.tsx';

interface TypedPhrase {
  theme: Theme;
  /** The text that confirms. */
  phrase: string;
  /** Behind the phrase: `, its id,`; empty if it explains itself. */
  explains?: string | undefined;
  typed: string;
  change: (text: string) => void;
  /** Painted before each line, one cell wide. */
  bar: string;
  width: number;
}

/** Asks for a phrase to be typed before something dangerous is sent; two lines. */
export function phraseLines({
  theme,
  phrase,
  explains = '',
  typed,
  change,
  bar,
  width,
}: TypedPhrase): readonly OneLine[] {
  const label = ` ${marksOf(theme).pointer} `;
  const tone = typed === phrase ? 'good' : 'accent';
  return [
    `${bar} Type ${theme.paint('title', phrase)}${explains} to confirm; ${keyLabel('confirm.cancel', 'esc')} cancels.`,
    <PromptLine key="phrase" lead={bar} {...{ label, tone, change }} value={typed} width={width - 2} />,
  ];
}

/** Why the typed text does not confirm yet, as a sentence; empty if it does or if no phrase is asked for. */
export function phraseObjection(phrase: string | undefined, typed: string): string {
  if (phrase === undefined || typed === phrase) return '';
  if (typed === '') return `Type ${phrase} first; ${keyLabel('confirm.cancel', 'esc')} cancels.`;
  const isCase = typed.toLowerCase() === phrase.toLowerCase();
  return `"${cut(clean(typed), 40)}" does not match: type ${phrase}${isCase ? ', capitals as shown' : ''}.`;
}

/** Why a question cannot be agreed to before its last lines were on the screen; empty once they were. */
export const unseenObjection = ({ isSeen, below }: { isSeen: boolean; below: number }): string =>
  isSeen ? '' : `${counted(below, 'line')} below have not been shown yet: press pagedown or end.`;
