import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { redaction } from '../../api/redact.ts';
import { parseJson } from '../../api/responseText.ts';
import { putAt } from '../../resources/body.ts';
import { at, emptyView, type Field, isRow } from '../../resources/resource.ts';
import { verdictOf } from '../../resources/verdict.ts';
import { isInDoubt, type PlanStep, wasAnswered } from '../../store/plans/plan.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import { fieldAt, leavesOfStep } from '../../store/plans/stepFields.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { clean } from '../../text/cells.ts';
import { reasonOf } from '../../text/errno.ts';
import { counted, listed } from '../../text/words.ts';
import type { SecretSource } from '../commandLine/values.ts';
import { readNamed } from '../privateFile.ts';
import { UsageError } from '../rules.ts';

/** A secret of a step that was left out of its file. */
export interface NeededSecret extends Pick<SecretSource, 'step' | 'name'> {
  field: Field;
}

/** Texts of secrets by `STEP.FIELD`; they are in the memory of this process alone. */
export type GivenSecrets = ReadonlyMap<string, string>;

const keyOf = ({ step, name }: Pick<NeededSecret, 'step' | 'name'>): string => `${step}.${name}`;

/** The secrets that were left out of these steps; one that was answered is not sent again. */
export const neededSecrets = (steps: readonly PlanStep[]): readonly NeededSecret[] =>
  steps.flatMap((step) => {
    const change = sketchOf(step);
    if ('why' in change || wasAnswered(step)) return [];
    return leavesOfStep(change).flatMap(([name]) => {
      const field = fieldAt(change, name);
      return field && at(change.body, name) === redaction ? [{ step: step.id, name, field }] : [];
    });
  });

/** Whether a secret can be typed: one of several lines is not. */
export const isTypable = ({ field: { kind } }: NeededSecret): boolean => kind === 'secret' || kind === 'text';

/** The rule that a secret breaks, as a sentence, which does not quote it. */
const wrongWith = ({ field }: NeededSecret, text: string): string | undefined =>
  verdictOf(field, true, text, {}, emptyView);

/** Why a step is refused for its secrets, as a sentence: one was not given and is not asked for, or breaks a rule. */
export function whyRefused(step: PlanStep, given: GivenSecrets, asked: readonly NeededSecret[]): string | undefined {
  for (const secret of neededSecrets([step])) {
    const text = given.get(keyOf(secret));
    const isAsked = asked.some((one) => keyOf(one) === keyOf(secret));
    // One that may be done is looked for without its secret.
    const isNeeded = !isAsked && !isInDoubt(step);
    const wrong = text === undefined ? isNeeded && missingText(secret) : wrongWith(secret, text);
    if (wrong) return wrong;
  }
  return undefined;
}

function missingText(secret: NeededSecret): string {
  const where = isTypable(secret) ? ', or at a terminal, where it is asked for' : '';
  return `Its ${secret.field.label} is a secret, which no file keeps: give it by --secret ${keyOf(secret)}=env:NAME (or file:FILE, fd:N)${where}.`;
}

/**
 * Reads the secrets that options name. A variable is taken out of the environment, so that no child has it.
 * Throws a UsageError, which never contains a secret.
 */
export function readSecrets(
  sources: readonly SecretSource[],
  steps: readonly PlanStep[],
  env: Environment,
): GivenSecrets {
  const needed = neededSecrets(steps);
  const given = new Map<string, string>();
  for (const source of sources) {
    const wrong = (says: string) => new UsageError(`--secret ${keyOf(source)}: ${says}`);
    const names = needed.filter(({ step }) => step === source.step).map(({ name }) => name);
    if (!steps.some(({ id }) => id === source.step)) throw wrong(`the plan has no step ${source.step}.`);
    if (!names.includes(source.name)) {
      const has = names.length > 0 ? `it has ${listed(names, names.length)}` : 'it needs none';
      throw wrong(`step ${source.step} has no such secret to be given; ${has}.`);
    }
    const read = readFrom(source, env);
    if ('why' in read) throw wrong(read.why);
    given.set(keyOf(source), read.text);
  }
  for (const { from, of } of sources) if (from === 'env') Reflect.deleteProperty(env, of);
  return given;
}

function readFrom({ from, of }: SecretSource, env: Environment): { text: string } | { why: string } {
  const what = { env: `the variable ${of}`, file: `the file ${of}`, fd: `the descriptor ${of}` }[from];
  if (from === 'fd' && isatty(Number(of))) return { why: `${what} is a terminal, which would show it.` };
  let text = from === 'env' ? env[of] : undefined;
  if (from === 'env' && text === undefined) return { why: `${what} is not set.` };
  try {
    if (from === 'file') text = readNamed(of, { called: 'the file', isSecret: true });
    if (from === 'fd') text = readFileSync(Number(of), 'utf8');
  } catch (error) {
    return { why: error instanceof UsageError ? error.message : `${what} cannot be read: ${reasonOf(error)}.` };
  }
  // Files and commands end their last line.
  const own = from === 'env' ? text : text?.replace(/\r?\n$/, '');
  return own ? { text: own } : { why: `${what} is empty.` };
}

/** Steps with the secrets that were given in their places. Throws a UsageError for one that is no JSON where that is needed. */
export function withSecrets(steps: readonly PlanStep[], given: GivenSecrets): readonly PlanStep[] {
  const needed = neededSecrets(steps);
  return steps.map((step) => {
    const own = needed.filter((one) => one.step === step.id && given.has(keyOf(one)));
    return own.reduce((filled, secret) => withSecret(filled, secret, sentOf(secret, given.get(keyOf(secret)))), step);
  });
}

function sentOf(secret: NeededSecret, text = ''): unknown {
  if (secret.field.kind !== 'json') return text;
  const value = parseJson(text);
  // The message of a parser would quote it.
  if (!isRow(value)) throw new UsageError(`--secret ${keyOf(secret)}: it must be a JSON object.`);
  return value;
}

function withSecret(step: PlanStep, { name }: NeededSecret, value: unknown): PlanStep {
  const { record } = step;
  const { changes, body } = record;
  if (changes)
    return { ...step, record: { ...record, changes: { ...changes, set: { ...changes.set, [name]: value } } } };
  const filled = structuredClone(body as Record<string, unknown>);
  putAt(filled, name.split('.'), value);
  return { ...step, record: { ...record, body: filled } };
}

/**
 * Has secrets typed, each twice and without showing it, until they obey their rules. Resolves with undefined where one was not.
 * @param titleOf names a step
 */
export async function typedSecrets(
  host: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  needed: readonly NeededSecret[],
  titleOf: (step: number) => string,
): Promise<GivenSecrets | typeof interrupted | undefined> {
  const typed = new Map<string, string>();
  if (needed.length === 0) return typed;
  const asking = askingAt(host, true);
  try {
    for (const secret of needed) {
      const { step, field } = secret;
      const prompt = clean(`${field.label} of step ${step}, ${titleOf(step)}`, Number.POSITIVE_INFINITY);
      while (!typed.has(keyOf(secret))) {
        const text = await asking.ask(`${prompt}: `);
        if (typeof text !== 'string') return text;
        if (text === '') return undefined;
        const wrong = wrongWith(secret, text);
        const again = wrong === undefined ? await asking.ask('The same again: ') : text;
        if (typeof again !== 'string') return again;
        if (wrong === undefined && again === text) typed.set(keyOf(secret), text);
        else host.stderr.write(`${wrong ?? 'The two differ.'}\n`);
      }
    }
    return typed;
  } finally {
    asking.close();
  }
}

/** Has the number of steps typed, or given by an option. Throws a UsageError where nobody can be asked. */
export async function confirmed(
  host: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  steps: number,
  confirm: number | undefined,
): Promise<boolean | typeof interrupted> {
  if (confirm !== undefined) {
    if (confirm === steps) return true;
    throw new UsageError(
      `--confirm ${confirm} is not the number of steps: the plan has ${counted(steps, 'step')} to carry out; nothing was sent.`,
    );
  }
  if (!host.stdin.isTTY) {
    throw new UsageError(
      `Nobody can be asked here, because standard input is no terminal; --confirm ${steps} carries out ${steps === 1 ? 'the step' : `all ${steps} steps`}. Nothing was sent.`,
    );
  }
  const asking = askingAt(host);
  const answer = await asking.ask(`Type ${steps} to carry out ${counted(steps, 'step')}: `);
  asking.close();
  return answer === interrupted ? answer : answer?.trim() === String(steps);
}

/** By ctrl-c. */
export const interrupted = Symbol('interrupted');

/**
 * Asks for lines at the terminal until it is closed; an answer is undefined where the input ends. What is typed ahead of a question answers it, also the part of a line.
 * @param isHidden what is typed is not shown, not between two questions either
 */
export function askingAt({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>, isHidden = false) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // A terminal shows nothing of what is read from it without the echo of this interface.
  const hidden = { output: nowhere, terminal: true, historySize: 0 };
  const asking = createInterface({ input: stdin, output: stderr, ...(isHidden && hidden) });
  const lines = asking[Symbol.asyncIterator]();
  const left = new Promise<typeof interrupted>((resolve) => asking.once('SIGINT', () => resolve(interrupted)));
  return {
    async ask(prompt: string): Promise<string | typeof interrupted | undefined> {
      if (isHidden) stderr.write(prompt);
      asking.setPrompt(isHidden ? '' : prompt);
      asking.prompt(true);
      const answer = await Promise.race([lines.next(), left]);
      if (isHidden || answer === interrupted) stderr.write('\n');
      return answer === interrupted ? interrupted : answer.value;
    },
    close: () => asking.close(),
  };
}
