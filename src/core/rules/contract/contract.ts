/** A contract: an OpenAPI document as it judges the messages of one host. */
import type { Role } from '../../protocol/role.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { urlPath } from '../../traffic/recognise-operation.ts'
import {
  type ContractOperation,
  contractOperationsOf,
  schemasOfOperation,
} from './contract-operations.ts'
import { contractRole } from './contract-role.ts'
import type { OpenApiVersion } from './normalise-schema.ts'
import { createSchemaValidators, type SchemaValidators } from './schema-validators.ts'
import { type ContractSource, type DocumentLocation, fileAndLine, pointerOf } from './source.ts'

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
