import type { Invocation } from './invocation.ts';
import { print } from './output.ts';
import { UsageError } from './rules.ts';

/** Runs the demo API alone, until it is interrupted. Throws a UsageError where its port cannot be had. */
export async function serveDemo({ demo, options: { port = 4010 } }: Invocation, host: NodeJS.Process): Promise<void> {
  const { startDemo } = await import('../demo/server.ts');
  const { url, tokens, close } = await startDemo({ ...demo, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    const why = error.code === 'EACCES' ? 'is reserved for root' : 'is in use';
    throw new UsageError(`Port ${port} ${why}; choose another one with --port, or --port 0 for any free one.`);
  });
  const { full, readOnly, restricted } = tokens;
  await print(
    host.stdout,
    `The demo API listens on ${url} until it is interrupted.\nTokens: ${full} (full), ${readOnly} (read-only), ${restricted} (restricted)\n`,
  );
  await new Promise<void>((interrupted) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) host.once(signal, () => interrupted());
  });
  await close();
}
