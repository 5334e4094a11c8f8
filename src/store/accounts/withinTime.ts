import { timerDelay } from '../../text/times.ts';

/** An account that has not answered until then is not waited for. */
const answerMs = 10_000;

/** The reason of a refusal, or that there was no answer in time; undefined where the account is not refused. */
export function withinTime(refusal: Promise<string | undefined>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const late = () => resolve(`There was no answer within ${answerMs / 1000} seconds.`);
    const timer = setTimeout(late, timerDelay(answerMs));
    refusal.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
