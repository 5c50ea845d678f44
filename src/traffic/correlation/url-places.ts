/** The places of a URL and of a form: segments of the path, values of the query. What stays keeps its very spelling. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import type { Exchange, HeaderPairs } from '../exchange.ts'
import { decode, encode } from '../redaction/pairs.ts'

const parts = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is

/** What may stand in a path or a query as it is, and what then has to be escaped all the same. */
const pathMarks = [':', '@', '!', '$', '&', "'", '(', ')', '*', '+', ',', ';', '='] as const
const queryMarks = [':', '@', '!', '$', "'", '(', ')', '*', ',', ';', '/', '?'] as const

/** Escaped as the text was in whose place it comes: a colon that stood there bare stays bare. */
function encodeLike(value: string, raw: string, marks: readonly string[]): string {
  let text = encode(value)
  for (const mark of marks)
    if (raw.includes(mark)) text = text.replaceAll(encodeURIComponent(mark), mark)
  return marks === queryMarks && raw.includes('+') ? text.replaceAll('%20', '+') : text
}

/** Names and values joined by `=` and `&`, with what `edit` answers for a value. */
export function editPairs(
  text: string,
  edit: (name: string, value: string, index: number) => string | undefined,
): string {
  const counts = new Map<string, number>()
  return text
    .split('&')
    .map((pair) => {
      const cut = pair.indexOf('=')
      if (cut < 0) return pair
      const name = decode(pair.slice(0, cut))
      const index = counts.get(name) ?? 0
      counts.set(name, index + 1)
      const raw = pair.slice(cut + 1)
      const value = decode(raw)
      const next = edit(name, value, index)
      return next === undefined || next === value
        ? pair
        : pair.slice(0, cut + 1) + encodeLike(next, raw, queryMarks)
    })
    .join('&')
}

export interface UrlEdit {
  /** A segment of the path by its place, from 0. */
  readonly path: (index: number, value: string) => string | undefined
  readonly query: (name: string, value: string, index: number) => string | undefined
}

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)

/** `+` is no space in a path. */
const decodeSegment = (segment: string): string => decode(segment.replaceAll('+', '%2B'))

export function editUrl(url: string, edit: UrlEdit): string {
  const match = parts.exec(url)
  if (!match) return url
  const [, base = '', path = '', query = '', fragment = ''] = match
  const edited = path
    .split('/')
    .map((segment, place) => {
      if (place === 0 || segment === '') return segment
      const value = decodeSegment(segment)
      const next = edit.path(place - 1, value)
      return next === undefined || next === value ? segment : encodeLike(next, segment, pathMarks)
    })
    .join('/')
  const asked = query.length > 1 ? `?${editPairs(query.slice(1), edit.query)}` : query
  return base + edited + asked + fragment
}

const routesOf = new Map<string, readonly (readonly string[])[]>()

/** The paths of an operation as segments, the longest first: it says the most. */
function routes(id: NonNullable<Exchange['operation']>): readonly (readonly string[])[] {
  const known = routesOf.get(id)
  if (known) return known
  const { path, aliases = [] } = rowOf(id)
  const made = [path, ...aliases]
    .map((each) => segmentsOf(each))
    .toSorted((a, b) => b.length - a.length)
  routesOf.set(id, made)
  return made
}

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}')

/** Whether a route is what the path ends with; a base may stand before it. */
const fits = (route: readonly string[], segments: readonly string[]): boolean =>
  route.length <= segments.length &&
  route.every((segment, place) => {
    const found = segments[segments.length - route.length + place]
    return isParameter(segment) ? found !== '' : found === segment
  })

const none: ReadonlyMap<number, string> = new Map()

/** Which segments of the path are parameters, and their names: by the route, or where the recorded value stands. */
export function pathNames({ operation, params, request }: Exchange): ReadonlyMap<number, string> {
  const segments = segmentsOf(parts.exec(request.url)?.[2] ?? '')
  const route =
    operation === undefined ? undefined : routes(operation).find((each) => fits(each, segments))
  if (route) {
    if (!route.some(isParameter)) return none
    const shift = segments.length - route.length
    return new Map(
      route.flatMap((segment, place) =>
        isParameter(segment) ? [[shift + place, segment.slice(1, -1)] as const] : [],
      ),
    )
  }
  if (!params) return none
  return new Map(
    Object.entries(params).flatMap(([name, value]) => {
      const place = segments.findLastIndex((segment) => decodeSegment(segment) === value)
      return place < 0 ? [] : [[place, name] as const]
    }),
  )
}

export const isForm = (headers: HeaderPairs): boolean =>
  headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' &&
      value.toLowerCase().startsWith('application/x-www-form-urlencoded'),
  )
