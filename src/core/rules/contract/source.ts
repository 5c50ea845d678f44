/** An OpenAPI document with the files that it refers to, and how references find their targets in them. */
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

/** Keys from the root of a file to a value in it. */
export type DocumentPath = readonly string[]

export interface ContractFile {
  /** The name in messages. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly value: unknown
  /** The line of a value, or of the closest one above it, counted from 1. */
  readonly lineOf: (path: DocumentPath) => number | undefined
}

/** The files by their URL. */
export interface ContractSource {
  readonly root: string
  readonly files: ReadonlyMap<string, ContractFile>
}

/** A value in one of the files. */
export interface DocumentLocation {
  readonly file: string
  readonly path: DocumentPath
}

const unescapedKey = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
const escapedKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** `/paths/~1orders/get`. */
export const pointerOf = (path: DocumentPath): string =>
  path.map((key) => `/${escapedKey(key)}`).join('')

export const parsePointer = (pointer: string): DocumentPath =>
  pointer.split('/').slice(1).map(unescapedKey)

export const childOf = (
  { file, path }: DocumentLocation,
  ...keys: readonly (string | number)[]
): DocumentLocation => ({ file, path: [...path, ...keys.map(String)] })

export const locationKey = ({ file, path }: DocumentLocation): string =>
  `${file}#${pointerOf(path)}`

/** The value at a path; undefined where there is none. */
export function valueAtDocumentPath(value: unknown, path: DocumentPath): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = Reflect.get(here, key)
  }
  return here
}

export const valueAtLocation = (source: ContractSource, { file, path }: DocumentLocation) =>
  valueAtDocumentPath(source.files.get(file)?.value, path)

/** `openapi.yaml:120`, as editors and terminals link it. */
export function fileAndLine({ files }: ContractSource, { file, path }: DocumentLocation): string {
  const found = files.get(file)
  const line = found?.lineOf(path)
  return `${found?.name ?? file}${line === undefined ? '' : `:${line}`}`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The file that a reference names, as a URL; the reason where none can be read. */
export function referencedFile(reference: string, from: string): Result<string, string> {
  const [name = ''] = reference.split('#')
  if (name === '') return ok(from)
  const url = URL.canParse(name, from) ? new URL(name, from) : undefined
  if (!url) return err(`"${name}" is no path of a file`)
  if (url.protocol !== 'file:' || url.host !== '')
    return err(`"${name}" is at another host, and nothing is fetched for a contract`)
  // What would be no path, or another one, when it is decoded.
  if (/%(?:00|2f|5c)/i.test(url.pathname) || decoded(url.pathname) === undefined)
    return err(`"${name}" is no path of a file`)
  // One file has one URL.
  return ok(`file://${url.pathname}`)
}

/** Keys whose values are data, in which nothing refers to anything. */
const dataKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** Keys whose members are named by the author of the document. */
const mapKeys: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'paths',
  'pathItems',
  'webhooks',
  'callbacks',
  'responses',
  'requestBodies',
  'parameters',
  'headers',
  'content',
])

export interface FoundReference {
  readonly reference: string
  readonly path: DocumentPath
}

/** All references in a document, with the place of each. */
export function documentReferences(value: unknown): readonly FoundReference[] {
  const found: FoundReference[] = []
  const left: { value: unknown; path: DocumentPath; isMap: boolean }[] = [
    { value, path: [], isMap: false },
  ]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: here, path, isMap } = next
    if (typeof here !== 'object' || here === null) continue
    for (const [key, inner] of Object.entries(here)) {
      const at = [...path, key]
      if (key === '$ref' && typeof inner === 'string') found.push({ reference: inner, path: at })
      else if (isMap || !(dataKeys.has(key) || key.startsWith('x-')))
        left.push({ value: inner, path: at, isMap: !isMap && mapKeys.has(key) })
    }
  }
  return found
}

/** Where in the document a schema with this anchor is. */
function anchored(value: unknown, anchor: string): DocumentPath | undefined {
  const left: { value: unknown; path: DocumentPath }[] = [{ value, path: [] }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: here, path } = next
    if (typeof here !== 'object' || here === null) continue
    if (isUnknownRecord(here) && (here['$anchor'] === anchor || here['$dynamicAnchor'] === anchor))
      return path
    for (const [key, inner] of Object.entries(here))
      left.push({ value: inner, path: [...path, key] })
  }
  return undefined
}

/** The location that a reference names; the reason where there is nothing. */
export function resolveReference(
  source: ContractSource,
  reference: string,
  from: string,
): Result<DocumentLocation, string> {
  const file = referencedFile(reference, from)
  if (!file.ok) return file
  const target = source.files.get(file.value)
  if (!target) return err(`"${reference}" names a file that was not read`)
  const [, coded = ''] = reference.split('#')
  const fragment = decoded(coded) ?? coded
  const path =
    fragment === '' || fragment.startsWith('/')
      ? parsePointer(fragment)
      : anchored(target.value, fragment)
  if (path === undefined || valueAtDocumentPath(target.value, path) === undefined)
    return err(`there is no ${fragment === '' ? 'content' : `#${fragment}`} in ${target.name}`)
  return ok({ file: file.value, path })
}

/** Maximum number of references that lead on to each other. */
const maxReferences = 100

/** The location of the value itself, behind any references. */
export function followReferences(
  source: ContractSource,
  location: DocumentLocation,
): DocumentLocation {
  let here = location
  for (let count = 0; count < maxReferences; count++) {
    const value = valueAtLocation(source, here)
    const reference = isUnknownRecord(value) ? value['$ref'] : undefined
    if (typeof reference !== 'string') return here
    const target = resolveReference(source, reference, here.file)
    if (!target.ok) return here
    here = target.value
  }
  return here
}
