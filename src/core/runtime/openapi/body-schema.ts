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
import { translatedSchema, translationsOf } from './translated-schema.ts'

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
