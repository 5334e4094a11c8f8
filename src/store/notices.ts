import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Params } from '../resources/resource.ts';

/** A sentence for the user. */
export interface NoticeContent {
  tone: 'good' | 'bad' | 'warn' | 'plain';
  /** One sentence. */
  text: string;
  /** Opened to see it: a row, or where rows of this kind are shown. */
  about?: { resource: string; params?: Params };
}

/** Something that was said. */
export interface Notice extends NoticeContent {
  id: number;
  /** In ms since the epoch. */
  at: number;
}

export interface NoticesState {
  /** The newest last. */
  notices: readonly Notice[];
  /** The one on screen, until it has been up for a while. */
  current?: Notice;
}

export interface Notices extends StoreApi<NoticesState> {
  /** Says at once what became of something that the user did. */
  say(tone: NoticeContent['tone'], text: string): void;
  /**
   * Says what happened by itself, after what is on screen, in place of the notice of this id where one is given; answers
   * the id of the new one. What is plain, only worth knowing, is kept and does not come on screen.
   */
  add(said: NoticeContent, inPlaceOf?: number): number;
}

/** So many are remembered. */
const most = 100;

/** So many wait for their turn on screen; the others are only among the notices. */
const mostWaiting = 3;

/** One stays on screen for so many milliseconds; a failure stays longer. */
const shownFor = { good: 5_000, plain: 5_000, warn: 8_000, bad: 12_000 };

/** In less time nobody has read a notice, in milliseconds. */
const glimpse = 1_500;

/** The notices of this session. */
export function createNotices(now: () => number): Notices {
  const store = createStore<NoticesState>(() => ({ notices: [] }));
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Notices of what happened by itself that have not been on screen yet. */
  let waiting: readonly Notice[] = [];
  /** On screen, happened by itself, and since when. */
  let added: { notice: Notice; since: number } | undefined;

  function keep(said: NoticeContent, inPlaceOf?: number): Notice {
    const notice = { id: ++last, at: now(), ...said };
    const { notices } = store.getState();
    store.setState({ notices: [...notices.filter(({ id }) => id !== inPlaceOf), notice].slice(-most) });
    return notice;
  }

  function show(notice: Notice | undefined): void {
    clearTimeout(timer);
    store.setState({ current: notice });
    if (!notice) return;
    timer = setTimeout(showNext, shownFor[notice.tone]);
    timer.unref();
  }

  function showNext(): void {
    const [next, ...others] = waiting;
    waiting = others;
    added = next && { notice: next, since: now() };
    show(next);
  }

  return {
    ...store,
    say: (tone, text) => {
      const isCutOff =
        added !== undefined && store.getState().current === added.notice && now() - added.since < glimpse;
      if (added && isCutOff) waiting = [added.notice, ...waiting].slice(-mostWaiting);
      added = undefined;
      show(keep({ tone, text }));
    },
    add: (said, inPlaceOf) => {
      const notice = keep(said, inPlaceOf);
      if (said.tone === 'plain') return notice.id;
      const { current } = store.getState();
      waiting = [...waiting.filter(({ id }) => id !== inPlaceOf), notice].slice(-mostWaiting);
      if (!current || current.id === inPlaceOf) showNext();
      return notice.id;
    },
  };
}
