/**
 * Requests and replies as HTTP archives write them, which no two programs do alike: read for what they mean, with a
 * remark where something had to be assumed. Nothing is refused; the archive's own words stay in the recording.
 */
import type { ExchangeReply, ExchangeRequest, HeaderPairs } from './exchange.ts'
import { utf8Length } from './recording/parts.ts'
import { bytesFromBase64, textOf } from './redaction/base64.ts'

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes what had to be assumed; the same remark may come more than once. */
type Warn = (remark: string) => void

const silent: Warn = () => undefined
const nothing: Members = {}

const membersOf = (value: unknown): Members => (isMembers(value) ? value : nothing)

/** Some write numbers, lists and nothing at all where the standard asks for a text. */
function textFrom(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return JSON.stringify(value)
}

/** Some write an object of names and values where the standard asks for a list. */
function rowsOf(value: unknown): readonly Members[] {
  if (Array.isArray(value)) return value.filter(isMembers)
  return Object.entries(membersOf(value)).map(([name, each]) => ({ name, value: each }))
}

/** HTTP/2 puts the request line among the headers: `:authority` is no header that anybody can send. */
const isPseudo = (name: string): boolean => name.startsWith(':')

function headersIn(value: unknown, warn: Warn): HeaderPairs {
  const pairs: (readonly [string, string])[] = []
  for (const row of rowsOf(value)) {
    const name = textFrom(row['name'])
    if (name === '' || isPseudo(name)) continue
    if (typeof row['value'] !== 'string') warn('a header value is no text')
    pairs.push([name, textFrom(row['value'])])
  }
  return pairs
}

/**
 * A body that says it is base64. Many say so and write plain text, so it is believed when it decodes, and what it
 * decodes to has the size that stands beside it, or nothing speaks for the text as it stands.
 */
function decoded(text: string, size: unknown, warn: Warn): string | undefined {
  const bytes = bytesFromBase64(text)
  const plain = bytes && textOf(bytes)
  const isSized = typeof size === 'number' && size >= 0
  if (bytes && isSized && size === bytes.length) {
    if (plain === undefined) warn('a binary body stays in the entry alone')
    return plain
  }
  if (plain !== undefined && !(isSized && size === utf8Length(text))) return plain
  warn('a body says base64 and is plain text')
  return text
}

function bodyIn(holder: Members, size: unknown, warn: Warn): string | undefined {
  const { text, encoding } = holder
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string') warn('a body is no text')
  const said = textFrom(text)
  return typeof encoding === 'string' && encoding.toLowerCase() === 'base64' && said !== ''
    ? decoded(said, size, warn)
    : said
}

/** Older browsers write parameters in code, newer ones plain: what is code already is not coded again. */
const coded = (text: string): string =>
  /[^\w.~+*%-]|%(?![\da-f]{2})/i.test(text) ? encodeURIComponent(text.toWellFormed()) : text

function formOf(params: readonly Members[]): string {
  return params
    .map(({ name, value }) => `${coded(textFrom(name))}=${coded(textFrom(value))}`)
    .join('&')
}

function partsOf(params: readonly Members[], boundary: string): string {
  const parts = params.map(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? '' : `; filename="${textFrom(fileName)}"`
    const type = contentType === undefined ? '' : `\r\nContent-Type: ${textFrom(contentType)}`
    const head = `Content-Disposition: form-data; name="${textFrom(name)}"${file}${type}`
    return `--${boundary}\r\n${head}\r\n\r\n${textFrom(value)}\r\n`
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

/** `text` goes before `params`: where both stand, the parameters are what some browser read out of the text. */
function postedIn(posted: unknown, size: unknown, warn: Warn): string | undefined {
  if (!isMembers(posted)) return undefined
  const params = rowsOf(posted['params'])
  const text = bodyIn(posted, size, warn)
  // Some write an empty form beside every request.
  if (text === '' && params.length === 0 && textFrom(posted['mimeType']) === '') return undefined
  if ((text !== undefined && text !== '') || params.length === 0) return text
  warn('a body was put together from its parameters')
  const boundary = /multipart\/.*boundary="?([^";]+)/i.exec(textFrom(posted['mimeType']))?.[1]
  return boundary === undefined ? formOf(params) : partsOf(params, boundary)
}

/** The request of an entry. */
export function requestIn(value: unknown, warn: Warn = silent): ExchangeRequest {
  const said = membersOf(value)
  const method = textFrom(said['method'])
  if (method === '') warn('a request without a method is taken for GET')
  const body = postedIn(said['postData'], said['bodySize'], warn)
  return {
    method: method === '' ? 'GET' : method,
    url: textFrom(said['url']),
    headers: headersIn(said['headers'], warn),
    ...(body === undefined ? {} : { body }),
  }
}

/** The reply of an entry; undefined when nobody answered, which archives write as status 0. */
export function replyIn(value: unknown, warn: Warn = silent): ExchangeReply | undefined {
  const said = membersOf(value)
  const status = Number(said['status'])
  if (!Number.isInteger(status) || status <= 0) return undefined
  const content = membersOf(said['content'])
  const body = bodyIn(content, content['size'], warn)
  return {
    status,
    headers: headersIn(said['headers'], warn),
    ...(body === undefined ? {} : { body }),
  }
}

const reasons = ['_error', '_failureText', '_errorText', 'statusText'] as const

/** Why nobody answered, in the words of the archive: in each of them, another member says it. */
export function failureIn(entry: Members): { readonly code: string; readonly message: string } {
  const response = membersOf(entry['response'])
  for (const holder of [response, entry])
    for (const name of reasons) {
      const said = textFrom(holder[name])
      if (said !== '')
        return { code: /[A-Z][A-Z_]{3,}/.exec(said)?.[0] ?? 'NO_REPLY', message: said }
    }
  return { code: 'NO_REPLY', message: 'the archive has no reply' }
}
