/** Judges bodies by an OpenAPI document, with Ajv: schemas of its components, as they stand. */
import { createHash } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

interface Content {
  readonly schema: Json
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export interface DescribedBody {
  readonly content?: Readonly<Record<string, Content>>
}

export interface DescribedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Json
}

export interface DescribedOperation {
  readonly operationId: string
  readonly description?: string
  readonly parameters: readonly DescribedParameter[]
  readonly requestBody?: DescribedBody & { readonly required: boolean }
  readonly responses: Readonly<Record<string, DescribedBody>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: Json
}

export interface DocumentValidator {
  /** What is wrong with a body, as a sentence; undefined when nothing is. */
  readonly bodyProblem: (schema: Json, body: unknown) => string | undefined
  /** The part of the document that a reference names, or the part itself. */
  readonly resolved: <Part extends object>(part: Part) => Part
  /** The problems of all examples of the document, each with its place. */
  readonly exampleProblems: () => readonly string[]
  /** Every operation with its method and path, its references resolved. */
  readonly operations: readonly (DescribedOperation & {
    readonly method: string
    readonly path: string
  })[]
}

/** Schemas that refuse what they do not name, where they do not say otherwise. */
const closed = (part: unknown): unknown =>
  JSON.parse(
    JSON.stringify(part, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'properties' in value
        ? { additionalProperties: false, ...value }
        : value,
    ),
  )

const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } })
// The types of this CommonJS module name its default export twice.
const addFormats = formats as unknown as (to: Ajv2020) => void
addFormats(ajv)

/** By their text: documents of roles and dialects have most schemas in common, which are compiled once. */
const compiledTexts = new Map<string, ValidateFunction>()
const addedIds = new Set<string>()

const references = /"\$ref":"(#\/[^"]+)"/g

/** Names the schemas of a document by their text and that of all they refer to. */
function addressing(textAt: (reference: string) => string): (schema: Json) => string {
  const ids = new Map<string, string>()

  function idOf(reference: string): string {
    const known = ids.get(reference)
    if (known !== undefined) return known
    const closure = new Map<string, string>([[reference, textAt(reference)]])
    for (const text of closure.values())
      for (const [, next = ''] of text.matchAll(references))
        if (!closure.has(next)) closure.set(next, textAt(next))
    const id = createHash('sha256')
      .update(JSON.stringify([...closure]))
      .digest('hex')
    ids.set(reference, id)
    if (addedIds.has(id)) return id
    addedIds.add(id)
    ajv.addSchema({ ...(JSON.parse(addressed(textAt(reference))) as Json), $id: id })
    return id
  }

  const addressed = (text: string): string =>
    text.replaceAll(references, (_, reference: string) => `"$ref":"${idOf(reference)}"`)

  return (schema) => addressed(JSON.stringify(schema))
}

/** With `isClosed` a field that the document does not name is a problem. */
export function createDocumentValidator(
  given: OpenApiDocument,
  { isClosed = false } = {},
): DocumentValidator {
  const document = isClosed ? (closed(given) as OpenApiDocument) : given
  const bySchema = new Map<Json, ValidateFunction>()
  const addressedText = addressing((reference) => JSON.stringify(resolved({ $ref: reference })))

  function compiled(schema: Json): ValidateFunction {
    const text = addressedText(schema)
    const made = compiledTexts.get(text) ?? ajv.compile(JSON.parse(text) as Json)
    compiledTexts.set(text, made)
    bySchema.set(schema, made)
    return made
  }

  function resolved<Part extends object>(part: Part): Part {
    const reference = '$ref' in part && typeof part.$ref === 'string' ? part.$ref : undefined
    if (reference === undefined) return part
    let here: unknown = document
    for (const key of reference.replace('#/', '').split('/')) here = (here as Json)[key]
    return here as Part
  }

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method,
      path,
      parameters: operation.parameters.map(resolved),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, each]) => [status, resolved(each)]),
      ),
    })),
  )

  function bodyProblem(schema: Json, body: unknown): string | undefined {
    const validate = bySchema.get(schema) ?? compiled(schema)
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }

  const problemsOf = (place: string, { content = {} }: DescribedBody): readonly string[] =>
    Object.values(content).flatMap(({ schema, example, examples = {} }) =>
      [example, ...Object.values(examples).map(({ value }) => value)].flatMap((body) => {
        const problem = body === undefined ? undefined : bodyProblem(schema, body)
        return problem === undefined ? [] : [`${place}: ${problem}`]
      }),
    )

  return {
    resolved,
    operations,
    bodyProblem,
    exampleProblems: () =>
      operations.flatMap(({ operationId, requestBody = {}, responses }) => [
        ...problemsOf(`the request of ${operationId}`, requestBody),
        ...Object.entries(responses).flatMap(([status, response]) =>
          problemsOf(`${status} of ${operationId}`, response),
        ),
      ]),
  }
}
