import { createStore, type StoreApi } from 'zustand/vanilla';

/** One sentence for the user. */
export interface Notice {
  id: number;
  tone: 'good' | 'bad' | 'plain';
  text: string;
  /** When it was said, in ms since the epoch. */
  at: number;
}

export interface NoticesState {
  /** The newest last. */
  notices: readonly Notice[];
  /** The one on screen, until it has been up for a while. */
  current?: Notice;
}

export interface Notices extends StoreApi<NoticesState> {
  say(tone: Notice['tone'], text: string): void;
}

/** How many are remembered. */
const most = 100;

/** How long one stays on screen, in milliseconds; what went wrong stays longer. */
const shownFor = { good: 5_000, plain: 5_000, bad: 12_000 };

/** The notices of this session. */
export function createNotices(now: () => number): Notices {
  const store = createStore<NoticesState>(() => ({ notices: [] }));
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    ...store,
    say: (tone, text) => {
      const notice: Notice = { id: ++last, tone, text, at: now() };
      store.setState(({ notices }) => ({ notices: [...notices, notice].slice(-most), current: notice }));
      clearTimeout(timer);
      timer = setTimeout(() => store.setState({ current: undefined }), shownFor[tone]);
      timer.unref();
    },
  };
}
