/** A contract: an OpenAPI document as it judges the messages of one host. */
import { addExactFormats, withInt64Texts, withoutForeignNumbers } from './exact-numbers.ts'
import { fullRoleName, type Role, roles } from '../../protocol/role.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { recogniseOperation, urlPath } from '../../traffic/recognise-operation.ts'
import {
  type ContractOperation,
  contractOperationsOf,
  schemasOfOperation,
} from './contract-operations.ts'
import {
  type JsonSchema,
  type MessageDirection,
  type OpenApiVersion,
  SchemaNormaliser,
} from './normalise-schema.ts'
import {
  type ContractSource,
  type DocumentLocation,
  fileAndLine,
  locationKey,
  pointerOf,
} from './source.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { RedactedPlaces } from '../../traffic/redaction/redacted-places.ts'
import { certainErrors, type ErrorsOf } from './certain-errors.ts'
import { mismatchesOf, type OriginOf, type SchemaMismatch } from './mismatch.ts'
import { BoundedPattern, TimeLimitExceeded, withinTime } from '../../base/bounded-pattern.ts'

/** `text` is a value that was written as text, such as a parameter: it may stand for a number. */
type ValidatorUse = MessageDirection | 'text'

/** Validators of the schemas of one contract: each is compiled at its first use, and once. */
interface SchemaValidators {
  /**
   * The differences of a value from the schema at a location; none when it fits. Where values were redacted, only those that
   * hold whatever stood there.
   */
  readonly check: (
    use: ValidatorUse,
    location: DocumentLocation,
    value: unknown,
    traits?: ValueTraits,
  ) => readonly SchemaMismatch[]
  /** Compiles nothing; the first schema at or behind this location that is none, with the reason. */
  readonly wrongSchema: (location: DocumentLocation) => WrongSchema | undefined
}

interface WrongSchema {
  readonly location: DocumentLocation
  readonly wrong: string
}

/** A pattern that the Unicode mode refuses is understood as browsers understand it. */
const patternOf = Object.assign(
  (pattern: string): BoundedPattern => {
    try {
      return new BoundedPattern(pattern, 'u')
    } catch {
      return new BoundedPattern(pattern)
    }
  },
  { code: 'BoundedPattern' },
)

/** Of a value that is longer than this as text, a schema may compare all parts with one another. */
const largeChars = 20_000
const largeLimitMs = 1000

/** A value that takes too long to judge: nothing is said against it, and that is said. */
function notJudged({ limitMs, pattern }: TimeLimitExceeded): SchemaMismatch {
  const [what, remedy] = pattern
    ? [`its pattern ${pattern}`, 'Write it without a repetition in a repetition']
    : ['its schema', 'Write it without comparisons of all entries']
  return {
    place: '',
    text: `takes longer than ${limitMs} ms to judge by ${what}. ${remedy}`,
    demand: undefined,
    isUnjudged: true,
  }
}

/** Digits after the point that count in `multipleOf`: 0.07 is a multiple of 0.01. */
const multipleOfPrecision = 9

function createAjv(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    multipleOfPrecision,
    coerceTypes,
    code: { regExp: patternOf },
  })
  formats.default(ajv)
  addExactFormats(ajv)
  return ajv
}

/** What is known of a value besides itself. */
interface ValueTraits {
  readonly redacted?: RedactedPlaces | undefined
  /** Its length as text. */
  readonly chars?: number
}

/** Validators of texts validate a member, since only there a text is replaced by what it is read as. */
const textPath = '/value'

type Validator = (value: unknown, traits: ValueTraits) => readonly SchemaMismatch[]

const fits: readonly SchemaMismatch[] = []

function createValidatorsFor(source: ContractSource, version: OpenApiVersion, use: ValidatorUse) {
  const ajv = createAjv(use === 'text')
  const unchecked: JsonSchema[] = []
  const normaliser = new SchemaNormaliser({
    source,
    version,
    direction: use === 'response' ? 'response' : 'request',
    register(name, schema) {
      ajv.addSchema(schema, name)
      unchecked.push(schema)
    },
  })
  const compiled = new Map<string, Validator>()
  /** By the object itself: writing its key takes longer than a small validation. */
  const known = new WeakMap<DocumentLocation, Validator>()

  function validatorAt(location: DocumentLocation): Validator {
    const key = locationKey(location)
    const validator = compiled.get(key) ?? compile(location)
    compiled.set(key, validator)
    known.set(location, validator)
    return validator
  }

  const errorsOf: ErrorsOf = (schema, value) => {
    if (typeof schema !== 'boolean' && !isUnknownRecord(schema)) return []
    // It is compiled once for each object.
    const validate = ajv.compile(schema)
    return validate(value) ? [] : [...(validate.errors ?? [])]
  }

  function compile(location: DocumentLocation): Validator {
    const schema = { $ref: normaliser.nameOf(location) }
    const validate = ajv.compile(use === 'text' ? { properties: { value: schema } } : schema)
    const isValid = (value: unknown, chars: number): boolean =>
      chars > largeChars ? withinTime(largeLimitMs, () => validate(value)) : validate(value)
    return (value, { redacted: places, chars = 0 }) => {
      try {
        if (isValid(value, chars)) return fits
        const errors = (validate.errors ?? []).map((each) =>
          use === 'text'
            ? { ...each, instancePath: each.instancePath.slice(textPath.length) }
            : each,
        )
        const certain = places
          ? certainErrors(errors, { places, errorsOf, isText: use === 'text' })
          : errors
        return mismatchesOf(certain, normaliser.originOf)
      } catch (error) {
        if (error instanceof TimeLimitExceeded) return [notJudged(error)]
        throw error
      }
    }
  }

  return {
    check(
      location: DocumentLocation,
      value: unknown,
      traits: ValueTraits = {},
    ): readonly SchemaMismatch[] {
      return (known.get(location) ?? validatorAt(location))(value, traits)
    },
    wrongSchema(location: DocumentLocation): WrongSchema | undefined {
      normaliser.nameOf(location)
      for (const schema of unchecked.splice(0)) {
        if (ajv.validateSchema(schema) === true) continue
        const [first] = ajv.errors ?? []
        const at = (first?.instancePath ?? '').split('/').slice(1)
        const part = { schema, path: at, otherwise: location }
        return { location: originOfPart(part, normaliser.originOf), wrong: first?.message ?? '' }
      }
      return undefined
    },
  }
}

interface SchemaPart {
  readonly schema: JsonSchema
  readonly path: readonly string[]
  readonly otherwise: DocumentLocation
}

/** The place in the document of a part of a rewritten schema. */
function originOfPart(
  { schema, path, otherwise }: SchemaPart,
  originOf: OriginOf,
): DocumentLocation {
  let here: unknown = schema
  let location = otherwise
  for (const [index, key] of ['', ...path].entries()) {
    if (index > 0 && typeof here === 'object' && here !== null) here = Reflect.get(here, key)
    const origin = typeof here === 'object' && here !== null ? originOf(here) : undefined
    if (origin) location = origin
    else if (index > 0) location = { ...location, path: [...location.path, key] }
  }
  return location
}

function createSchemaValidators(source: ContractSource, version: OpenApiVersion): SchemaValidators {
  const byUse = new Map<ValidatorUse, ReturnType<typeof createValidatorsFor>>()
  function validatorsFor(use: ValidatorUse) {
    let validators = byUse.get(use)
    if (!validators) byUse.set(use, (validators = createValidatorsFor(source, version, use)))
    return validators
  }
  /** Reads texts as the numbers and words of JSON that the schema demands; what is written otherwise stays a text. */
  function checkText(location: DocumentLocation, value: unknown, traits: ValueTraits = {}) {
    const read = { value: withInt64Texts(value) }
    const found = validatorsFor('text').check(location, read, traits)
    if (found.length > 0) return found
    const restored = withoutForeignNumbers(value, read.value)
    return restored === read.value
      ? fits
      : validatorsFor('request').check(location, restored, traits)
  }
  return {
    check: (use, location, value, traits) =>
      use === 'text'
        ? checkText(location, value, traits)
        : validatorsFor(use).check(location, value, traits),
    wrongSchema: (location) => validatorsFor('request').wrongSchema(location),
  }
}

// The role whose host a document describes, by the operations of the protocol that its paths stand
// for.

/** Every host has these, so they say nothing about whose host it is. */
const commonCapabilities: ReadonlySet<string> = new Set(['discovery', 'auth'])

function contractRole(
  operations: readonly Pick<ContractOperation, 'method' | 'path'>[],
): Result<Role, string> {
  const counts = new Map<Role, number>(roles.map((role) => [role, 0]))
  for (const { method, path } of operations) {
    const row = recogniseOperation(method, path)?.row
    if (!row || commonCapabilities.has(row.capability)) continue
    for (const role of row.hosts) counts.set(role, (counts.get(role) ?? 0) + 1)
  }
  const most = Math.max(...counts.values())
  const best = roles.filter((role) => counts.get(role) === most)
  const [found, ...others] = best
  if (most === 0 || found === undefined)
    return err(
      'none of its paths is one of the protocol, so it does not say whose host it describes',
    )
  if (others.length > 0)
    return err(
      `its paths are those of the ${best.map((role) => fullRoleName[role]).join(' as well as of the ')}`,
    )
  return ok(found)
}

export interface Contract {
  /** The file, as it is named in messages. */
  readonly file: string
  /** The role whose host the document describes. */
  readonly role: Role
  /** The document, with the files that it refers to. */
  readonly source: ContractSource
  readonly operations: readonly ContractOperation[]
  readonly validators: SchemaValidators
  /** Names of query parameters and headers that carry credentials. */
  readonly credentialNames: ReadonlySet<string>
  /** Paths of token endpoints, which documents describe as security only. */
  readonly tokenPaths: ReadonlySet<string>
  /** `openapi.yaml:120 #/paths/…`. */
  readonly placeText: (location: DocumentLocation) => string
}

/** Why a document is no contract: what is wrong, where, and what to do. */
export interface ContractProblem {
  /** `openapi.yaml:12`. */
  readonly place: string
  readonly wrong: string
  readonly remedy: string
}

/** The version of OpenAPI that a document declares, as far as it is understood. */
export function openApiVersionOf(value: unknown): OpenApiVersion | undefined {
  const version = isUnknownRecord(value) ? value['openapi'] : undefined
  if (typeof version !== 'string') return undefined
  return version.startsWith('3.0.') ? '3.0' : version.startsWith('3.1.') ? '3.1' : undefined
}

/** Dialects of JSON Schema that are understood in a document of 3.1. */
const knownDialects: ReadonlySet<string> = new Set([
  'https://spec.openapis.org/oas/3.1/dialect/base',
  'https://json-schema.org/draft/2020-12/schema',
])

function credentialsOf(root: unknown) {
  const components = isUnknownRecord(root) ? root['components'] : undefined
  const schemes = isUnknownRecord(components) ? components['securitySchemes'] : undefined
  const names = new Set<string>()
  const tokenPaths = new Set<string>()
  for (const scheme of isUnknownRecord(schemes) ? Object.values(schemes) : []) {
    if (!isUnknownRecord(scheme)) continue
    if (typeof scheme['name'] === 'string') names.add(scheme['name'])
    const { flows } = scheme
    for (const flow of isUnknownRecord(flows) ? Object.values(flows) : [])
      for (const key of ['tokenUrl', 'authorizationUrl', 'refreshUrl']) {
        const url = isUnknownRecord(flow) ? flow[key] : undefined
        if (typeof url === 'string') tokenPaths.add(urlPath(url))
      }
  }
  return { credentialNames: names, tokenPaths }
}

/** Reads the operations of a document and checks its schemas; compiles nothing yet. */
export function createContract(
  source: ContractSource,
  role: Role | undefined,
): Result<Contract, ContractProblem> {
  const root: DocumentLocation = { file: source.root, path: [] }
  const document = source.files.get(source.root)
  const value = document?.value
  const version = openApiVersionOf(value)
  const file = document?.name ?? source.root
  if (version === undefined)
    return err({
      place: file,
      wrong: 'it is no OpenAPI document of version 3.0 or 3.1',
      remedy: 'Name one that begins with openapi: 3.0.x or 3.1.x.',
    })
  const dialect = isUnknownRecord(value) ? value['jsonSchemaDialect'] : undefined
  if (typeof dialect === 'string' && !knownDialects.has(dialect.replace(/#$/, '')))
    return err({
      place: fileAndLine(source, { ...root, path: ['jsonSchemaDialect'] }),
      wrong: `its schemas are written in the dialect ${dialect}, which is not understood`,
      remedy: 'Leave jsonSchemaDialect out: the one of OpenAPI 3.1 is understood.',
    })
  const operations = contractOperationsOf(source)
  const validators = createSchemaValidators(source, version)
  for (const operation of operations)
    for (const schema of schemasOfOperation(operation)) {
      const found = validators.wrongSchema(schema)
      if (found)
        return err({
          place: fileAndLine(source, found.location),
          wrong: `the schema at #${pointerOf(found.location.path)} is none: ${found.wrong}`,
          remedy: 'Correct it there.',
        })
    }
  const found = role === undefined ? contractRole(operations) : ok(role)
  if (!found.ok)
    return err({
      place: file,
      wrong: found.error,
      remedy: `Say whose host it describes: --contract ${file}=<role>.`,
    })
  return ok({
    file,
    role: found.value,
    source,
    operations,
    validators,
    ...credentialsOf(value),
    placeText: (location) => `${fileAndLine(source, location)} #${pointerOf(location.path)}`,
  })
}
