import { Session } from 'node:inspector/promises';

/** Does something, and tells how often functions of `src` of a name were called meanwhile. */
export async function callsDuring(work: () => Promise<unknown>): Promise<(name: string) => number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      if (!url.includes('/src/')) continue;
      for (const { functionName, ranges } of functions)
        calls.set(functionName, (calls.get(functionName) ?? 0) + (ranges[0]?.count ?? 0));
    }
    return (name) => calls.get(name) ?? 0;
  } finally {
    session.disconnect();
  }
}
