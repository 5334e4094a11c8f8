import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Params } from '../resources/resource.ts';

/** One sentence for the user. */
export interface Notice {
  id: number;
  tone: 'good' | 'bad' | 'warn' | 'plain';
  text: string;
  /** When it was said, in ms since the epoch. */
  at: number;
  /** What can be opened to see it: a row, or where rows of this kind are shown. */
  about?: { resource: string; params?: Params };
}

export interface NoticesState {
  /** The newest last. */
  notices: readonly Notice[];
  /** The one on screen, until it has been up for a while. */
  current?: Notice;
}

export interface Notices extends StoreApi<NoticesState> {
  /** Says something, in place of the notice of this id where one is given; answers the id of the new one. */
  say(tone: Notice['tone'], text: string, about?: Notice['about'], inPlaceOf?: number): number;
}

/** How many are remembered. */
const most = 100;

/** How long one stays on screen, in milliseconds; what went wrong stays longer. */
const shownFor = { good: 5_000, plain: 5_000, warn: 8_000, bad: 12_000 };

/** The notices of this session. */
export function createNotices(now: () => number): Notices {
  const store = createStore<NoticesState>(() => ({ notices: [] }));
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    ...store,
    say: (tone, text, about, inPlaceOf) => {
      const notice: Notice = { id: ++last, tone, text, at: now(), about };
      store.setState(({ notices }) => ({
        notices: [...notices.filter(({ id }) => id !== inPlaceOf), notice].slice(-most),
        current: notice,
      }));
      clearTimeout(timer);
      timer = setTimeout(() => store.setState({ current: undefined }), shownFor[tone]);
      timer.unref();
      return notice.id;
    },
  };
}
