/**
 * The schema of a body in a dialect whose bodies differ on the wire (`conduct.translations`): the same steps as the
 * translator's, on the schema in place of the body.
 */
import { type BodyPath, commonLength, parseBodyPath } from '../../protocol/translation/body-path.ts'
import type { BodyTranslation, WireWord } from '../../protocol/translation/settings.ts'
import type { BodyPart } from '../../protocol/translation/translator.ts'
import { wordsOf } from '../../protocol/translation/words.ts'
import {
  type Dereference,
  editAt,
  optionally,
  type SchemaEdit,
  takeProperty,
  withoutProperty,
  withProperty,
} from './edit-schema.ts'
import type { Json } from './json.ts'

/** The words of a field as the partner has them, beside those that are the same for both. */
const wordsInSchema =
  (words: Readonly<Record<string, WireWord>>): SchemaEdit =>
  (schema) => {
    const theirs = (values: readonly unknown[]): readonly unknown[] => [
      ...new Set(
        values.flatMap((value): readonly unknown[] => {
          const word = typeof value === 'string' ? words[value] : undefined
          return word === undefined ? [value] : wordsOf(word)
        }),
      ),
    ]
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) =>
        (key === 'enum' || key === 'x-extensible-enum') && Array.isArray(value)
          ? [key, theirs(value)]
          : [key, value],
      ),
    )
  }

/** The schema of a value that is written besides. */
function schemaOfValue(value: unknown): Json {
  if (Array.isArray(value)) return { type: 'array' }
  if (value === null) return {}
  return { type: typeof value === 'number' ? 'number' : typeof value }
}

function stepsOf(
  { words, absent, assumed, fields, added }: BodyTranslation,
  deref: Dereference,
): readonly SchemaEdit[] {
  const atParent =
    (path: string, edit: (parent: Json, name: string) => Json): SchemaEdit =>
    (schema) => {
      const whole = parseBodyPath(path)
      return editAt(schema, whole.slice(0, -1), (parent) => edit(parent, whole.at(-1) ?? ''), deref)
    }
  const move =
    (ours: BodyPath, theirs: BodyPath): SchemaEdit =>
    (schema) => {
      const shared = commonLength(ours, theirs)
      return editAt(
        schema,
        ours.slice(0, shared),
        (parent) => {
          const { found, left } = takeProperty(parent, ours.slice(shared), deref)
          return found ? withProperty(left, theirs.slice(shared), found, deref) : parent
        },
        deref,
      )
    }
  return [
    ...Object.entries(words).map(
      ([path, table]): SchemaEdit =>
        (schema) =>
          editAt(schema, parseBodyPath(path), wordsInSchema(table), deref),
    ),
    ...absent.map((path) => atParent(path, withoutProperty)),
    ...Object.keys(assumed).map((path) => atParent(path, optionally)),
    ...Object.entries(fields).map(([ours, theirs]) =>
      move(parseBodyPath(ours), parseBodyPath(theirs)),
    ),
    ...Object.entries(added).map(
      ([path, value]): SchemaEdit =>
        (schema) =>
          withProperty(
            schema,
            parseBodyPath(path),
            { value: schemaOfValue(value), isRequired: false },
            deref,
          ),
    ),
  ]
}

/** The translations of a body of an operation. */
export const translationsOf = (
  translations: Readonly<Record<string, BodyTranslation>>,
  operation: string,
  part: BodyPart,
): readonly BodyTranslation[] =>
  Object.values(translations).filter(
    ({ operations, of }) => operations.includes(operation) && (of === 'both' || of === part),
  )

/** The schema of a body after these translations. */
export const translatedSchema = (
  schema: Json,
  translations: readonly BodyTranslation[],
  deref: Dereference,
): Json =>
  translations.reduce(
    (whole, translation) =>
      translation.at.reduce(
        (changed, place) =>
          editAt(
            changed,
            parseBodyPath(place),
            (object) => stepsOf(translation, deref).reduce((each, step) => step(each), object),
            deref,
          ),
        whole,
      ),
    schema,
  )
