/** Validators of the schemas of one contract: each is compiled at its first use, and once. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { RedactedPlaces } from '../../traffic/redaction/redacted-places.ts'
import { certainErrors, type ErrorsOf } from './certain-errors.ts'
import {
  createSchemaNormaliser,
  type JsonSchema,
  type MessageDirection,
  type OpenApiVersion,
} from './normalise-schema.ts'
import { mismatchesOf, type OriginOf, type SchemaMismatch } from './mismatch.ts'
import { type ContractSource, type DocumentLocation, locationKey } from './source.ts'

/** `text` is a value that was written as text, such as a parameter: it may stand for a number. */
export type ValidatorUse = MessageDirection | 'text'

export interface SchemaValidators {
  /**
   * The differences of a value from the schema at a location; none when it fits. Where values were redacted, only those that
   * hold whatever stood there.
   */
  readonly check: (
    use: ValidatorUse,
    location: DocumentLocation,
    value: unknown,
    redacted?: RedactedPlaces,
  ) => readonly SchemaMismatch[]
  /** Compiles nothing; the first schema at or behind this location that is none, with the reason. */
  readonly wrongSchema: (location: DocumentLocation) => WrongSchema | undefined
}

export interface WrongSchema {
  readonly location: DocumentLocation
  readonly wrong: string
}

/** A pattern that the Unicode mode refuses is understood as browsers understand it. */
const patternOf = Object.assign(
  (pattern: string): RegExp => {
    try {
      return new RegExp(pattern, 'u')
    } catch {
      return new RegExp(pattern)
    }
  },
  { code: 'RegExp' },
)

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
  return ajv
}

type Validator = (value: unknown, redacted?: RedactedPlaces) => readonly SchemaMismatch[]

const fits: readonly SchemaMismatch[] = []

function createValidatorsFor(source: ContractSource, version: OpenApiVersion, use: ValidatorUse) {
  const ajv = createAjv(use === 'text')
  const unchecked: JsonSchema[] = []
  const normaliser = createSchemaNormaliser({
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
    const validate = ajv.compile({ $ref: normaliser.nameOf(location) })
    return (value, places) => {
      if (validate(value)) return fits
      const errors = [...(validate.errors ?? [])]
      const certain = places
        ? certainErrors(errors, { places, errorsOf, isText: use === 'text' })
        : errors
      return mismatchesOf(certain, normaliser.originOf)
    }
  }

  return {
    check(
      location: DocumentLocation,
      value: unknown,
      redacted?: RedactedPlaces,
    ): readonly SchemaMismatch[] {
      return (known.get(location) ?? validatorAt(location))(value, redacted)
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

export function createSchemaValidators(
  source: ContractSource,
  version: OpenApiVersion,
): SchemaValidators {
  const byUse = new Map<ValidatorUse, ReturnType<typeof createValidatorsFor>>()
  function validatorsFor(use: ValidatorUse) {
    let validators = byUse.get(use)
    if (!validators) byUse.set(use, (validators = createValidatorsFor(source, version, use)))
    return validators
  }
  return {
    check: (use, location, value, redacted) => validatorsFor(use).check(location, value, redacted),
    wrongSchema: (location) => validatorsFor('request').wrongSchema(location),
  }
}
