import type { CacheView } from '../../resources/resource.ts';
import { trackingView } from '../../store/problems/trackingView.ts';
import { minute } from '../../text/times.ts';

interface Reading {
  again: (view: CacheView) => unknown;
  value: unknown;
}

/** Keeps the result of a function of the cache as long as nothing changes that it was made from; the time counts in minutes. */
export function memoizeTracked<T>(): (work: (view: CacheView) => T, view: CacheView, ...of: readonly unknown[]) => T {
  let last: { of: readonly unknown[]; readings: readonly Reading[]; result: T } | undefined;
  return (work, view, ...of) => {
    const isSame = last?.of.every((one, index) => one === of[index]) ?? false;
    if (last && isSame && last.readings.every(({ again, value }) => Object.is(again(view), value))) return last.result;
    const readings: Reading[] = [];
    const tracked = trackingView(view, ({ kind }, value, again) => {
      const read = kind === 'now' ? ({ now }: CacheView) => Math.floor(now / minute) : again;
      readings.push({ again: read, value: kind === 'now' ? read(view) : value });
    });
    last = { of, readings, result: work(tracked) };
    return last.result;
  };
}
