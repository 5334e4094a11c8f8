import { createStore } from 'zustand/vanilla';
import type { Params } from '../resources/resource.ts';
import type { Timestamp } from '../text/times.ts';

/** A sentence for the user. */
export interface NoticeContent {
  /** `busy` tells that something has begun. */
  tone: 'good' | 'bad' | 'warn' | 'plain' | 'busy';
  /** One sentence. */
  text: string;
  /** The row it is about, or the resource. */
  about?: { resource: string; params?: Params };
  /** The names of the changes whose end it tells. */
  sent?: readonly string[];
  /** It is on screen until a key is pressed, as whoever began what has failed may be away; `esc` takes it off at once. */
  stays?: boolean;
}

/** A notice that was given. */
export interface Notice extends NoticeContent {
  id: number;
  at: Timestamp;
}

export interface NoticesState {
  /** The newest last. */
  notices: readonly Notice[];
  /** The one on screen. */
  current?: Notice;
}

export type Notices = ReturnType<typeof createNotices>;

const maxNotices = 100;

/** Notices beyond these are never on screen. */
const maxQueued = 3;

/** Failures stay longer. */
const shownMs = { good: 5_000, plain: 5_000, busy: 5_000, warn: 8_000, bad: 12_000 };

/** A notice shown for less time has not been read. */
const minReadMs = 1_500;

/** The notices of this session. */
export function createNotices(now: () => Timestamp, onNotice: (notice: Notice) => void = () => {}) {
  const store = createStore<NoticesState>(() => ({ notices: [] }));
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Added notices that have not been on screen yet. */
  let queue: readonly Notice[] = [];
  /** The added notice on screen, and since when. */
  let added: { notice: Notice; since: number } | undefined;

  function keep(content: NoticeContent, replaces?: number): Notice {
    const notice = { id: ++last, at: now(), ...content };
    const { notices } = store.getState();
    store.setState({ notices: [...notices.filter(({ id }) => id !== replaces), notice].slice(-maxNotices) });
    onNotice(notice);
    return notice;
  }

  function show(notice: Notice | undefined): void {
    clearTimeout(timer);
    store.setState({ current: notice });
    timer = undefined;
    if (notice && !notice.stays) leaveLater(notice);
  }

  function leaveLater({ tone }: Notice): void {
    timer = setTimeout(showNext, shownMs[tone]).unref();
  }

  function showNext(): void {
    const [next, ...others] = queue;
    queue = others;
    added = next && { notice: next, since: now() };
    show(next);
  }

  return {
    ...store,
    /** Shows the result of an action of the user now. */
    say: (tone: NoticeContent['tone'], text: string, more?: Pick<NoticeContent, 'sent' | 'stays'>) => {
      const isCutOff = added && now() - added.since < minReadMs && store.getState().current === added.notice;
      if (added && isCutOff) queue = [added.notice, ...queue].slice(-maxQueued);
      added = undefined;
      show(keep({ tone, text, ...more }));
    },
    /** A key was pressed, so somebody sees what stays: it goes as others do, and by `esc`, which is used up then. */
    pressed: (isEscape: boolean): boolean => {
      const { current } = store.getState();
      if (!current?.stays) return false;
      if (isEscape) showNext();
      else if (!timer) leaveLater(current);
      return isEscape;
    },
    /** Takes this sentence off the screen, as what it tells of has ended; the list has it still. */
    end: (text: string) => {
      if (store.getState().current?.text === text) showNext();
    },
    /**
     * Adds a notice of something that happened by itself, shown after the current one, or in place of the notice with the id
     * `replaces`; returns its id. A plain one is only kept in the list.
     */
    add: (content: NoticeContent, replaces?: number) => {
      const notice = keep(content, replaces);
      if (content.tone === 'plain') return notice.id;
      const { current } = store.getState();
      queue = [...queue.filter(({ id }) => id !== replaces), notice].slice(-maxQueued);
      if (!current || current.id === replaces) showNext();
      return notice.id;
    },
  };
}
