import type { Report } from './reports.ts';

/** The modes that are asked for; off where nothing is said. */
export interface ModeOptions {
  /** Clicks, drags and the wheel are reported. */
  mouse?: boolean;
  /** The background is asked for, and its changes are reported. */
  followsBackground?: boolean;
  /** The kitty keyboard protocol is used where it exists. */
  keyboard?: boolean;
}

const mouseOn = '\x1b[?1002h\x1b[?1006h';
const mouseOff = '\x1b[?1006l\x1b[?1002l';
/** Reports of a light or dark desktop. */
const schemeOn = '\x1b[?2031h';
const schemeOff = '\x1b[?2031l';
/** Escape, and keys with ctrl and alt, are sent as sequences of their own. */
const keyboardOn = '\x1b[>1u';
/** Ends what was begun on the full screen; a shell may have its own on the main screen. */
const keyboardOff = '\x1b[<u';
/** Takes all of it back where something else may be below. */
const keyboardPlain = '\x1b[=0;1u';

const backgroundQuestion = '\x1b]11;?\x1b\\';
const keyboardQuestion = '\x1b[?u';
/** Every terminal answers it, and in turn: what it has not answered before, it does not have. */
const attributesQuestion = '\x1b[c';

/** A terminal at the far end of a slow line answers a question within this time. */
const maxAnswerMs = 2000;

/** The modes of the full screen beside those of Ink. */
export type Modes = ReturnType<typeof createModes>;

/** @param isPlain a console, or no keys are read: nothing is asked and nothing switched on */
export function createModes(
  { mouse = false, followsBackground = false, keyboard = false }: ModeOptions,
  isPlain: boolean,
) {
  let isOn = false;
  let hasKeyboard = false;
  let waiting = Promise.withResolvers<void>();
  waiting.resolve();
  return {
    /** The bytes that switch them on, once the full screen is there. */
    enter() {
      if (isPlain || isOn) return '';
      isOn = true;
      return (mouse ? mouseOn : '') + (followsBackground ? schemeOn : '') + (hasKeyboard ? keyboardOn : '');
    },
    /** The bytes that switch off those that are on, before it goes. */
    leave() {
      if (!isOn) return '';
      isOn = false;
      return (mouse ? mouseOff : '') + (followsBackground ? schemeOff : '') + (hasKeyboard ? keyboardOff : '');
    },
    /** The bytes that end what a program on the main screen has left on. */
    afterChild: () => (hasKeyboard ? keyboardPlain : ''),
    /** The questions about what is not known. */
    questions() {
      const asked = (followsBackground ? backgroundQuestion : '') + (keyboard ? keyboardQuestion : '');
      if (isPlain || asked === '') return '';
      waiting.resolve();
      waiting = Promise.withResolvers();
      setTimeout(waiting.resolve, maxAnswerMs);
      return asked + attributesQuestion;
    },
    /** Whether the keyboard protocol is on. */
    get isExact() {
      return isOn && hasKeyboard;
    },
    /** Takes an answer; returns the bytes that switch on what it offers. */
    take({ kind }: Report) {
      if (kind === 'attributes') waiting.resolve();
      if (kind !== 'keyboard' || !keyboard || hasKeyboard) return '';
      hasKeyboard = true;
      return isOn ? keyboardOn : '';
    },
    /** Resolves when the questions are answered, at once where none was asked or a terminal is not going to answer. */
    answered: () => waiting.promise,
  };
}
