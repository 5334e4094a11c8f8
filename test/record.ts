import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { relative } from 'node:path';
import { expect } from 'vitest';

/** Writes down, line by line, which requests of the dashboard the demo API answers well; loaded where SKYDECK_RECORD names a file. */
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const { testPath } = expect.getState();
  const record = process.env.SKYDECK_RECORD;
  if (!record || !testPath || response.statusCode >= 300 || request.headers['user-agent'] !== 'skydeck') return;
  const file = relative(process.cwd(), testPath).replaceAll('\\', '/');
  appendFileSync(record, `${file}\t${request.method}\t${request.url?.replace(/\?.*/, '')}\n`);
});
