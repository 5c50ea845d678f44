/** Values of parameters out of the text of a request, by the style in which OpenAPI says that they are written. */
import { appendTo } from '../../traffic/append-to.ts'

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** The kinds of schemas that a style writes differently. */
export type ValueShape = 'scalar' | 'array' | 'object'

export interface ParameterStyle {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly shape: ValueShape
  /** Members that the schema of an object names. */
  readonly members: readonly string[]
}

/** The members of a query or of a form, each with all its values. */
export type ParsedQuery = ReadonlyMap<string, readonly string[]>

const emptyQuery: ParsedQuery = new Map()

export function parseQuery(text: string): ParsedQuery {
  if (text === '') return emptyQuery
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) appendTo(values, name, value)
  return values
}

/** `k,v,k,v` as an object. */
function pairsOf(parts: readonly string[]): Readonly<Record<string, string>> {
  const object: Record<string, string> = {}
  for (let index = 0; index + 1 < parts.length; index += 2)
    object[parts[index] ?? ''] = parts[index + 1] ?? ''
  return object
}

/** `k=v` each as an object. */
const assignmentsOf = (parts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=')
      return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    }),
  )

/** A text in the style `simple`, in which paths and headers are written. */
export function simpleValue(text: string, { shape, explode }: ParameterStyle): unknown {
  if (shape === 'scalar') return text
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim())
  if (shape === 'array') return parts
  return explode ? assignmentsOf(parts) : pairsOf(parts)
}

const separators: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
}

/** `filter[status]=open` as members of `filter`. */
function deepObject(name: string, query: ParsedQuery): unknown {
  const found: Record<string, unknown> = {}
  for (const [key, values] of query) {
    if (!key.startsWith(`${name}[`) || !key.endsWith(']')) continue
    const member = key.slice(name.length + 1, -1)
    found[member] = values.length === 1 ? values[0] : [...values]
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** The value of a parameter in a query; undefined when it is not there. */
export function queryValue(query: ParsedQuery, parameter: ParameterStyle): unknown {
  const { name, style, explode, shape, members } = parameter
  if (style === 'deepObject') return deepObject(name, query)
  if (shape === 'object' && explode) {
    const found = members.flatMap((member) => {
      const value = query.get(member)?.[0]
      return value === undefined ? [] : [[member, value] as const]
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
  const values = query.get(name)
  if (!values) return undefined
  // One value: a second is not what the schema allows.
  if (shape === 'scalar') return values.length === 1 ? values[0] : [...values]
  if (shape === 'array' && explode) return [...values]
  const parts = values.flatMap((text) => (text === '' ? [] : text.split(separators[style] ?? ',')))
  return shape === 'array' ? parts : pairsOf(parts)
}

/** Whether a name in a query belongs to the parameter. */
export function ownsQueryName(name: string, parameter: ParameterStyle): boolean {
  if (parameter.style === 'deepObject') return name.startsWith(`${parameter.name}[`)
  const isSpread = parameter.shape === 'object' && parameter.explode
  return name === parameter.name || (isSpread && parameter.members.includes(name))
}

/** The value of a cookie in the header of that name. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((each) => each.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}
