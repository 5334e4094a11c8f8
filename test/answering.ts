import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers requests in its own time; one that cannot be answered is cut off, as who asked may have left, at the end of a test at the latest. */
export const answering =
  (answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>) =>
  (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response).catch(() => response.destroy());
