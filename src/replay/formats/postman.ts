/**
 * Imports Postman collections v2.0 and v2.1: an exchange per saved example; a request without examples has no response.
 */
import { compact } from '../../core/base/compact.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createProblemList } from './problem-list.ts'
import { createWholeFileImporter, parsePartialJson } from './whole-file-importer.ts'
import { encodeMultipart, type FormPart, multipartContentType } from './http-message.ts'
import type { CurlRequest } from './curl-request.ts'

/** Substitutes `{{x}}` variables of Postman collections; unknown ones stay as written. */
type PostmanVariables = ReadonlyMap<string, string>

const maxRounds = 10
const maxChars = 1_000_000
const variablePattern = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** Adds a variable list of a collection, folder or environment (`key` or `id`, and a value) to the outer scope. */
function extendVariables(list: unknown, outer: PostmanVariables): PostmanVariables {
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
const unresolvedVariables = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(variablePattern)].map(([, name = '']) =>
      /^[\w.$-]{1,40}$/.test(name) ? name : 'one more',
    ),
  ),
]

/** The variables of an exported environment file, or of a plain object. */
function parseEnvironment(source: unknown): PostmanVariables {
  if (!isUnknownRecord(source)) return new Map()
  if (Array.isArray(source['values'])) return extendVariables(source['values'], new Map())
  return extendVariables(
    Object.entries(source).map(([key, value]) => ({ key, value })),
    new Map(),
  )
}

const objectsIn = (value: unknown): readonly UnknownRecord[] =>
  Array.isArray(value) ? value.filter(isUnknownRecord) : []

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)

const isEnabled = (row: UnknownRecord): boolean => row['disabled'] !== true

type PostmanRequest = CurlRequest

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

function urlOf(source: unknown, variables: PostmanVariables): string {
  if (!isUnknownRecord(source)) return withScheme(substituteVariables(textOf(source), variables))
  const raw = textOf(source['raw'])
  const written = substituteVariables(raw === '' ? fromParts(source) : raw, variables)
  const ofPath = extendVariables(source['variable'], new Map())
  // `:orderId` in the path is a path variable of this URL only.
  const filled = written.replaceAll(/\/:(\w+)(?=[/?#]|$)/g, (whole, name: string) => {
    const value = ofPath.get(name)
    return value === undefined || value === '' ? whole : `/${substituteVariables(value, variables)}`
  })
  return withScheme(filled)
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

const postmanResponseHeaders = (source: unknown): HeaderPairs => headersOf(source, new Map())

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

interface PostmanScope {
  readonly variables: PostmanVariables
  /** Inherited from the enclosing folders; the auth of the request takes precedence. */
  readonly auth: unknown
}

function postmanRequestOf(
  source: unknown,
  { variables, auth: inheritedAuth }: PostmanScope,
): PostmanRequest {
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
    url: auth.query === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${auth.query}`,
    headers: [...headers, ...added],
    ...compact({ body: body.text }),
    warn: [body.warn, auth.warn].filter((each) => each !== undefined),
  }
}

/** Of empty objects forty times as much is held. */
const maxBytes = 32 * 1024 * 1024
const maxDepth = 60

function replyOf(response: UnknownRecord) {
  const status = Number(response['code'])
  const body = response['body']
  if (!Number.isInteger(status) || status < 100 || status > 999) return undefined
  return {
    status,
    headers: postmanResponseHeaders(response['header']),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
  }
}

const durationOf = (response: UnknownRecord): number => {
  const took = Number(response['responseTime'])
  return Number.isFinite(took) ? took : 0
}

interface TimedRequest {
  readonly request: PostmanRequest
  readonly startedAt: number
}

function importedOf(
  { request, startedAt }: TimedRequest,
  response?: UnknownRecord,
): ImportedExchange {
  const { method, url, headers, body, warn } = request
  const reply = response && replyOf(response)
  const open = unresolvedVariables(JSON.stringify([url, headers, body ?? '']))
  return {
    exchange: createForeignExchange({
      startedAt,
      tookMs: response && durationOf(response),
      method,
      url,
      headers,
      body,
      reply,
    }),
    warn: [
      'clock inferred',
      ...warn,
      ...(open.length > 0 ? [`variables left open: ${open.join(', ')}`] : []),
      ...(reply ? [] : ['no response']),
    ],
  }
}

interface Folder extends PostmanScope {
  readonly items: readonly UnknownRecord[]
  readonly depth: number
}

function createImporter(options: ImporterOptions): Importer {
  const problems = createProblemList()

  function itemOf(
    item: UnknownRecord,
    folder: Folder,
    startedAt: number,
  ): readonly ImportedExchange[] {
    const variables = extendVariables(item['variable'], folder.variables)
    const place = { variables, auth: folder.auth }
    const asked = { request: postmanRequestOf(item['request'], place), startedAt }
    const examples = objectsIn(item['response'])
    if (examples.length === 0) return [importedOf(asked)]
    return examples.map((example, index) => {
      const original = example['originalRequest']
      const request = original === undefined ? asked.request : postmanRequestOf(original, place)
      return importedOf({ request, startedAt: startedAt + index }, example)
    })
  }

  /** Depth-first in display order; iterative, since nesting is controlled by the file. */
  function exchangesIn(collection: UnknownRecord): readonly ImportedExchange[] {
    const found: ImportedExchange[] = []
    const variables = extendVariables(collection['variable'], parseEnvironment(options.mapping))
    const open: { readonly folder: Folder; next: number }[] = []
    const enter = (folder: Folder) => open.push({ folder, next: 0 })
    enter({
      items: objectsIn(collection['item']),
      variables,
      auth: collection['auth'],
      depth: 1,
    })
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const item = at.folder.items[at.next++]
      if (!item) open.pop()
      else if (item['request'] !== undefined)
        found.push(...itemOf(item, at.folder, options.now + found.length))
      else if (at.folder.depth >= maxDepth)
        problems.add('the file', `folders deeper than ${maxDepth} were left out`)
      else
        enter({
          items: objectsIn(item['item']),
          variables: extendVariables(item['variable'], at.folder.variables),
          auth: item['auth'] ?? at.folder.auth,
          depth: at.folder.depth + 1,
        })
    }
    return found
  }

  function read(text: string): readonly ImportedExchange[] {
    const partial = parsePartialJson(text)
    if (!partial) {
      problems.add('byte 0', 'it is no JSON document', true)
      return []
    }
    if (!partial.isWhole) {
      const bytes = new TextEncoder().encode(text.slice(0, partial.readChars)).length
      problems.add(
        `byte ${bytes}`,
        'behind it the document is damaged; what comes before was read',
        true,
      )
    }
    // Exports of the Postman API are wrapped in `collection`.
    const outer: UnknownRecord = isUnknownRecord(partial.value) ? partial.value : {}
    const inner = outer['collection']
    const collection = isUnknownRecord(inner) ? inner : outer
    if (!Array.isArray(collection['item'])) {
      problems.add(
        'the file',
        'it is no collection of version 2: it has no items. Export it as v2.1',
        true,
      )
      return []
    }
    return exchangesIn(collection)
  }

  return createWholeFileImporter({
    maxBytes,
    problems,
    tooLarge: [`byte ${maxBytes}`, `a collection of more than ${maxBytes} bytes is not read`],
    read,
    creator: { name: 'Postman' },
  })
}

export const postmanFormat = defineFormat({
  name: 'postman',
  summary: 'collections of Postman, v2.0 and v2.1; the mapping may be an environment',
  fileExtensions: ['.postman_collection.json', '.postman.json'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    if (/schema\.(?:get)?postman\.com/.test(text)) return 0.95
    return /"_postman_id"/.test(text) ? 0.8 : 0
  },
  importer: createImporter,
})
