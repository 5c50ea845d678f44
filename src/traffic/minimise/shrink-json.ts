/** Shrinks a JSON body: removes members and list entries, keeps the members that identify or classify. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A path in a document: the keys from the root. */
export type JsonPath = readonly (string | number)[]

/** Other traffic refers to these members, so they are kept. */
const identifyingKeys = /^(?:id|.*Id|code|.*Code|type|.*Type|status|createdAt|sentAt)$/

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const maxDepth = 20
const maxPaths = 400

/** The removable paths, outer ones first: non-identifying members, and list entries after the first. */
export function removablePaths(text: string): readonly JsonPath[] {
  const value = parsed(text)
  if (value === undefined) return []
  const paths: JsonPath[] = []
  let level: (readonly [JsonPath, Json])[] = [[[], value]]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next: (readonly [JsonPath, Json])[] = []
    for (const [path, inside] of level)
      for (const [key, member] of membersOf(inside)) {
        const here = [...path, key]
        if (key !== 0 && !(typeof key === 'string' && identifyingKeys.test(key))) paths.push(here)
        next.push([here, member])
      }
    level = next
  }
  return paths.slice(0, maxPaths)
}

function membersOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (isList(value)) return value.map((member, index) => [index, member] as const)
  return isObject(value) ? Object.entries(value) : []
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The body without these paths. */
export function withoutPaths(text: string, gone: readonly JsonPath[]): string {
  const value = parsed(text)
  return value === undefined ? text : JSON.stringify(remaining(value, gone))
}

function remaining(value: Json, gone: readonly JsonPath[]): Json {
  if (gone.length === 0) return value
  const pathsBelow = (key: string | number): readonly JsonPath[] | undefined => {
    const below = gone.filter(([first]) => first === key).map((path) => path.slice(1))
    return below.some(({ length }) => length === 0) ? undefined : below
  }
  if (isList(value))
    return value.flatMap((member, index) => {
      const below = pathsBelow(index)
      return below ? [remaining(member, below)] : []
    })
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const below = pathsBelow(key)
      return below ? [[key, remaining(member, below)] as const] : []
    }),
  )
}
