/** A request of a Postman collection as it would be sent: its URL, headers, body and authorization, with variables. */
import { compact } from '../../core/base/compact.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { encodeIn, percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'
import type { CurlRequest } from './curl-request.ts'
import { addQuery, withScheme } from './curl-url.ts'
import { encodeMultipart, type FormPart, multipartContentType } from './http-message.ts'

/** Substitutes `{{x}}` variables of Postman collections; unknown ones stay as written. */
type PostmanVariables = ReadonlyMap<string, string>

const maxRounds = 10
const maxChars = 1_000_000
const variablePattern = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** Adds a variable list of a collection, folder or environment (`key` or `id`, and a value) to the outer scope. */
export function extendVariables(list: unknown, outer: PostmanVariables): PostmanVariables {
  if (!Array.isArray(list) || list.length === 0) return outer
  const all = new Map(outer)
  for (const each of list as readonly unknown[]) {
    if (!isUnknownRecord(each) || each['disabled'] === true || each['enabled'] === false) continue
    const key = each['key'] ?? each['id']
    const value = each['value']
    if (typeof key !== 'string' || value === undefined || value === null) continue
    all.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return all
}

/** Length after substitution, checked beforehand: nested variables can expand exponentially. */
function lengthOf(text: string, variables: PostmanVariables): number {
  let { length } = text
  for (const [whole, name = ''] of text.matchAll(variablePattern))
    length += (variables.get(name) ?? whole).length - whole.length
  return length
}

/** Variables may contain others, and themselves: rounds and length are bounded. */
function substituteVariables(text: string, variables: PostmanVariables): string {
  let current = text
  for (let round = 0; round < maxRounds && current.includes('{{'); round++) {
    if (lengthOf(current, variables) > maxChars) break
    const next = current.replaceAll(
      variablePattern,
      (whole, name: string) => variables.get(name) ?? whole,
    )
    if (next === current) break
    current = next
  }
  return current
}

/** Names of unresolved variables; text that does not look like a name is not quoted, since it may be a secret. */
export const unresolvedVariables = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(variablePattern)].map(([, name = '']) =>
      /^[\w.$-]{1,40}$/.test(name) ? name : 'one more',
    ),
  ),
]

/** The variables of an exported environment file, or of a plain object. */
export function parseEnvironment(source: unknown): PostmanVariables {
  if (!isUnknownRecord(source)) return new Map()
  if (Array.isArray(source['values'])) return extendVariables(source['values'], new Map())
  return extendVariables(
    Object.entries(source).map(([key, value]) => ({ key, value })),
    new Map(),
  )
}

export const objectsIn = (value: unknown): readonly UnknownRecord[] =>
  Array.isArray(value) ? value.filter(isUnknownRecord) : []

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)

const isEnabled = (row: UnknownRecord): boolean => row['disabled'] !== true

const joined = (value: unknown, by: string): string =>
  Array.isArray(value)
    ? value.map((each) => (isUnknownRecord(each) ? textOf(each['value']) : textOf(each))).join(by)
    : textOf(value)

/** As Postman does when it sends a request: the braces of a variable that is left open stay. */
const notInPath = /[^\x21-\x7E]|["<>`?#]/gu
const notInValue = /[^\x21-\x7E]|["<>'&#]/gu
const notInName = /[^\x21-\x7E]|["<>'&#=]/gu

/** The URL without query and fragment. */
function fromParts(url: UnknownRecord): string {
  const port = textOf(url['port'])
  const path = joined(url['path'], '/')
  return (
    `${textOf(url['protocol']) || 'http'}://${joined(url['host'], '.')}${port === '' ? '' : `:${port}`}` +
    (path === '' ? '' : `/${path.replace(/^\//, '')}`)
  )
}

/** The enabled parameters, each value as one: a sign in it that separates parameters is encoded. */
function queryOf(rows: readonly UnknownRecord[], variables: PostmanVariables): string {
  const encoded = (value: unknown, reserved: RegExp): string =>
    encodeIn(substituteVariables(textOf(value), variables), reserved)
  return rows
    .filter(isEnabled)
    .map(({ key, value }) =>
      value === null || value === undefined
        ? encoded(key, notInName)
        : `${encoded(key, notInName)}=${encoded(value, notInValue)}`,
    )
    .join('&')
}

const urlParts = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/

function urlOf(source: unknown, variables: PostmanVariables): string {
  const url: UnknownRecord = isUnknownRecord(source) ? source : { raw: source }
  const rows = objectsIn(url['query'])
  const filledIn = (text: string): string => substituteVariables(text, variables)
  const raw = textOf(url['raw'])
  // A sign in the value of a parameter ends nothing: the parameters have rows of their own.
  const [, bare = '', query = '', fragment = ''] =
    urlParts.exec(rows.length > 0 ? raw : filledIn(raw)) ?? []
  const whole = filledIn(bare === '' ? fromParts(url) : bare)
  const ofPath = extendVariables(url['variable'], new Map())
  // `:orderId` in the path is a path variable of this URL only.
  const filled = whole.replaceAll(/\/:(\w+)(?=\/|$)/g, (written, name: string) => {
    const value = ofPath.get(name)
    if (value === undefined || value === '') return written
    return `/${encodeIn(filledIn(value), notInPath)}`
  })
  const [, host = '', path = ''] = /^((?:[a-z][\w+.-]*:\/\/)?[^/]*)([^]*)$/i.exec(filled) ?? []
  const ending = encodeIn(rows.length > 0 ? filledIn(fragment) : query + fragment)
  const full = addQuery(host + encodeIn(path, notInPath) + ending, queryOf(rows, variables))
  return withScheme(full.replace(/^\/+/, ''))
}

function headersOf(source: unknown, variables: PostmanVariables): HeaderPairs {
  const rows: readonly UnknownRecord[] =
    typeof source === 'string'
      ? source.split(/\r?\n/).flatMap((line) => {
          const cut = line.indexOf(':')
          return cut > 0 ? [{ key: line.slice(0, cut), value: line.slice(cut + 1).trim() }] : []
        })
      : objectsIn(source)
  return rows
    .filter((row) => isEnabled(row) && textOf(row['key']) !== '')
    .map(
      (row) =>
        [
          substituteVariables(textOf(row['key']), variables),
          substituteVariables(textOf(row['value']), variables),
        ] as const,
    )
}

export const postmanResponseHeaders = (source: unknown): HeaderPairs => headersOf(source, new Map())

interface Body {
  readonly text?: string
  readonly type?: string
  readonly warn?: string
}

const languages: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['html', 'text/html'],
  ['javascript', 'application/javascript'],
  ['text', 'text/plain'],
])

type BodyOf = (body: UnknownRecord, variables: PostmanVariables) => Body

function languageOf(body: UnknownRecord): string | undefined {
  const options = body['options']
  const raw = isUnknownRecord(options) ? options['raw'] : undefined
  return isUnknownRecord(raw) ? textOf(raw['language']) : undefined
}

function formData(body: UnknownRecord, variables: PostmanVariables): Body {
  const rows = objectsIn(body['formdata']).filter(isEnabled)
  const parts = rows.map((row): FormPart => {
    const name = substituteVariables(textOf(row['key']), variables)
    const type = textOf(row['contentType'])
    const rest = type === '' ? {} : { type }
    if (row['type'] !== 'file')
      return { name, value: substituteVariables(textOf(row['value']), variables), ...rest }
    return { name, value: '', fileName: joined(row['src'], ','), ...rest }
  })
  const files = rows.filter((row) => row['type'] === 'file').length
  return {
    text: encodeMultipart(parts),
    type: multipartContentType,
    ...(files > 0 ? { warn: 'the contents of files are not in a collection' } : {}),
  }
}

const bodies: Readonly<Record<string, BodyOf>> = {
  raw: (body, variables) => {
    const type = languages.get(languageOf(body) ?? '')
    return {
      text: substituteVariables(textOf(body['raw']), variables),
      ...compact({ type }),
    }
  },
  urlencoded: (body, variables) => ({
    text: objectsIn(body['urlencoded'])
      .filter(isEnabled)
      .map((row) =>
        [row['key'], row['value']]
          .map((each) => percentEncode(substituteVariables(textOf(each), variables)))
          .join('='),
      )
      .join('&'),
    type: 'application/x-www-form-urlencoded',
  }),
  formdata: formData,
  graphql: (body, variables) => {
    const graphql = isUnknownRecord(body['graphql']) ? body['graphql'] : {}
    const source = substituteVariables(textOf(graphql['variables']), variables)
    // Variables are hand-written JSON: inserted as text, only if they look like an object.
    const rest = /^\s*\{[\s\S]*\}\s*$/.test(source) ? `,"variables":${source}` : ''
    return {
      text: `{"query":${JSON.stringify(substituteVariables(textOf(graphql['query']), variables))}${rest}}`,
      type: 'application/json',
    }
  },
  file: () => ({ warn: 'the body is a file, which is not in a collection' }),
}

function bodyOf(source: unknown, variables: PostmanVariables): Body {
  if (!isUnknownRecord(source) || source['disabled'] === true) return {}
  const mode = textOf(source['mode'])
  const read = Object.hasOwn(bodies, mode) ? bodies[mode] : undefined
  const body = read?.(source, variables) ?? {}
  return body.text === '' ? {} : body
}

/** The values of an auth block: a list of key/value rows in v2.1, an object in v2.0. */
function authValues(
  auth: UnknownRecord,
  type: string,
  variables: PostmanVariables,
): PostmanVariables {
  const block = auth[type]
  const rows = Array.isArray(block)
    ? block
    : Object.entries(isUnknownRecord(block) ? block : {}).map(([key, value]) => ({ key, value }))
  const values = extendVariables(rows, new Map())
  return new Map([...values].map(([key, value]) => [key, substituteVariables(value, variables)]))
}

interface Auth {
  readonly header?: readonly [string, string]
  readonly query?: string
  readonly warn?: string
}

const auths: Readonly<Record<string, (values: PostmanVariables) => Auth>> = {
  noauth: () => ({}),
  bearer: (values) => ({ header: ['Authorization', `Bearer ${values.get('token') ?? ''}`] }),
  basic: (values) => ({
    header: [
      'Authorization',
      `Basic ${textToBase64(`${values.get('username') ?? ''}:${values.get('password') ?? ''}`, 'plain')}`,
    ],
  }),
  apikey: (values) => {
    const key = values.get('key') ?? 'X-Api-Key'
    const value = values.get('value') ?? ''
    return values.get('in') === 'query'
      ? { query: `${percentEncode(key)}=${percentEncode(value)}` }
      : { header: [key, value] }
  },
  oauth2: (values) => {
    const token = values.get('accessToken')
    const prefix = values.get('headerPrefix') ?? 'Bearer'
    return token === undefined || token === ''
      ? { warn: 'the token of its authorization is not in the collection' }
      : { header: ['Authorization', `${prefix.trim()} ${token}`] }
  },
}

function authOf(source: unknown, variables: PostmanVariables): Auth {
  if (!isUnknownRecord(source)) return {}
  const type = textOf(source['type'])
  const read = Object.hasOwn(auths, type) ? auths[type] : undefined
  return read
    ? read(authValues(source, type, variables))
    : { warn: `its authorization of type ${type} is made when it is sent, and left out` }
}

export interface PostmanScope {
  readonly variables: PostmanVariables
  /** Inherited from the enclosing folders; the auth of the request takes precedence. */
  readonly auth: unknown
}

export function postmanRequestOf(
  source: unknown,
  { variables, auth: inheritedAuth }: PostmanScope,
): CurlRequest {
  const request: UnknownRecord = isUnknownRecord(source) ? source : { url: source }
  const headers = headersOf(request['header'], variables)
  const body = bodyOf(request['body'], variables)
  const auth = authOf(request['auth'] ?? inheritedAuth, variables)
  const added: (readonly [string, string])[] = []
  if (auth.header && headerValue(headers, auth.header[0].toLowerCase()) === undefined)
    added.push(auth.header)
  if (body.type !== undefined && headerValue(headers, 'content-type') === undefined)
    added.push(['Content-Type', body.type])
  const url = urlOf(request['url'], variables)
  return {
    method: (substituteVariables(textOf(request['method']), variables) || 'GET').toUpperCase(),
    url: addQuery(url, auth.query ?? ''),
    headers: [...headers, ...added],
    ...compact({ body: body.text }),
    warn: [body.warn, auth.warn].filter((each) => each !== undefined),
  }
}
