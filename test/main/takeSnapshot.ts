import type { Api } from '../../src/api/client.ts';
import type { AreaTarget } from '../../src/program/areas.ts';
import { type PrintContext, printDocument } from '../../src/program/document.ts';
import type { Format } from '../../src/program/invocation.ts';
import { type SnapshotOptions, takeSnapshot as take } from '../../src/program/snapshot.ts';

/** Takes a snapshot and writes it; without problems where none were examined. */
export async function takeSnapshot(
  api: Api,
  target: AreaTarget,
  format: Format,
  context: PrintContext,
  options: SnapshotOptions = {},
) {
  const document = await take(api, target, format, context.now, options);
  const { missing, report: { problems, unexamined } = { problems: [], unexamined: [] } } = document;
  return { text: printDocument(document, format, context), missing, problems, unexamined };
}
