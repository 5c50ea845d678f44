/** Shrinks the bodies of the exchanges that are left, member by member, as long as the part still fails. */
import type { RecordingPart } from './minimise-options.ts'
import type { PartSearch } from './part-search.ts'
import { deltaDebug } from './delta-debug.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { parseLosslessJson } from '../../core/traffic/json/lossless-json.ts'
import { parseJson, tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { isList } from '../../core/traffic/recording/json.ts'

/** Maximum replays for bodies: they are less important than the number of exchanges. */
const maxBodyReplays = 6

interface ShrinkOptions {
  readonly exchanges: readonly RecordedExchange[]
  readonly mayShrink?: ((exchange: RecordedExchange) => string | undefined) | undefined
}

/**
 * Shrinks the bodies of a part as long as it still fails. One body after the other: all removable
 * paths at once, then delta debugging.
 */
export async function shrinkBodies(
  { exchanges, mayShrink }: ShrinkOptions,
  search: PartSearch,
): Promise<void> {
  const { trials } = search
  const maxReplays = trials.made() + maxBodyReplays
  for (const exchange of exchanges) {
    const text = search.part().kept.has(exchange.recordId) ? mayShrink?.(exchange) : undefined
    const places = text === undefined ? [] : removablePaths(text)
    if (text === undefined || places.length === 0) continue
    const smaller = (gone: readonly (typeof places)[number][]): RecordingPart => ({
      ...search.part(),
      bodies: new Map([...search.part().bodies, [exchange.recordId, withoutPaths(text, gone)]]),
    })
    const left = await deltaDebug({
      things: places,
      stillFails: async (some) => {
        const without = places.filter((place) => !some.has(place))
        return (
          isValidBody(exchange, text, withoutPaths(text, without)) &&
          trials.made() < maxReplays &&
          trials.fails(smaller(without))
        )
      },
    })
    const gone = places.filter((place) => !left.has(place))
    if (gone.length > 0) search.accept(smaller(gone))
    if (trials.exhausted() || trials.made() >= maxReplays) return
  }
}

/**
 * Whether a shrunk body is still what the protocol allows in its place, as the recorded one was. True where the
 * protocol does not say, or where the recorded body is not allowed either.
 */
function isValidBody(exchange: RecordedExchange, recorded: string, body: string): boolean {
  const { operation, from } = exchange
  if (operation === undefined) return true
  const { request, shown, response } = rowOf(operation)
  const schema = (from.party === 'subject' ? response : (shown ?? request))?.()
  if (!schema || !schema.safeParse(tryParseJson(recorded)).success) return true
  // A poll without its events is another poll.
  const value = tryParseJson(body)
  if (isPollCall(exchange) && Array.isArray(value) && value.length === 0) return false
  return schema.safeParse(value).success
}

/** A path in a document: the keys from the root. */
type JsonPath = readonly (string | number)[]

/** Other traffic refers to these members, so they are kept. */
const identifyingKeys = /^(?:id|.*Id|code|.*Code|type|.*Type|status|createdAt|sentAt)$/

const maxDepth = 20
const maxPaths = 400

/** The removable paths, outer ones first: non-identifying members, and list entries after the first. */
function removablePaths(text: string): readonly JsonPath[] {
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
function withoutPaths(text: string, gone: readonly JsonPath[]): string {
  const parsed = parseJson(text, parseLosslessJson)
  return parsed ? JSON.stringify(remaining(parsed.value, gone)) : text
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
