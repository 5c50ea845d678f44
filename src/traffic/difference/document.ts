/** A request or a reply as one JSON document: what rules point into, and what is compared. */
import type { Exchange } from '../exchange.ts'
import { comparedHeaders } from './headers.ts'
import { parseJson } from './json.ts'

export type Side = 'request' | 'reply'

export interface Document {
  readonly [part: string]: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

const typeOf = (headers: Readonly<Record<string, string>>): string => headers['content-type'] ?? ''

/** The fields of a form or a query: a list where a name comes again. */
function fieldsOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  // A field may be called like anything, `__proto__` too.
  const fields = new Map<string, string | readonly string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(fields)
}

/** A body as what it means: JSON, the fields of a form, else its text. */
export function bodyOf(text: string | undefined, type: string): { readonly body?: unknown } {
  if (text === undefined || text === '') return {}
  if (type.includes('x-www-form-urlencoded')) return { body: fieldsOf(text) }
  const isJson = type.includes('json') || /^\s*[[{]/.test(text)
  const parsed = isJson ? parseJson(text) : undefined
  return { body: parsed ? parsed.value : text }
}

/** Path and query of a URL; the host is where it happened to run. */
function targetOf({ url }: Exchange['request']): {
  readonly path: string
  readonly query: string
} {
  const bare = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '')
  const at = bare.indexOf('?')
  return at < 0 ? { path: bare, query: '' } : { path: bare.slice(0, at), query: bare.slice(at + 1) }
}

/**
 * A known operation is told by its parameters, so that a path under another prefix is the same one. A `bare` document is
 * one without its body.
 */
export function requestDocument({ request, operation, params }: Exchange, bare = false): Document {
  const headers = comparedHeaders(request.headers)
  const { path, query } = targetOf(request)
  return {
    method: request.method.toUpperCase(),
    path: operation === undefined ? path : (params ?? {}),
    query: query === '' ? {} : fieldsOf(query),
    headers,
    ...(bare ? {} : bodyOf(request.body, typeOf(headers))),
  }
}

/** Without a reply its status is 0. */
export function replyDocument({ reply }: Exchange, bare = false): Document {
  if (!reply) return { status: 0, headers: {} }
  const headers = comparedHeaders(reply.headers)
  return { status: reply.status, headers, ...(bare ? {} : bodyOf(reply.body, typeOf(headers))) }
}
