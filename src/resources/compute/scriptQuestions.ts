import { at, type CacheView, type Draft, type Field, type Row } from '../resource.ts';

/** One question of a StackScript, answered when it is deployed: a user-defined field. */
export interface Question {
  name: string;
  label: string;
  example?: string;
  oneOf?: readonly string[];
  manyOf?: readonly string[];
  /** The answer where none is given; undefined where one must be. */
  default?: string;
}

/** The questions of a StackScript, from the API's answer, else from its script; undefined where both are missing. */
export function questionsOf(script: Row): readonly Question[] | undefined {
  const fields = script.user_defined_fields;
  if (Array.isArray(fields)) return fields.flatMap((field) => questionIn((name) => at(field, name)));
  return typeof script.script === 'string' ? questionsIn(script.script) : undefined;
}

const tag = /<UDF\s+((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const attribute = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The `<UDF name="…" label="…" …>` tags of a script, in their order. */
const questionsIn = (script: string): readonly Question[] =>
  [...script.matchAll(tag)].flatMap(([, inner = '']) => {
    const pairs = [...inner.matchAll(attribute)].map(
      ([, name = '', double, single]) => [name.toLowerCase(), double ?? single] as const,
    );
    const attributes = new Map(pairs);
    return questionIn((name) => attributes.get(name.toLowerCase()));
  });

function questionIn(read: (name: string) => unknown): readonly Question[] {
  const text = (name: string) => {
    const value = read(name);
    return typeof value === 'string' ? value : undefined;
  };
  const options = (name: string) => {
    const words = (text(name) ?? '').split(',').map((word) => word.trim());
    return words.some(Boolean) ? words.filter(Boolean) : undefined;
  };
  const name = text('name');
  if (!name) return [];
  return [
    {
      name,
      label: text('label') || name,
      example: text('example') || undefined,
      oneOf: options('oneOf'),
      manyOf: options('manyOf'),
      default: text('default'),
    },
  ];
}

/** The names of questions whose answers are masked. */
const secretName = /pass|secret|token|(api|private|access)_?key/i;

/** The questions of the StackScript that a draft deploys, as fields; undefined where it is not loaded. */
export function questionFields({ stackscript_id: id }: Draft, view: CacheView): Record<string, Field> | undefined {
  const script = id ? view.row('stackscripts', id) : undefined;
  const questions = script && questionsOf(script);
  // A name with other characters would be taken for a path into the body.
  if (!questions?.every(({ name }) => /^[A-Za-z_]\w*$/.test(name))) return undefined;
  return Object.fromEntries(questions.map((question) => [question.name, fieldFor(question)]));
}

function fieldFor({ name, label, example, oneOf, manyOf, default: fallback }: Question): Field {
  const options = manyOf ?? oneOf;
  const kind = manyOf ? 'choices' : oneOf ? 'choice' : secretName.test(name) ? 'secret' : 'text';
  const help = [label.length > 20 ? label : '', example ? `For example ${example}` : ''].filter(Boolean).join('. ');
  return {
    label,
    kind,
    ...(options && { options }),
    ...(fallback !== undefined && fallback !== '' && { fallback }),
    ...(help !== '' && { help: `${help}.` }),
    needed: fallback === undefined,
    section: 'StackScript',
  };
}

/** A body with the answers to a StackScript's questions as the API takes them: several choices with commas between. */
export function withAnswers(body: Row): Row {
  const answers = body.stackscript_data;
  if (answers === null || typeof answers !== 'object') return body;
  const written = Object.entries(answers).map(
    ([name, answer]) => [name, Array.isArray(answer) ? answer.join(',') : answer] as const,
  );
  return { ...body, stackscript_data: Object.fromEntries(written.filter(([, answer]) => answer !== '')) };
}

/** Whether a StackScript is compatible with an image, as far as both are known. */
export function isMadeFor(script: Row | undefined, imageId: unknown): boolean {
  const images = script?.images;
  if (!Array.isArray(images) || !imageId) return true;
  return images.includes(imageId) || images.includes('any/all');
}
