/**
 * Mistakes that the compiler finds in a description: names of fields, operations, columns and tabs that are none. Types
 * alone; nothing of it runs. A mistake is a sentence, so that the compiler's message says what is wrong.
 */

import type { ResourceName } from './names.ts';

/** The names that a type declares; none where it declares any text as a name. */
type NameOf<T> = keyof { [K in keyof T as string extends K ? never : K extends string ? K : never]: T[K] } & string;

/** The names of an object; any text where it was put together from parts that do not tell theirs. */
type KeyOf<T> = T extends object ? keyof T & string : never;

type Items<L> = L extends readonly (infer Item)[] ? Item : never;

/** The text at an optional property; never where there is none. */
type TextAt<T, K extends string> = T extends { readonly [P in K]: infer Text extends string } ? Text : never;

type PropertyOf<T, K extends string> = T extends { readonly [P in K]?: infer Value }
  ? Exclude<Value, undefined>
  : never;

/** Those of the texts that are not among the names; those that are known only as texts cannot be judged. */
type UnknownName<Text, Name extends string> = Text extends string
  ? string extends Text | Name
    ? never
    : Exclude<Text, Name>
  : never;

type ColumnOf<D> = Items<PropertyOf<D, 'columns'>>;
type OperationName<D> = KeyOf<PropertyOf<D, 'operations'>>;
type FieldName<D> = KeyOf<PropertyOf<D, 'fields'>>;
type TitleOf<D> = TextAt<ColumnOf<D>, 'title'>;
type TabTitle<D> = TextAt<Items<PropertyOf<D, 'tabs'>>, 'title'>;

/** The part of a path that a row does not have, with the way to it; never where the row's type says nothing of it. */
type PathMistake<T, Path extends string, Way extends string = ''> = [NameOf<T>] extends [never]
  ? never
  : string extends Path
    ? never
    : Path extends `${infer Head}.${infer Rest}`
      ? Head extends NameOf<T>
        ? PathMistake<NonNullable<T[Head & keyof T]>, Rest, `${Way}${Head}.`>
        : `the row has no ${Way}${Head}`
      : Path extends NameOf<T>
        ? never
        : `the row has no ${Way}${Path}`;

type ColumnMistake<T, D, C> = C extends { readonly title: infer Title extends string }
  ?
      | `column ${Title}: no operation is called ${UnknownName<TextAt<C, 'fetches'>, OperationName<D>>}`
      | `column ${Title}: ${PathMistake<T, TextAt<C, 'value'>>}`
      | (C extends { readonly format: 'status' }
          ? [C, D] extends
              | [{ readonly words: unknown } | { readonly value: FieldName<D> }, unknown]
              | [unknown, { readonly local: true }]
            ? never
            : `column ${Title}: words are all that a status can be`
          : never)
  : never;

type ActionMistake<D, A, Name extends string> =
  | `action ${Name}: no field is called ${UnknownName<
      FieldIn<Items<PropertyOf<A, 'body'>>>,
      FieldName<D> | KeyOf<PropertyOf<A, 'fields'>>
    >}`
  | `action ${Name}: ${FieldIn<RequiredWithFallback<D, A>>} is required, so it has no fallback`
  | `action ${Name}: no operation is called ${
      | UnknownName<TextAt<A, 'prefill'>, OperationName<D>>
      | UnknownName<Items<PropertyOf<A, 'uses'>>, UsableOperation<D>>}`;

/** An action on a row without what takes it back. An edit is taken back by the values that were there. */
type UnsaidMistake<A, Name extends string> = A extends { readonly inverse: unknown } | { readonly method: 'PUT' }
  ? never
  : `action ${Name}: inverse takes it back, or says why nothing does`;

/** An action whose rows do not stand behind its help. */
type OnMistake<A, Name extends string> = A extends { readonly on: unknown }
  ? never
  : TextAt<A, 'help'> extends `${string} ${infer Rest}`
    ? Rest extends 'down'
      ? never
      : `action ${Name}: on says where in its help the rows stand`
    : never;

/** The mistakes of one among several, which tells its own name. */
type NamedActionMistake<D, A, InCreation extends boolean> = A extends { readonly name: infer Name extends string }
  ? string extends Name
    ? never
    : ActionMistake<D, A, Name> | (InCreation extends true ? never : UnsaidMistake<A, Name> | OnMistake<A, Name>)
  : never;

/** The names by which a screen or dialog tells the operations that it sends. */
type UsableOperation<D> = OperationName<D> | ResourceName | `${ResourceName}.${string}`;

/** The description of a field: the action's own before the resource's. */
type DescriptionOf<D, A, Name extends string> =
  PropertyOf<PropertyOf<A, 'fields'>, Name> extends infer Own
    ? [Own] extends [never]
      ? PropertyOf<PropertyOf<D, 'fields'>, Name>
      : Own
    : never;

/** The required names in the body of an action whose fields say what the API takes where they are left out. */
type RequiredWithFallback<D, A, Name = Items<PropertyOf<A, 'body'>>> = Name extends `${infer Field}!`
  ? DescriptionOf<D, A, Field> extends { readonly fallback: string | number | boolean }
    ? Name
    : never
  : never;

/** A field's name in a body without the mark of a required one. */
type FieldIn<Name> = Name extends `${infer Field}!` ? Field : Name;

type TabMistake<D, Tab> = Tab extends { readonly title: infer Title extends string }
  ? `tab ${Title}: no operation is called ${UnknownName<
      TextAt<Tab, 'operation'> | TextAt<Tab, 'answer'> | Items<PropertyOf<Tab, 'uses'>>,
      'uses' extends keyof Tab ? UsableOperation<D> : OperationName<D>
    >}`
  : never;

type SectionMistake<D, Section> = Section extends { readonly title: infer Title extends string }
  ?
      | `section ${Title}: no operation is called ${UnknownName<TextAt<Section, 'operation'>, OperationName<D>>}`
      | `section ${Title}: no column is called ${UnknownName<Items<PropertyOf<Section, 'columns'>>, TitleOf<D>>}`
  : never;

type TopMistake<T, D> =
  | `id: ${PathMistake<T, TextAt<D, 'id'>>}`
  | `sort: no column is called ${UnknownName<TextAt<D, 'sort'>, TitleOf<D> | `-${TitleOf<D>}`>}`
  | `opensAt: no tab is called ${UnknownName<TextAt<D, 'opensAt'>, TabTitle<D>>}`;

/** Every mistake in the description `D` of rows `T`, as sentences; never where there is none. */
export type Mistakes<T, D> =
  | TopMistake<T, D>
  | ColumnMistake<T, D, ColumnOf<D> | Items<PropertyOf<D, 'card'>>>
  | ActionMistake<D, PropertyOf<D, 'create'>, 'create'>
  | ActionMistake<D, PropertyOf<D, 'edit'>, 'edit'>
  | ActionMistake<D, PropertyOf<D, 'remove'>, 'remove'>
  | UnsaidMistake<PropertyOf<D, 'remove'>, 'remove'>
  | NamedActionMistake<D, Items<PropertyOf<D, 'actions'>>, false>
  | NamedActionMistake<D, Items<PropertyOf<D, 'creates'>>, true>
  | TabMistake<D, Items<PropertyOf<D, 'tabs'>>>
  | SectionMistake<D, Items<PropertyOf<D, 'sections'>>>;

/** The description where there is no mistake, and otherwise the mistakes, which nothing takes for one. */
export type Checked<Mistake, Description> = [Mistake] extends [never]
  ? Description
  : Mistake extends string
    ? { readonly mistake: Mistake }
    : never;
