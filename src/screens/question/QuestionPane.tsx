import { type ReactNode, useContext, useState } from 'react';
import { Lines } from '../../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { type HandlersOf, useKeys } from '../keyboard.tsx';
import { type OneLine, OneLines } from '../page/Page.tsx';
import { cellsOf, Pane, PopupContext, popupWidth } from '../page/Pane.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import { noItems, usePagePart } from '../page/usePage.ts';
import type { Size } from '../useStores.ts';

interface QuestionPaneProps extends Size {
  title: string;
  isDanger?: boolean;
  /** All that it is about, or what of that is said where so many lines have room. */
  lines: readonly string[] | ((whole: number) => readonly string[]);
  /** Names what the lines are about: with another one their end is to be seen again. */
  about: string;
  /** Sums, always in sight. */
  totals?: readonly string[];
  /** The text that is typed to agree, and what is said behind it. */
  phrase?: string | undefined;
  explains?: string;
  /** The word for it, and what it does, or why not now; undefined where nothing can be agreed to. */
  agree: { word: string; run: (isTyped: boolean) => string | undefined } | undefined;
  /** The key that the footer names first in the place of agreeing. */
  instead?: string | undefined;
  /** Said by a key that does nothing here. */
  wayOut: string;
  keys?: Pick<HandlersOf<'confirm'>, 'plan' | 'preview' | 'skipped' | 'how' | 'within' | 'drain'>;
  cancel: () => void;
  /** Shown over the question, which stays as it is meanwhile. */
  over?: ReactNode;
}

/** Cells, also where the sentences are shorter. */
const leastWidth = 50;

/** A question before something is sent. It is agreed to once its end was on the screen, and its phrase is typed if it has one. */
export function QuestionPane({ lines: all, phrase, agree, instead, cancel, ...question }: QuestionPaneProps) {
  const theme = useTheme();
  const { title, isDanger, about, totals = [], height } = question;
  const screen = useContext(PopupContext);
  const [typed, setTyped] = useState('');
  const [complaint, setComplaint] = useState('');
  const room = question.width - 4;
  const bar = isDanger ? theme.paint('bad', marksOf(theme).bar) : ' ';
  const change = (text: string) => {
    setTyped(text);
    setComplaint('');
  };
  const { explains } = question;
  const said = complaint === '' ? [] : wrapCells(clean(complaint), room);
  const whole = Math.max(1, height - 2 - totals.length - said.length - (phrase === undefined ? 0 : 1));
  const lines = typeof all === 'function' ? all(whole) : all;
  // If not everything fits, one line says how much is above and below.
  const isLong = lines.length > whole;
  const page = usePagePart({ lines, order: about }, noItems, isLong ? Math.max(1, whole - 1) : whole);
  const { top, below, isSeen } = page;
  const objection = phraseObjection(phrase, typed) || unseenObjection(page);
  const agreed = () => {
    const why = objection === '' ? agree?.run(phrase !== undefined) : objection;
    if (why !== undefined) setComplaint(why);
  };
  const moves = Object.entries(page.moves).map(([name, move]) => {
    const moved = () => {
      setComplaint('');
      return move();
    };
    return [name, moved];
  });
  useKeys(
    'confirm',
    {
      // The footer offers it once it would be done.
      agree: agree && Object.assign(agreed, objection !== '' && { refuses: objection }),
      cancel,
      clear: phrase === undefined ? undefined : () => change(''),
      ...question.keys,
      ...Object.fromEntries(moves),
      other: () => setComplaint((agree && unseenObjection(page)) || question.wayOut),
    },
    {
      typing: phrase !== undefined,
      onPaste: (text) => phrase !== undefined && change(text.trim()),
      lead: instead,
      words: agree && { agree: agree.word },
    },
  );
  if (question.over) return question.over;
  const texts = [...lines, ...totals, ...said, `Type ${phrase ?? ''} to confirm${explains ?? ''}.`, title];
  const wanted = Math.max(leastWidth, ...texts.map((text) => cellsOf(text) + 4));
  const width = screen === undefined ? question.width : Math.min(question.width, popupWidth(wanted, screen));
  const isFirst = phrase === undefined && !isSeen && instead === undefined;
  const keys = `: ${keyLabel('confirm.pageDown', 'pagedown')}${isFirst ? ' the rest first' : ', end'}`;
  const { up, down } = marksOf(theme);
  const under = `${down} ${below} more below${complaint === '' ? keys : ''}`;
  const more = [below > 0 ? under : '', top > 0 ? `${up} ${top} above` : ''].filter(Boolean).join('   ');
  return (
    <Pane title={title} width={width} height={height} isDanger={isDanger}>
      <Lines
        of={[
          ...page.visible,
          ...(lines.length < whole ? [''] : []),
          ...(isLong ? [theme.paint(isFirst ? 'key' : 'dim', cut(more, room))] : []),
          ...totals,
          ...said.map((line) => theme.paint('warn', line)),
        ].map((line) => `${bar} ${line}`)}
      />
      <OneLines of={phrase === undefined ? [] : phraseLines({ theme, phrase, explains, typed, change, bar, width })} />
    </Pane>
  );
}

/** The keys that answer a question, with a phrase or without, as a sentence. */
export const answerText = (phrase: string | undefined, does: string, goesBack: string): string =>
  phrase === undefined
    ? `Press ${keyLabel('confirm.agree', 'enter')} to ${does}, or ${keyLabel('confirm.cancel', 'esc')} to ${goesBack}.`
    : `Type ${phrase} and press ${keyLabel('confirm.agree', 'enter')}, or press ${keyLabel('confirm.cancel', 'esc')} to ${goesBack}.`;

/** `bar` is painted before each line, one cell wide. */
interface TypedPhrase extends Pick<QuestionPaneProps, 'explains' | 'width'> {
  theme: Theme;
  phrase: string;
  typed: string;
  change: (text: string) => void;
  bar: string;
}

/** Asks for a phrase to be typed before something dangerous is sent; two lines. */
function phraseLines({ theme, phrase, explains, typed, change, bar, width }: TypedPhrase): readonly OneLine[] {
  const label = ` ${marksOf(theme).pointer} `;
  const tone = typed === phrase ? 'good' : 'accent';
  const asked = `${bar} Type ${theme.paint('title', phrase)}`;
  const ends = [`${explains ?? ''} to confirm.`, `${explains ?? ''} to confirm`, ' to confirm'];
  return [
    asked + (ends.find((end) => cellsOf(asked + end) <= width) ?? ends.at(-1)),
    <PromptLine key="phrase" lead={bar} {...{ label, tone, change }} value={typed} width={width - 2} />,
  ];
}

/** Why the typed text does not confirm yet, as a sentence; empty if it does or if no phrase is asked for. */
function phraseObjection(phrase: string | undefined, typed: string): string {
  if (phrase === undefined || typed === phrase) return '';
  if (typed === '') return `Type ${phrase} first.`;
  const isCase = typed.toLowerCase() === phrase.toLowerCase();
  return `"${cut(clean(typed), 40)}" does not match: type ${phrase}${isCase ? ', capitals as shown' : ''}.`;
}

/** Why a question cannot be agreed to before its last lines were on the screen; empty once they were. */
export const unseenObjection = ({ isSeen }: { isSeen: boolean }): string =>
  isSeen ? '' : 'The lines below have not been shown yet: press pagedown or end.';
