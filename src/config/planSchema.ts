import * as v from 'valibot';
import { isRow } from '../resources/row.ts';
import { typedSeconds } from '../text/times.ts';
import { described, must, numberFrom, optional, strict, text, wholeFrom } from './values.ts';

/** The version of plan files that this program writes. */
export const planVersion = 2;

/** The versions that it reads: in the first, steps have no `uid`. */
export const planVersions: readonly unknown[] = [1, planVersion];

/** The most steps of a plan, and the greatest size of its file in bytes. */
const maxSteps = 1000;
export const maxPlanBytes = 8 * 1024 * 1024;

const stepId = wholeFrom(1, 1_000_000);

/** A path of a row, without names that objects of the language have for themselves. */
export const fieldPath = /^(?!(?:.*\.)?(?:__proto__|constructor|prototype)(?:\.|$))[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** A value of a row that an earlier step makes: its id, or another of its fields. */
const referenceSchema = strict(
  {
    $step: described(stepId, 'The id of an earlier step that makes a row.'),
    field: optional(
      v.pipe(text, v.regex(fieldPath, must('a path like "ipv4.0"'))),
      'A path of that row, such as `ipv4.0`; its id by default.',
    ),
  },
  'an object like { "$step": 1 }',
);

const anyObject = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(isRow, must('an object')),
  v.metadata({ type: 'object' }),
);

const recordEntries = {
  resource: described(text, 'The kind of the row: `servers`, `records`.'),
  action: described(text, 'The action on it: `create`, `edit`, `resize`, `delete`.'),
  params: described(
    v.record(
      v.string(),
      v.union([text, referenceSchema], must('a text, or an object like { "$step": 1 }')),
      must('an object like { "volumeId": "12" }'),
    ),
    'The parameters of its path, which name the row, or the list in which one is made.',
  ),
  label: described(v.string(must('a text')), 'Names the row for readers.'),
  body: optional(
    anyObject,
    'What is sent, in the words of the API\'s documents. `{ "$step": 1 }` anywhere in it is the id of the row that the step 1 makes; `[redacted]` stands for a secret.',
  ),
  before: optional(
    anyObject,
    'What it touches, as it was when the step was planned. Where somebody has changed that since, the step is refused.',
  ),
};

const entriesRule = 'an object like { "tags": ["web"] }';

const entries = (says: string) =>
  optional(
    v.record(v.string(), v.pipe(v.array(v.unknown(), must('a list')), v.nonEmpty('has nothing')), must(entriesRule)),
    says,
  );

const changes = strict(
  {
    set: optional(anyObject, 'Values by the dotted paths of their fields, as they are sent; null takes one away.'),
    add: entries('What is put into lists.'),
    remove: entries('What is taken out of lists.'),
  },
  'an object with set, add or remove',
);

const recordRule = 'an object with resource, action, params and label';

const firstRecord = strict(recordEntries, recordRule);

const record = strict(
  {
    ...recordEntries,
    names: optional(
      v.record(v.string(), text, must('an object like { "servers/12": "web-1" }')),
      'The labels of the rows that it names besides its own, by resource and ids: where the row lies, and those that are referred to. Where the API calls one otherwise, the step is refused.',
    ),
    price: optional(
      strict({ before: v.number(), after: v.number() }, 'an object with before and after'),
      'The price of the row before and after it, in US dollars a month, when it was planned; for readers alone.',
    ),
    holds: optional(
      v.record(v.string(), v.array(text, must('a list of ids')), must('an object like { "records": ["12"] }')),
      'Of a deletion, the ids of the rows that went along with it when it was planned, by their resources. Where there are others by then, the step is refused.',
    ),
    changes: optional(
      changes,
      "Of an edit, in place of a body: the parts of the row that it touches, in the words of the API's documents. The body is worked out on the row as it is when the turn of the step comes, so that all else stays as others have made it.",
    ),
  },
  recordRule,
);

const isBetween = (seconds: number | undefined): boolean => seconds !== undefined && seconds >= 1 && seconds <= 86_400;

const uidRule = '4–64 letters, digits and dashes';

const withinRule = 'a span like "10m", from 1s to 24h';

const wait = strict(
  {
    for: optional(
      v.array(text, must('a list like ["running", "nodes up"]')),
      'Besides the end of its job: the status that its row has then, and `nodes up` for the NodeBalancer nodes that its row serves and that were up before.',
    ),
    within: v.pipe(
      text,
      v.check((span) => isBetween(typedSeconds(span)), must(withinRule)),
      v.description(`The longest time that it is waited for, ${withinRule}. Then nothing further is sent.`),
    ),
    meanwhile: optional(
      wholeFrom(0, maxSteps),
      'So many of the steps behind it may be sent meanwhile; none by default.',
    ),
    atATime: optional(
      wholeFrom(1, maxSteps),
      'None of those is sent while so many go that have not come to their ends.',
    ),
  },
  'an object like { "for": ["running"], "within": "10m" }',
);

const uid = v.pipe(text, v.regex(/^[0-9A-Za-z-]{4,64}$/, must(uidRule)));

const stepEntries = {
  id: described(stepId, 'Its own number, by which other steps refer to it.'),
  uid: described(
    uid,
    `Its identity, ${uidRule}, made at random when it was planned: what became of the step is known by it, so a copy of the step needs another.`,
  ),
  record: described(record, 'The change.'),
  wait: optional(
    wait,
    'What is waited for once it was answered, before the next step is sent: the end of its job, and more. Without it the next is sent once it was answered.',
  ),
  after: optional(
    uid,
    'The uid of a step before it: it goes once that one has ended, and those behind it need not wait for it.',
  ),
};

const firstStepEntries = { id: stepEntries.id, record: described(firstRecord, 'The change.') };

const steps = `a list of at most ${maxSteps} steps`;

const planOf = <S extends v.GenericSchema>(version: number, step: S) =>
  strict(
    {
      $schema: optional(text, 'For editors; it has no meaning.'),
      version: described(numberFrom(version, version, `the number ${version}`), 'The version of this format.'),
      madeAt: v.pipe(
        text,
        v.isoTimestamp(must('a time like "2026-11-23T18:04:00.000Z"')),
        v.description('When it was saved.'),
      ),
      program: described(text, 'The version of Skydeck that saved it.'),
      host: described(text, 'The host of the API that it is for, with its port where it has one.'),
      euuid: optional(text, 'The account that it is for, where that is known.'),
      profile: optional(
        text,
        'The profile with which it was made; where its account is not known, no other profile takes it.',
      ),
      steps: v.pipe(
        v.array(step, must(steps)),
        v.nonEmpty('has no steps'),
        v.maxLength(maxSteps, ({ input }) => `must be ${steps}; it has ${input.length}`),
        v.description('The changes, in the order in which they are carried out.'),
      ),
    },
    'a plan, an object with version, host and steps',
  );

/** A plan file as it is written. */
export const planSchema = planOf(
  planVersion,
  strict(stepEntries, 'an object like { "id": 1, "uid": "5f3a9c02e17b", "record": { … } }'),
);

/** A plan file of the first version. */
export const firstPlanSchema = planOf(1, strict(firstStepEntries, 'an object like { "id": 1, "record": { … } }'));

/** A checked plan file. */
export type PlanFile = v.InferOutput<typeof planSchema>;
export type PlanFileStep = PlanFile['steps'][number];

/** A plan of the first version as one of this version: its steps get identities that are the same at each reading. */
export const fromFirstVersion = (file: v.InferOutput<typeof firstPlanSchema>): PlanFile => ({
  ...file,
  version: planVersion,
  steps: file.steps.map((one) => ({ ...one, uid: derivedUid(file, one.id) })),
});

/** The identity of a step that has none of its own, by when its plan was made, for which host, and its number. */
const derivedUid = ({ madeAt, host }: Pick<PlanFile, 'madeAt' | 'host'>, id: number): string =>
  `${Date.parse(madeAt).toString(36)}-${host.replace(/[^0-9A-Za-z]/g, '-').slice(0, 40)}-${id}`;
