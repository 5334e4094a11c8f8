import { setTimeout as pause } from 'node:timers/promises';
import type { UserView } from '../store/views/userViews.ts';
import { capabilitiesOf } from '../terminal/capabilities.ts';
import { timerDelay } from '../text/times.ts';
import type { PrintContext, SnapshotDocument } from './document.ts';
import type { CommandRun } from './settings.ts';

/** A run that takes a snapshot. */
export interface SnapshotRun extends CommandRun {
  /** Given each snapshot that is taken again and again, which ends by a signal alone. */
  onTaken: (taken: Snapshot) => Promise<unknown>;
}

/** A snapshot that is written. */
export interface Snapshot extends SnapshotDocument {
  text: string;
}

/** Takes a snapshot once; with `--watch` again after each so many seconds, of which those that it takes are a part. */
export async function repeated({ invocation, onTaken }: SnapshotRun, take: () => Promise<Snapshot>): Promise<Snapshot> {
  const { watch } = invocation.options;
  for (;;) {
    const begun = performance.now();
    const taken = await take();
    if (watch === undefined) return taken;
    await onTaken(taken);
    await pause(timerDelay(watch * 1000 - (performance.now() - begun)));
  }
}

/** Writes a snapshot. */
export async function written(
  document: SnapshotDocument,
  { invocation: { format, list, options }, view }: Pick<SnapshotRun, 'invocation'> & { view: UserView | undefined },
  context: PrintContext,
): Promise<Snapshot> {
  const { jsonOf, printDocument } = await import('./document.ts');
  const { shownDocument } = await import('./accounts/mergedSnapshot.ts');
  const shown = shownDocument(document, view, list, context.now);
  const text = options.watch === undefined ? printDocument(shown, format, context) : jsonOf(shown, context);
  return { ...shown, text };
}

/** The time, signs and width by which a document is printed to this output; the width is in cells, and undefined where there is no terminal. */
export function contextOf(ascii: boolean | undefined, { env, stdout }: NodeJS.Process): PrintContext {
  const { glyphs, columns } = capabilitiesOf(env, stdout);
  return { now: Date.now(), glyphs: ascii ? 'ascii' : glyphs, width: columns };
}
