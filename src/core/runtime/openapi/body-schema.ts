/** The schema of a body of an operation as the dialect has it on the wire: a component. */
import type { z } from 'zod'
import type { Conduct } from '../../protocol/conduct.ts'
import {
  requirementsInConduct,
  unmetRequirements,
} from '../../protocol/partner-requirements/catalogue.ts'
import type { BodyPart } from '../../protocol/translation/translator.ts'
import type { SchemaComponents } from './components.ts'
import { capitalised, type Json } from './json.ts'
import { strictSchema } from './strict-schema.ts'
import { type BodyPath, commonLength, parseBodyPath } from '../../protocol/translation/body-path.ts'
import type { BodyTranslation, WireWord } from '../../protocol/translation/settings.ts'
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

// The schema of a body in a dialect whose bodies differ on the wire (`conduct.translations`): the
// same steps as the translator's, on the schema in place of the body.

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
  { words, absent, assumed, lift, copy, byWord, fields, added }: BodyTranslation,
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
  const withMember = (theirs: string, value: Json): SchemaEdit => {
    const property = { value, isRequired: false }
    return (schema) => withProperty(schema, parseBodyPath(theirs), property, deref)
  }
  return [
    ...Object.entries(words).map(
      ([path, table]): SchemaEdit =>
        (schema) =>
          editAt(schema, parseBodyPath(path), wordsInSchema(table), deref),
    ),
    ...absent.map((path) => atParent(path, withoutProperty)),
    ...Object.keys(assumed).map((path) => atParent(path, optionally)),
    ...Object.keys(lift).map((path): SchemaEdit => (schema) => {
      const whole = parseBodyPath(path)
      const lifted = (parent: Json): Json =>
        takeProperty(parent, whole.slice(-1), deref).found?.value ?? parent
      return editAt(schema, whole.slice(0, -1), lifted, deref)
    }),
    ...Object.entries(fields).map(([ours, theirs]) =>
      move(parseBodyPath(ours), parseBodyPath(theirs)),
    ),
    ...Object.entries(added).map(([path, value]) => withMember(path, schemaOfValue(value))),
    ...Object.keys(copy).map((path) => withMember(path, {})),
    ...Object.entries(byWord).map(([path, { words: table }]) =>
      withMember(path, { type: 'string', enum: [...new Set(Object.values(table))] }),
    ),
  ]
}

/** The translations of a body of an operation. */
const translationsOf = (
  translations: Readonly<Record<string, BodyTranslation>>,
  operation: string,
  part: BodyPart,
): readonly BodyTranslation[] =>
  Object.values(translations).filter(
    ({ operations, of }) => operations.includes(operation) && (of === 'both' || of === part),
  )

/** The schema of a body after these translations. */
const translatedSchema = (
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

/** What a conduct refuses a request without. */
export const strictRequirements = (operation: string, conduct: Conduct) =>
  conduct.bodies === 'strict' ? requirementsInConduct(operation, conduct) : []

/** Whether a conduct refuses a body for what every partner requires of it, whatever the order. */
export const isRefusedAsStrict = (operation: string, body: unknown, conduct: Conduct): boolean =>
  conduct.bodies === 'strict' &&
  unmetRequirements(operation, { body, query: () => [], order: () => undefined }, conduct).some(
    ({ requirement }) => requirement.of === undefined,
  )

interface DescribedBody {
  readonly schema: z.ZodType
  readonly operation: string
  readonly part: BodyPart
}

export function bodySchema(
  { schema, operation, part }: DescribedBody,
  conduct: Conduct,
  { refer, derive }: SchemaComponents,
): Json {
  const name = `${capitalised(operation)}${part === 'request' ? 'Request' : 'Response'}`
  const own = translationsOf(conduct.translations, operation, part)
  const required = part === 'request' ? strictRequirements(operation, conduct) : []
  if (own.length === 0 && required.length === 0) return refer(schema, name)
  // Requirements are in the names of the documents.
  return derive(schema, name, (whole, deref) =>
    translatedSchema(strictSchema(whole, required, deref), own, deref),
  )
}
