import type { Action } from './action.ts';

/** The strength of the question before an action is sent. */
export type Asking = 'at once' | 'asks' | 'asks at times' | 'types the label';

/** Finds the strength of the question, when the account is not marked as critical. */
export function askingOf({ danger, confirm, asks, atOnce, body, own }: Action): Asking {
  if (danger?.typeLabel) return 'types the label';
  if (danger || confirm || (asks && asks.when === undefined)) return 'asks';
  if (asks) return 'asks at times';
  return atOnce || body || own ? 'at once' : 'asks';
}

/** Tells the beginning of an action and its question, in a few words: `form, then asks`, `asks when it replaces an object`. */
export function askingWords(action: Action): string {
  const opensForm = Boolean(action.body || action.own);
  const words = {
    'at once': opensForm ? '' : 'at once',
    asks: 'asks',
    'asks at times': `asks when ${action.asks?.when}`,
    'types the label': 'type the label',
  }[askingOf(action)];
  if (!opensForm) return words;
  return words === '' ? 'form' : `form, then ${words}`;
}

/** The letter of an action in a menu: a capital, because small letters narrow the menu. */
export const menuLetter = (key: string): string => key.toUpperCase();
