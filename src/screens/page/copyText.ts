import type { AppContextValue } from '../useStores.ts';

/** Has the terminal copy a text, and adds a notice of it or of the reason why not. */
export function copyText({ stores, copy }: AppContextValue, name: string, text: string): void {
  try {
    copy(text);
    stores.notices.say('good', `Copied the ${name}, if the terminal allows it.`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    stores.notices.say('bad', error.message);
  }
}
