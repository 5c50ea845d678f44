/**
 * Examples of bodies in OpenAPI documents: bodies of real exchanges of a session with a fixed seed, which
 * `npm run openapi-examples` writes to `examples.json`. One that the schemas of the dialect refuse is left out.
 */
import type { Role } from '../../protocol/role.ts'
import { type CatalogueRow, operations } from '../../protocol/catalogue.ts'
import { successAnswersOf } from '../../protocol/answers.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import type { LazySchema } from '../../protocol/operation.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { type BodyPart, bodyTranslator } from '../../protocol/translation/translator.ts'
import { isRefusedAsStrict } from './body-schema.ts'
import recorded from './examples.json' with { type: 'json' }

export interface OperationExample {
  readonly request?: unknown
  readonly response?: unknown
}

interface RecordedExample extends OperationExample {
  /** What the role that serves it says of itself. */
  readonly byHost?: Readonly<Partial<Record<Role, OperationExample>>>
}

/** By the id of the operation. */
const examples: Readonly<Record<string, RecordedExample>> = recorded

/** By the handler: an operation with two notations is called in one of them. */
const examplesByHandler = new Map(
  operations.flatMap(({ id, handler }) => {
    const example = examples[id]
    return example ? [[handler.name, example]] : []
  }),
)

const fitting = (body: unknown, schema: LazySchema | undefined): unknown =>
  body !== undefined && schema?.().safeParse(body).success === true ? body : undefined

/** The type of an event, wrapped or flat. */
function eventTypeOf(body: unknown): string | undefined {
  if (!isUnknownRecord(body)) return undefined
  const { event = body } = body
  const type = isUnknownRecord(event) ? event['eventType'] : undefined
  return typeof type === 'string' ? type : undefined
}

/** The example of an operation of this role. */
export function exampleOf(row: CatalogueRow, host: Role, conduct: Conduct): OperationExample {
  const found = examples[row.id] ?? examplesByHandler.get(row.handler.name) ?? {}
  const { request, response } = found.byHost?.[host] ?? found
  const answer = successAnswersOf(row, conduct).find((each) => each.response)
  const translator = bodyTranslator(conduct)
  const onWire = (part: BodyPart, body: unknown): unknown =>
    body === undefined ? body : (translator?.toWire(row.id, part, body) ?? body)
  /** Whether a request is one that we send and take: an event may have no word in the dialect. */
  const isSent = (body: unknown): boolean => {
    const type = eventTypeOf(body)
    const hasWord = type === undefined || translator?.hasWord(row.id, 'eventType', type) !== false
    return hasWord && !(body !== undefined && isRefusedAsStrict(row.id, body, conduct))
  }
  const asked = fitting(request, row.request)
  return {
    request: isSent(asked) ? onWire('request', asked) : undefined,
    response: onWire('reply', fitting(response, answer?.response)),
  }
}
