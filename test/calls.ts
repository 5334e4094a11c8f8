import { Session } from 'node:inspector/promises';

/** Does something, and tells how often functions of `src` of a name, or those of one file, were called meanwhile. */
export async function callsDuring(work: () => Promise<unknown>): Promise<(name: string, file?: string) => number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return (name, file = '') =>
      result
        .filter(({ url }) => url.includes('/src/') && url.includes(file))
        .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  } finally {
    session.disconnect();
  }
}
