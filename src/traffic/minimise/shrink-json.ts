/** Shrinks a JSON body: removes members and list entries, keeps the members that identify or classify. */
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { isList } from '../difference/json.ts'
import { tryParseJson } from '../json/try-parse-json.ts'

/** A path in a document: the keys from the root. */
export type JsonPath = readonly (string | number)[]

/** Other traffic refers to these members, so they are kept. */
const identifyingKeys = /^(?:id|.*Id|code|.*Code|type|.*Type|status|createdAt|sentAt)$/

const maxDepth = 20
const maxPaths = 400

/** The removable paths, outer ones first: non-identifying members, and list entries after the first. */
export function removablePaths(text: string): readonly JsonPath[] {
  const value = tryParseJson(text)
  if (value === undefined) return []
  const paths: JsonPath[] = []
  let level: (readonly [JsonPath, unknown])[] = [[[], value]]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next: (readonly [JsonPath, unknown])[] = []
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

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (isList(value)) return value.map((member, index) => [index, member] as const)
  return isUnknownRecord(value) ? Object.entries(value) : []
}

/** The body without these paths. */
export function withoutPaths(text: string, gone: readonly JsonPath[]): string {
  const value = tryParseJson(text)
  return value === undefined ? text : JSON.stringify(remaining(value, gone))
}

function remaining(value: unknown, gone: readonly JsonPath[]): unknown {
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
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const below = pathsBelow(key)
      return below ? [[key, remaining(member, below)] as const] : []
    }),
  )
}
