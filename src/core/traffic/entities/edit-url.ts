/** Edits path segments and query values of a URL, and form fields. Unchanged parts keep their spelling. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import type { Exchange, HeaderPairs } from '../exchange.ts'
import { formDecode, percentEncode } from '../redaction/percent-encoding.ts'
import { memoise } from '../memoise.ts'

const urlParts = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is

/** Characters that are legal in a path or query and that `encode` escapes all the same. */
const pathMarks = [':', '@', '!', '$', '&', "'", '(', ')', '*', '+', ',', ';', '='] as const
const queryMarks = [':', '@', '!', '$', "'", '(', ')', '*', ',', ';', '/', '?'] as const

/** Escapes like the text that it replaces: a bare colon stays bare. */
function encodeLike(value: string, raw: string, marks: readonly string[]): string {
  let text = percentEncode(value)
  for (const mark of marks)
    if (raw.includes(mark)) text = text.replaceAll(encodeURIComponent(mark), mark)
  return marks === queryMarks && raw.includes('+') ? text.replaceAll('%20', '+') : text
}

/** Edits the values of `name=value&…` pairs. */
export function editFormPairs(
  text: string,
  edit: (name: string, value: string, index: number) => string | undefined,
): string {
  const counts = new Map<string, number>()
  return text
    .split('&')
    .map((pair) => {
      const cut = pair.indexOf('=')
      if (cut < 0) return pair
      const name = formDecode(pair.slice(0, cut))
      const index = counts.get(name) ?? 0
      counts.set(name, index + 1)
      const raw = pair.slice(cut + 1)
      const value = formDecode(raw)
      const next = edit(name, value, index)
      return next === undefined || next === value
        ? pair
        : pair.slice(0, cut + 1) + encodeLike(next, raw, queryMarks)
    })
    .join('&')
}

export interface UrlEdit {
  /** A path segment by its index, from 0. */
  readonly path: (index: number, value: string) => string | undefined
  readonly query: (name: string, value: string, index: number) => string | undefined
}

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)

/** `+` is not a space in a path. */
const decodeSegment = (segment: string): string => formDecode(segment.replaceAll('+', '%2B'))

export function editUrl(url: string, edit: UrlEdit): string {
  const match = urlParts.exec(url)
  if (!match) return url
  const [, base = '', path = '', query = '', fragment = ''] = match
  const edited = path
    .split('/')
    .map((segment, position) => {
      if (position === 0 || segment === '') return segment
      const value = decodeSegment(segment)
      const next = edit.path(position - 1, value)
      return next === undefined || next === value ? segment : encodeLike(next, segment, pathMarks)
    })
    .join('/')
  const editedQuery = query.length > 1 ? `?${editFormPairs(query.slice(1), edit.query)}` : query
  return base + edited + editedQuery + fragment
}

/** Paths of an operation as segments, the longest (most specific) first. */
const routes = memoise(
  1000,
  (id: NonNullable<Exchange['operation']>): readonly (readonly string[])[] => {
    const { path, aliases = [] } = rowOf(id)
    return [path, ...aliases].map(segmentsOf).toSorted((a, b) => b.length - a.length)
  },
)

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}')

/** Whether the path ends with the route; a base path may precede it. */
const matchesRouteEnd = (route: readonly string[], segments: readonly string[]): boolean =>
  route.length <= segments.length &&
  route.every((segment, position) => {
    const found = segments[segments.length - route.length + position]
    return isParameter(segment) ? found !== '' : found === segment
  })

const none: ReadonlyMap<number, string> = new Map()

/** Names of the path segments that are parameters, by the route; without a matching route, by their recorded values. */
export function pathParameterNames({
  operation,
  params,
  request,
}: Exchange): ReadonlyMap<number, string> {
  const segments = segmentsOf(urlParts.exec(request.url)?.[2] ?? '')
  const route =
    operation === undefined
      ? undefined
      : routes(operation).find((each) => matchesRouteEnd(each, segments))
  if (route) {
    if (!route.some(isParameter)) return none
    const shift = segments.length - route.length
    return new Map(
      route.flatMap((segment, position) =>
        isParameter(segment) ? [[shift + position, segment.slice(1, -1)] as const] : [],
      ),
    )
  }
  if (!params) return none
  return new Map(
    Object.entries(params).flatMap(([name, value]) => {
      const position = segments.findLastIndex((segment) => decodeSegment(segment) === value)
      return position < 0 ? [] : [[position, name] as const]
    }),
  )
}

export const isFormMessage = (headers: HeaderPairs): boolean =>
  headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' &&
      value.toLowerCase().startsWith('application/x-www-form-urlencoded'),
  )
