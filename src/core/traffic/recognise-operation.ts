/**
 * Recognises the operation of a foreign request: matches method and path against the catalogue, over all hosts, with
 * any base path before it. Also derives parameters, order and events.
 */
import { compact } from '../base/compact.ts'
import { type CatalogueRow, operations } from '../protocol/catalogue.ts'
import { pathsAtHost } from '../protocol/operation.ts'
import type { Exchange } from './exchange.ts'
import { tryParseJson } from './json/try-parse-json.ts'
import { isAcknowledgmentCall, isPollCall } from './polling.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import { appendTo } from './append-to.ts'

export interface RecognisedCall {
  readonly row: CatalogueRow
  readonly params: Readonly<Record<string, string>>
  /** The base path of the host, without a slash at its end. */
  readonly prefix: string
}

interface Pattern {
  readonly row: CatalogueRow
  /** A parameter has a name, any other segment its text. */
  readonly segments: readonly { readonly text: string; readonly name: string | undefined }[]
  /** Number of literal segments: the pattern with more of them wins. */
  readonly fixed: number
}

const segmentOf = (text: string) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] })

const patternsOf = (row: CatalogueRow): readonly Pattern[] =>
  [...new Set(row.hosts.flatMap((host) => pathsAtHost(row, host)))].map((path) => {
    const segments = path.split('/').slice(1).map(segmentOf)
    return { row, segments, fixed: segments.filter(({ name }) => name === undefined).length }
  })

/** Index by method and number of segments. */
function indexOf(rows: readonly CatalogueRow[]): ReadonlyMap<string, readonly Pattern[]> {
  const index = new Map<string, Pattern[]>()
  for (const pattern of rows.flatMap(patternsOf))
    appendTo(index, `${pattern.row.method} ${pattern.segments.length}`, pattern)
  for (const patterns of index.values()) patterns.sort((a, b) => b.fixed - a.fixed)
  return index
}

const index = indexOf(operations)
const maxSegments = Math.max(
  ...operations.flatMap(patternsOf).map(({ segments }) => segments.length),
)

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Whether the path matches from the segment `start` on. */
const matches = ({ segments }: Pattern, path: readonly string[], start: number): boolean =>
  segments.every(({ text, name }, position) => {
    const value = path[start + position] ?? ''
    return name === undefined ? text === value || text === decoded(value) : value !== ''
  })

function paramsOf(
  { segments }: Pattern,
  path: readonly string[],
  start: number,
): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const [position, { name }] of segments.entries())
    if (name !== undefined) params[name] = decoded(path[start + position] ?? '')
  return params
}

/** The path of an absolute or relative URL, without query and fragment. */
export const urlPath = (url: string): string =>
  /^(?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? ''

/** The operation of a request. When several patterns match the end of the path, the longest wins. */
export function recogniseOperation(method: string, url: string): RecognisedCall | undefined {
  const path = urlPath(url).split('/').slice(1)
  const verb = method.toUpperCase()
  for (let count = Math.min(path.length, maxSegments); count > 0; count--) {
    const start = path.length - count
    const pattern = index.get(`${verb} ${count}`)?.find((each) => matches(each, path, start))
    if (!pattern) continue
    const before = path.slice(0, start)
    return {
      row: pattern.row,
      params: paramsOf(pattern, path, start),
      prefix: before.map((each) => `/${each}`).join(''),
    }
  }
  return undefined
}

/** The members that hold the id of an event, in any capability. */
const eventKeys = ['eventId', 'id'] as const

const maxEvents = 1000

const textAt = (value: unknown, keys: readonly string[]): string | undefined => {
  if (!isUnknownRecord(value)) return undefined
  for (const key of keys) {
    const found = value[key]
    if (typeof found === 'string' && found !== '') return found
  }
  return undefined
}

/** An object with an event id is one event, whatever lists it holds; an object without may hold a list of events. */
function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isUnknownRecord(value)) return []
  for (const each of [value['event'], value])
    if (textAt(each, eventKeys) !== undefined) return [each]
  return Object.values(value).find((each) => Array.isArray(each)) ?? []
}

/** The event ids in a list of events, of objects with an event, or of ids; or in an object that holds such a list. */
function eventIdsIn(value: unknown): readonly string[] {
  return listIn(value)
    .slice(0, maxEvents)
    .flatMap((each) => (typeof each === 'string' ? [each] : (textAt(each, eventKeys) ?? [])))
}

type OrderAndEvents = Pick<Exchange, 'orderId' | 'eventIds'>

/** The order id and event ids of an exchange, as far as its operation and bodies tell. */
export function orderAndEventsOf(
  { row, params }: RecognisedCall,
  { request, reply }: Pick<Exchange, 'request' | 'reply'>,
): OrderAndEvents {
  const called = { operation: row.id }
  const sent = isAcknowledgmentCall(called) || row.webhook !== undefined
  const body = sent
    ? tryParseJson(request.body)
    : isPollCall(called)
      ? tryParseJson(reply?.body)
      : undefined
  const eventIds = eventIdsIn(body)
  const orderId =
    params['orderId'] ?? (row.webhook === undefined ? undefined : textAt(body, ['orderId']))
  return {
    ...compact({ orderId }),
    ...(eventIds.length > 0 ? { eventIds } : {}),
  }
}
