/** Converts a request of a Postman collection to the request that it would send. */
import { compact } from '../../core/base/compact.ts'
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import { type FormPart, encodeMultipart, multipartContentType } from './multipart.ts'
import { substituteVariables, type PostmanVariables, extendVariables } from './postman-variables.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'

export const objectsIn = (value: unknown): readonly UnknownRecord[] =>
  Array.isArray(value) ? value.filter(isUnknownRecord) : []

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)

const isEnabled = (row: UnknownRecord): boolean => row['disabled'] !== true

export interface PostmanRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body?: string
  readonly warn: readonly string[]
}

const joined = (value: unknown, by: string): string =>
  Array.isArray(value)
    ? value.map((each) => (isUnknownRecord(each) ? textOf(each['value']) : textOf(each))).join(by)
    : textOf(value)

const withScheme = (url: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url.replace(/^\/+/, '')}`

function fromParts(url: UnknownRecord): string {
  const port = textOf(url['port'])
  const path = joined(url['path'], '/')
  const query = objectsIn(url['query'])
    .filter(isEnabled)
    .map((row) =>
      row['value'] === null ? textOf(row['key']) : `${textOf(row['key'])}=${textOf(row['value'])}`,
    )
    .join('&')
  return (
    `${textOf(url['protocol']) || 'http'}://${joined(url['host'], '.')}${port === '' ? '' : `:${port}`}` +
    (path === '' ? '' : `/${path.replace(/^\//, '')}`) +
    (query === '' ? '' : `?${query}`)
  )
}

function urlOf(given: unknown, variables: PostmanVariables): string {
  if (!isUnknownRecord(given)) return withScheme(substituteVariables(textOf(given), variables))
  const raw = textOf(given['raw'])
  const written = substituteVariables(raw === '' ? fromParts(given) : raw, variables)
  const ofPath = extendVariables(given['variable'], new Map())
  // `:orderId` in the path is a path variable of this URL only.
  const filled = written.replaceAll(/\/:(\w+)(?=[/?#]|$)/g, (whole, name: string) => {
    const value = ofPath.get(name)
    return value === undefined || value === '' ? whole : `/${substituteVariables(value, variables)}`
  })
  return withScheme(filled)
}

function headersOf(given: unknown, variables: PostmanVariables): HeaderPairs {
  const rows: readonly UnknownRecord[] =
    typeof given === 'string'
      ? given.split(/\r?\n/).flatMap((line) => {
          const cut = line.indexOf(':')
          return cut > 0 ? [{ key: line.slice(0, cut), value: line.slice(cut + 1).trim() }] : []
        })
      : objectsIn(given)
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

export const postmanResponseHeaders = (given: unknown): HeaderPairs => headersOf(given, new Map())

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
    const given = substituteVariables(textOf(graphql['variables']), variables)
    // Variables are hand-written JSON: inserted as text, only if they look like an object.
    const rest = /^\s*\{[\s\S]*\}\s*$/.test(given) ? `,"variables":${given}` : ''
    return {
      text: `{"query":${JSON.stringify(substituteVariables(textOf(graphql['query']), variables))}${rest}}`,
      type: 'application/json',
    }
  },
  file: () => ({ warn: 'the body is a file, which is not in a collection' }),
}

function bodyOf(given: unknown, variables: PostmanVariables): Body {
  if (!isUnknownRecord(given) || given['disabled'] === true) return {}
  const mode = textOf(given['mode'])
  const read = Object.hasOwn(bodies, mode) ? bodies[mode] : undefined
  const body = read?.(given, variables) ?? {}
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

function authOf(given: unknown, variables: PostmanVariables): Auth {
  if (!isUnknownRecord(given)) return {}
  const type = textOf(given['type'])
  const read = Object.hasOwn(auths, type) ? auths[type] : undefined
  return read
    ? read(authValues(given, type, variables))
    : { warn: `its authorization of type ${type} is made when it is sent, and left out` }
}

export interface PostmanScope {
  readonly variables: PostmanVariables
  /** Inherited from the enclosing folders; the auth of the request takes precedence. */
  readonly auth: unknown
}

export function postmanRequestOf(
  given: unknown,
  { variables, auth: inheritedAuth }: PostmanScope,
): PostmanRequest {
  const request: UnknownRecord = isUnknownRecord(given) ? given : { url: given }
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
    url: auth.query === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${auth.query}`,
    headers: [...headers, ...added],
    ...compact({ body: body.text }),
    warn: [body.warn, auth.warn].filter((each) => each !== undefined),
  }
}
