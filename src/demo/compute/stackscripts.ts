import { memoizeAll } from '../../resources/memoize.ts';
import { at, type Row } from '../../resources/resource.ts';
import { type Cloud, perCloud } from '../engine/cloud.ts';
import { badRequest, type FieldError, forbidden, invalid } from '../engine/errors.ts';
import { entityOf } from '../engine/eventLog.ts';
import { assignFields, type Call, collection, logEvent, userIn, visibleTo } from '../engine/handler.ts';
import { imagesOf } from '../inventory.ts';
import { ownScript, type StackScript, scriptsOf, seedScript } from './stackscripts.seed.ts';

/** The scripts that were written since, by the id of their StackScript. */
const textsOf = perCloud(() => new Map<number, string>());

const scriptText = (cloud: Cloud, one: StackScript): string => textsOf(cloud).get(one.id) ?? seedScript(one);

function shown(one: StackScript, cloud: Cloud): Row {
  const script = scriptText(cloud, one);
  return { ...one, script, user_defined_fields: fieldsIn(script) };
}

const { list, handlers } = collection<StackScript>('stackscripts', {
  rows: (cloud, call) => visibleTo(call, scriptsOf(cloud)),
  filters: ['description', 'is_public', 'label', 'rev_note', 'deployments_total', 'mine'],
  shown,
  // Only private StackScripts can be deleted (document 2, 4.5).
  remove: (one, call, cloud) => {
    needOwn(one);
    if (one.is_public) throw badRequest('A public StackScript cannot be deleted.');
    textsOf(cloud).delete(one.id);
    logChange(call, cloud, one, 'delete');
  },
  onRow: { edit },
});

function needOwn({ mine }: StackScript): void {
  if (!mine) throw forbidden();
}

const logChange = (call: Call, cloud: Cloud, one: StackScript, change: string) =>
  logEvent(call, cloud, `stackscript_${change}`, entityOf('stackscripts', 'stackscript', one));

function checkImages(cloud: Cloud, images: unknown): void {
  if (!Array.isArray(images)) return;
  if (images.length === 0) throw invalid('images', 'images must name at least one image');
  const unknown = images.find((id) => !imagesOf(cloud).get(String(id))?.is_public);
  if (unknown !== undefined) throw invalid('images', `${unknown} is not valid`);
}

function checkScript(script: unknown): void {
  if (typeof script === 'string' && !script.startsWith('#!'))
    throw invalid('script', 'The script must begin with a shebang (#!)');
}

function create(call: Call, cloud: Cloud): Row {
  const { body } = call;
  checkImages(cloud, body.images);
  checkScript(body.script);
  const own = { label: String(body.label), images: body.images as string[], is_public: body.is_public === true };
  const one = ownScript({ ...cloud.newRow(), ...own, username: userIn(call).name });
  assignFields(one, body, 'description', 'rev_note');
  scriptsOf(cloud).set(one.id, one);
  textsOf(cloud).set(one.id, String(body.script));
  logChange(call, cloud, one, 'create');
  return shown(one, cloud);
}

/** StackScript Update; what is public cannot be made private again (document 2, 4.5). */
function edit(one: StackScript, call: Call, cloud: Cloud): Row {
  needOwn(one);
  const { images, is_public, script } = call.body;
  if (is_public !== undefined && typeof is_public !== 'boolean') throw invalid('is_public', 'Must be of type Boolean');
  if (one.is_public && is_public === false) throw invalid('is_public', 'A public StackScript cannot be made private');
  checkImages(cloud, images);
  checkScript(script);
  const published = is_public === true && !one.is_public;
  assignFields(one, call.body, 'label', 'description', 'rev_note');
  if (Array.isArray(images)) one.images = images.map(String);
  if (published) one.is_public = true;
  const revised = typeof script === 'string' && script !== scriptText(cloud, one);
  if (revised) textsOf(cloud).set(one.id, script);
  one.updated = cloud.timestamp;
  logChange(call, cloud, one, published ? 'publicize' : revised ? 'revise' : 'update');
  return shown(one, cloud);
}

/** Complaints about the StackScript that a body deploys on an image (document 2, 4.2 and 4.3). */
export function scriptComplaints(
  { stackscript_id: id, stackscript_data: data }: Row,
  image: string | null,
  cloud: Cloud,
): readonly FieldError[] {
  if (typeof id !== 'number') return [];
  if (!image) return [{ field: 'image', reason: 'image is required to deploy a StackScript' }];
  const one = scriptsOf(cloud).get(id);
  if (!one) return [{ field: 'stackscript_id', reason: 'stackscript_id is not valid' }];
  if (!one.images.includes(image))
    return [{ field: 'image', reason: `The StackScript can be deployed with ${one.images.join(', ')} only` }];
  return answerComplaints(scriptText(cloud, one), data);
}

/** Counts one more server that a StackScript has set up. */
export function noteDeployment({ stackscript_id: id }: Row, cloud: Cloud): void {
  const one = typeof id === 'number' ? scriptsOf(cloud).get(id) : undefined;
  if (!one) return;
  one.deployments_total += 1;
  one.deployments_active += 1;
}

/** StackScripts (document 2, 4.5): without a token only the public ones. */
export const stackscripts = handlers({ list: { optional: true, handler: list }, create });

/** A user-defined field of a StackScript as the API answers it: what is not said is left out. */
type ScriptField = { readonly [attribute: string]: string };

/** The attributes of a `<UDF …>` tag that make a field. */
const attributes = ['label', 'name', 'example', 'oneOf', 'manyOf', 'default'];

/** The `<UDF …>` tags of a script as fields. Each list of scripts has those of all of them. */
const fieldsIn = memoizeAll((script: string): readonly ScriptField[] =>
  [...script.matchAll(/<udf\s([^>]*)>/gi)].flatMap(([, inside = '']) => {
    const found = [...inside.matchAll(/(\w+)="([^"]*)"/g)].flatMap(([, key = '', value = '']) => {
      const name = attributes.find((one) => one.toLowerCase() === key.toLowerCase());
      return name ? [[name, value] as const] : [];
    });
    const field = Object.fromEntries(found);
    return field.name ? [field] : [];
  }),
);

/** Complaints about the answers to the fields of a script (document 2, 4.2). */
const answerComplaints = (script: string, data: unknown): readonly FieldError[] =>
  fieldsIn(script).flatMap((field) => {
    const wrong = wrongAnswer(field, at(data, field.name ?? ''));
    return wrong ? [{ field: `stackscript_data.${field.name}`, reason: wrong }] : [];
  });

function wrongAnswer(field: ScriptField, answer: unknown): string | undefined {
  if (answer === undefined || answer === null || answer === '')
    return field.default === undefined ? `${field.name} is required` : undefined;
  if (typeof answer !== 'string') return 'Must be of type String';
  const allowed = (field.oneOf ?? field.manyOf)?.split(',');
  if (!allowed) return undefined;
  const given = field.manyOf ? answer.split(',') : [answer];
  return given.every((one) => allowed.includes(one)) ? undefined : `Must be one of ${allowed.join(', ')}`;
}
