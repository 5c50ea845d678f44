/** The schema of a body of an operation as the dialect has it on the wire: a component. */
import type { z } from 'zod'
import type { Conduct } from '../../protocol/conduct.ts'
import type { BodyPart } from '../../protocol/translation/translator.ts'
import type { SchemaComponents } from './components.ts'
import { capitalised, type Json } from './json.ts'
import { translatedSchema, translationsOf } from './translated-schema.ts'

interface DescribedBody {
  readonly schema: z.ZodType
  readonly operation: string
  readonly part: BodyPart
}

export function bodySchema(
  { schema, operation, part }: DescribedBody,
  { translations }: Pick<Conduct, 'translations'>,
  { refer, derive }: SchemaComponents,
): Json {
  const name = `${capitalised(operation)}${part === 'request' ? 'Request' : 'Response'}`
  const own = translationsOf(translations, operation, part)
  return own.length === 0
    ? refer(schema, name)
    : derive(schema, name, (whole, deref) => translatedSchema(whole, own, deref))
}
