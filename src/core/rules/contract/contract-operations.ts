/**
 * The operations of an OpenAPI document: paths, parameters, bodies and answers, with the place of each in the document.
 */
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { ParameterPlace, ParameterStyle, ValueShape } from './parameter-values.ts'
import {
  childOf,
  type ContractSource,
  type DocumentLocation,
  followReferences,
  valueAtLocation,
} from './source.ts'

/** Which entry of a `content` of the document describes a message, by its media type, and how its body is read. */
type BodyKind = 'json' | 'form' | 'text' | 'other'

interface MediaTypeEntry {
  /** The media type or range in the document. */
  readonly name: string
  /** By the type of the message. */
  readonly kind: BodyKind
}

/** `application/json; charset=utf-8` without its parameters, in lower case. */
const mediaTypeOf = (header: string): string => header.split(';')[0]?.trim().toLowerCase() ?? ''

/** The most specific entry that covers a media type: itself, its family, or any. */
function matchingEntry(entries: readonly string[], type: string): string | undefined {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*'])
    for (const entry of entries) if (mediaTypeOf(entry) === wanted) return entry
  return undefined
}

function kindOf(type: string): BodyKind {
  if (/^[^/]+\/(?:[^;]+\+)?json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type.startsWith('text/') ? 'text' : 'other'
}

/** Maximum number of headers that are remembered; a message has one of very few. */
const maxRemembered = 50

/** Finds the entry for a header; without one the first entry is meant. */
function createMediaTypeIndex(entries: readonly string[]) {
  const known = new Map<string, MediaTypeEntry | undefined>()
  return (header = entries[0] ?? ''): MediaTypeEntry | undefined => {
    if (known.has(header)) return known.get(header)
    const type = mediaTypeOf(header)
    const name = matchingEntry(entries, type)
    const entry = name === undefined ? undefined : { name, kind: kindOf(type) }
    if (known.size < maxRemembered) known.set(header, entry)
    return entry
  }
}

export interface ContractParameter extends ParameterStyle {
  readonly in: ParameterPlace
  readonly required: boolean
  readonly location: DocumentLocation
  /** The name of a header in lower case. */
  readonly lowerName: string
  /** Its schema, and whether the value is JSON text. */
  readonly schema: DocumentLocation | undefined
  readonly isJson: boolean
  /** It may be there without a value: `?flag` and `?flag=`. */
  readonly allowsEmpty: boolean
}

/** The schemas of a body by media type. */
export interface ContractBody {
  readonly location: DocumentLocation
  /** Finds the entry of the content for a header Content-Type. */
  readonly entryFor: (header: string | undefined) => MediaTypeEntry | undefined
  readonly required: boolean
  readonly content: ReadonlyMap<string, DocumentLocation | undefined>
}

export interface ContractResponse {
  readonly location: DocumentLocation
  readonly headers: readonly ContractParameter[]
  /** Absent where the document has no `content`. */
  readonly body: ContractBody | undefined
}

export interface ContractOperation {
  /** The id in the document, or `GET /orders`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly location: DocumentLocation
  readonly prefixes: readonly string[]
  readonly parameters: readonly ContractParameter[]
  readonly query: readonly ContractParameter[]
  readonly requestBody: ContractBody | undefined
  /** By status, by class (`4XX`), and `default`. */
  readonly responses: ReadonlyMap<string, ContractResponse>
  /** The statuses that were observed, with what describes them. */
  readonly byStatus: Map<number, ContractResponse>
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Headers that a document describes elsewhere, so that parameters of these names have no effect. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

const defaultStyles: Readonly<Record<ParameterPlace, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
}

const isPlace = (text: unknown): text is ParameterPlace =>
  typeof text === 'string' && Object.hasOwn(defaultStyles, text)

/** The path of a server, with the defaults of its variables and without a slash at its end. */
function serverPath(server: unknown): string | undefined {
  if (!isUnknownRecord(server) || typeof server['url'] !== 'string') return undefined
  const { variables } = server
  const url = server['url'].replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const variable = isUnknownRecord(variables) ? variables[name] : undefined
    const value = isUnknownRecord(variable) ? variable['default'] : undefined
    return typeof value === 'string' ? value : ''
  })
  const path = URL.canParse(url, 'http://any') ? new URL(url, 'http://any').pathname : url
  return path.replace(/\/+$/, '')
}

function serverPaths(value: unknown): readonly string[] | undefined {
  const servers = isUnknownRecord(value) ? value['servers'] : undefined
  return Array.isArray(servers) && servers.length > 0
    ? servers.flatMap((server) => serverPath(server) ?? [])
    : undefined
}

class OperationReader {
  readonly #source: ContractSource
  readonly #root: DocumentLocation

  constructor(source: ContractSource) {
    this.#source = source
    this.#root = { file: source.root, path: [] }
  }

  read(): readonly ContractOperation[] {
    const paths = this.#at(childOf(this.#root, 'paths'))
    if (!isUnknownRecord(paths)) return []
    return Object.keys(paths)
      .filter((path) => path.startsWith('/'))
      .flatMap((path) => {
        const item = this.#behind(childOf(this.#root, 'paths', path))
        const value = this.#at(item)
        if (!isUnknownRecord(value)) return []
        return methods
          .filter((method) => isUnknownRecord(value[method]))
          .map((method) => this.#readOperation(childOf(item, method), { item, path, method }))
      })
  }

  #at(location: DocumentLocation): unknown {
    return valueAtLocation(this.#source, location)
  }

  #behind(location: DocumentLocation) {
    return followReferences(this.#source, location)
  }

  /** The shape and the members of a schema, through references and combinations. */
  #shapeOf(
    schema: DocumentLocation | undefined,
    depth = 0,
  ): { readonly shape: ValueShape; readonly members: readonly string[] } {
    const location = schema && this.#behind(schema)
    const value = location && this.#at(location)
    if (!location || !isUnknownRecord(value) || depth > 5) return { shape: 'scalar', members: [] }
    const types = [value['type']].flat()
    const { properties } = value
    const members = isUnknownRecord(properties) ? Object.keys(properties) : []
    if (types.includes('array')) return { shape: 'array', members: [] }
    if (types.includes('object') || members.length > 0) return { shape: 'object', members }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = value[keyword]
      if (!Array.isArray(list)) continue
      const found = list
        .map((_, index) => this.#shapeOf(childOf(location, keyword, index), depth + 1))
        .find(({ shape }) => shape !== 'scalar')
      if (found) return found
    }
    return { shape: 'scalar', members: [] }
  }

  #readParameter(from: DocumentLocation, header?: string): readonly ContractParameter[] {
    const location = this.#behind(from)
    const value = this.#at(location)
    if (!isUnknownRecord(value)) return []
    const place = header === undefined ? value['in'] : 'header'
    const name = header ?? value['name']
    if (!isPlace(place) || typeof name !== 'string') return []
    if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) return []
    const [mediaType] = isUnknownRecord(value['content']) ? Object.keys(value['content']) : []
    const schema =
      mediaType === undefined
        ? 'schema' in value
          ? childOf(location, 'schema')
          : undefined
        : childOf(location, 'content', mediaType, 'schema')
    const style = typeof value['style'] === 'string' ? value['style'] : defaultStyles[place]
    return [
      {
        name,
        lowerName: name.toLowerCase(),
        in: place,
        required: value['required'] === true || place === 'path',
        location,
        schema: schema && this.#at(schema) !== undefined ? schema : undefined,
        isJson: mediaType !== undefined,
        allowsEmpty: place === 'query' && value['allowEmptyValue'] === true,
        style,
        explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
        ...(mediaType === undefined ? this.#shapeOf(schema) : { shape: 'scalar', members: [] }),
      },
    ]
  }

  #readParameters(location: DocumentLocation): readonly ContractParameter[] {
    const list = this.#at(childOf(location, 'parameters'))
    return Array.isArray(list)
      ? list.flatMap((_, index) => this.#readParameter(childOf(location, 'parameters', index)))
      : []
  }

  #readContent(location: DocumentLocation): ContractBody['content'] {
    const content = this.#at(childOf(location, 'content'))
    if (!isUnknownRecord(content)) return new Map()
    return new Map(
      Object.keys(content).map((type) => {
        const schema = childOf(location, 'content', type, 'schema')
        return [type, this.#at(schema) === undefined ? undefined : schema]
      }),
    )
  }

  #readBody(from: DocumentLocation): ContractBody | undefined {
    const location = this.#behind(from)
    const value = this.#at(location)
    if (!isUnknownRecord(value)) return undefined
    const content = this.#readContent(location)
    const required = value['required'] === true
    return { location, required, content, entryFor: createMediaTypeIndex([...content.keys()]) }
  }

  #readResponse(from: DocumentLocation): ContractResponse {
    const location = this.#behind(from)
    const value = this.#at(location)
    const headers = isUnknownRecord(value) ? value['headers'] : undefined
    const content = this.#readContent(location)
    return {
      location,
      headers: isUnknownRecord(headers)
        ? Object.keys(headers).flatMap((name) =>
            this.#readParameter(childOf(location, 'headers', name), name),
          )
        : [],
      body:
        content.size > 0
          ? {
              location,
              required: true,
              content,
              entryFor: createMediaTypeIndex([...content.keys()]),
            }
          : undefined,
    }
  }

  #readOperation(
    location: DocumentLocation,
    { item, path, method }: { item: DocumentLocation; path: string; method: string },
  ): ContractOperation {
    const value = this.#at(location)
    const own = this.#readParameters(location)
    const isOverridden = (above: ContractParameter): boolean =>
      own.some((each) => each.name === above.name && each.in === above.in)
    const id = isUnknownRecord(value) ? value['operationId'] : undefined
    const responses = this.#at(childOf(location, 'responses'))
    const prefixes = [value, this.#at(item), this.#at(this.#root)]
      .map(serverPaths)
      .find((found) => found)
    const parameters = [...this.#readParameters(item).filter((each) => !isOverridden(each)), ...own]
      // Other styles of paths are not read.
      .filter(({ in: place, style }) => place !== 'path' || style === 'simple')
    return {
      name: typeof id === 'string' ? id : `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      location,
      prefixes: [...new Set([...(prefixes ?? []), ''])],
      parameters,
      query: parameters.filter((each) => each.in === 'query'),
      requestBody: this.#readBody(childOf(location, 'requestBody')),
      byStatus: new Map(),
      responses: new Map(
        isUnknownRecord(responses)
          ? Object.keys(responses).map((status) => [
              status.toUpperCase(),
              this.#readResponse(childOf(location, 'responses', status)),
            ])
          : [],
      ),
    }
  }
}

export function contractOperationsOf(source: ContractSource): readonly ContractOperation[] {
  return new OperationReader(source).read()
}

/** All schemas that describe messages of an operation. */
export const schemasOfOperation = ({
  parameters,
  requestBody,
  responses,
}: ContractOperation): readonly DocumentLocation[] =>
  [
    ...parameters.map(({ schema }) => schema),
    ...(requestBody?.content.values() ?? []),
    ...[...responses.values()].flatMap(({ headers, body }) => [
      ...headers.map(({ schema }) => schema),
      ...(body?.content.values() ?? []),
    ]),
  ].filter((schema) => schema !== undefined)

/** What describes an answer: its status, its class, or any. */
export function responseFor(
  { responses, byStatus }: ContractOperation,
  status: number,
): ContractResponse | undefined {
  const known = byStatus.get(status)
  if (known) return known
  const found =
    responses.get(String(status)) ??
    responses.get(`${Math.floor(status / 100)}XX`) ??
    responses.get('DEFAULT')
  if (found) byStatus.set(status, found)
  return found
}
