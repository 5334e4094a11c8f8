import { redactorOf, withoutTokens } from '../../api/redact.ts';
import { parseJson } from '../../api/responseText.ts';
import { isRow, isText } from '../../resources/row.ts';
import type { AccountState } from '../../store/kept/accountState.ts';
import type { Notice } from '../../store/notices.ts';
import { isTime } from '../../text/times.ts';
import { StateError } from './failures.ts';
import { openState } from './state.ts';

type Message = Pick<Notice, 'at' | 'tone' | 'text'> & { profile: string };

/** Of an account, the last so many are kept. */
const maxMessages = 200;

/**
 * Keeps each message of a session in the state of its account, for whoever looks into a defect.
 * @param safe a text without tokens, which the API may have sent back; the secret that names a row is taken out as well
 */
export function messageKeeper(account: AccountState, profile: string, safe: (text: string) => string) {
  let session: string | undefined;
  let keys: string[] | undefined;
  return ({ id, at, tone, text, about }: Notice): void => {
    const message: Message = { at, profile, tone, text: redactorOf(about?.params)(withoutTokens(safe(text))) };
    try {
      const values = account.of('message');
      // Node loads all of its cryptography for an identity, so a start without a message has none.
      session ??= crypto.randomUUID();
      keys ??= [...values.read().keys()];
      const surplus = keys.splice(0, Math.max(0, keys.length + 1 - maxMessages));
      const key = `${session} ${id}`;
      keys.push(key);
      values.put([[key, message], ...surplus.map((one) => [one, undefined] as const)]);
    } catch {
      // The views and acknowledgements, which are kept as well, say why.
    }
  };
}

/** The messages that are kept of a profile, or of all, the newest first; none where they cannot be read. */
export function keptMessages(directory: string, owner: number | undefined, profile?: string): readonly Message[] {
  const state = openState(directory, owner, Date.now, 'looks');
  try {
    const sql = `SELECT value FROM entry WHERE kind = 'message' ORDER BY id DESC LIMIT ?`;
    const values = (state.toRead()?.all(sql, 5 * maxMessages) ?? []).map(({ value }) => parseJson(String(value)));
    return values.filter(isMessage).filter((one) => one.profile === (profile ?? one.profile));
  } catch (error) {
    if (error instanceof StateError) return [];
    throw error;
  } finally {
    state.close();
  }
}

const isMessage = (value: unknown): value is Message =>
  isRow(value) && isTime(value.at) && [value.profile, value.tone, value.text].every(isText);
