import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { progressOfWork, watchWindow, windowTitle } from '../../src/screens/terminal/window.tsx';
import type { Stores } from '../../src/store/stores.ts';
import type { TerminalProgress } from '../../src/terminal/capabilities.ts';

const states = ['done', 'failed', 'running', 'waiting'] as const;

/** The stores that the window is told of. */
function work() {
  const stores = {
    settings: { profile: 'work' },
    problems: createStore(() => ({ problems: [] as { severity: string }[] })),
    events: createStore(() => ({ events: [] as object[], polledAt: undefined as number | undefined })),
    changes: createStore(() => ({ changes: [] as object[] })),
    transfers: createStore(() => ({ transfers: [] as object[] })),
  };
  return { ...stores, asStores: stores as unknown as Stores };
}

const change = (isOver: boolean, ...results: (typeof states)[number][]) => ({
  id: 1,
  isOver,
  action: {},
  results: results.map((state) => ({ state })),
});

describe('the title', () => {
  it('counts what is critical', () => {
    expect(windowTitle('work', 0)).toBe('skydeck work');
    expect(windowTitle('api.example.com', 4)).toBe('skydeck api.example.com: 4 critical');
  });
});

describe('the progress of the work', () => {
  it('is the mean of jobs, changes of several rows and transfers', () => {
    const { asStores, events, changes, transfers } = work();
    expect(progressOfWork(asStores)).toBeUndefined();
    events.setState({
      events: [
        { id: 1, status: 'finished', percent_complete: 100 },
        { id: 2, status: 'started', percent_complete: 40 },
        { id: 3, status: 'scheduled', percent_complete: 0 },
        { id: 4, status: null, percent_complete: null },
      ],
    });
    expect(progressOfWork(asStores)).toBe(40);
    changes.setState({ changes: [change(false, 'done', 'failed', 'running', 'waiting'), change(false, 'running')] });
    expect(progressOfWork(asStores)).toBe(45);
    transfers.setState({ transfers: [{ state: 'running', bytes: 150, total: 100 }, { state: 'done' }] });
    expect(progressOfWork(asStores)).toBe(63);
  });

  it('is unknown where nothing tells how far it is', () => {
    const { asStores, transfers } = work();
    transfers.setState({ transfers: [{ state: 'running', bytes: 5, total: undefined }] });
    expect(progressOfWork(asStores)).toBe('busy');
  });
});

describe('the window', () => {
  afterEach(() => vi.useRealTimers());

  it('is told of criticals, progress and, for a moment, of failures; not of those before the start', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { asStores, problems, events, changes } = work();
    const titles: string[] = [];
    const shown: TerminalProgress[] = [];
    const end = watchWindow(asStores, {
      takesProgress: true,
      setTitle: (title) => void titles.push(title),
      setProgress: (progress) => void shown.push(progress),
    });
    problems.setState({ problems: [{ severity: 'critical' }, { severity: 'warning' }] });
    expect(titles).toEqual(['skydeck work', 'skydeck work: 1 critical']);
    events.setState({ events: [{ id: 1, status: 'failed' }], polledAt: 1 });
    // Another account may have left its progress.
    expect(shown).toEqual([undefined, undefined]);
    changes.setState({ changes: [change(false, 'done', 'running')] });
    expect(shown.at(-1)).toBe(50);
    changes.setState({ changes: [change(true, 'done', 'failed')] });
    events.setState({ events: [{ id: 2, status: 'started', percent_complete: 7 }] });
    expect(shown.at(-1)).toBe('failed');
    vi.advanceTimersByTime(5000);
    expect(shown.at(-1)).toBe(7);
    end();
    events.setState({ events: [] });
    expect(shown.at(-1)).toBe(7);
  });
});
