/** Makes a JSON body smaller and keeps it able to do what it does: members and list entries go, names of things stay. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A place in a document: the keys that lead to it. */
export type Place = readonly (string | number)[]

/** What names a thing is what the rest of the traffic holds on to. */
const names = /^(?:id|.*Id|code|.*Code|type|.*Type|status|createdAt|sentAt)$/

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const deepest = 20
const mostPlaces = 400

/** The places that may go, outer ones first: whatever names nothing, and list entries behind the first. */
export function placesIn(text: string): readonly Place[] {
  const value = parsed(text)
  if (value === undefined) return []
  const places: Place[] = []
  let level: (readonly [Place, Json])[] = [[[], value]]
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: (readonly [Place, Json])[] = []
    for (const [place, inside] of level)
      for (const [key, member] of membersOf(inside)) {
        const here = [...place, key]
        if (key !== 0 && !(typeof key === 'string' && names.test(key))) places.push(here)
        next.push([here, member])
      }
    level = next
  }
  return places.slice(0, mostPlaces)
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

/** The body without these places. */
export function without(text: string, gone: readonly Place[]): string {
  const value = parsed(text)
  return value === undefined ? text : JSON.stringify(left(value, gone))
}

function left(value: Json, gone: readonly Place[]): Json {
  if (gone.length === 0) return value
  const of = (key: string | number): readonly Place[] | undefined => {
    const below = gone.filter(([first]) => first === key).map((place) => place.slice(1))
    return below.some(({ length }) => length === 0) ? undefined : below
  }
  if (isList(value))
    return value.flatMap((member, index) => {
      const below = of(index)
      return below ? [left(member, below)] : []
    })
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const below = of(key)
      return below ? [[key, left(member, below)] as const] : []
    }),
  )
}
