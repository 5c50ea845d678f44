/**
 * Reads requests and replies of HAR entries leniently: programs deviate from the format in many ways. Warns where
 * something had to be assumed and refuses nothing; the original entry stays in the recording.
 */
import { compact } from '../base/compact.ts'
import {
  type ExchangeReply,
  type ExchangeRequest,
  fieldLines,
  type HeaderPairs,
} from './exchange.ts'
import { bytesFromBase64, decodeUtf8 } from './redaction/base64.ts'
import { isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'

/** Receives each assumption; the same remark may come more than once. */
type Warn = (remark: string) => void

const silent: Warn = () => undefined
const emptyObject: UnknownRecord = {}

const membersOf = (value: unknown): UnknownRecord => (isUnknownRecord(value) ? value : emptyObject)

/** Some programs write numbers, lists or null where the format asks for a string. */
function textFrom(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return JSON.stringify(value)
}

/** Some programs write an object of names and values where the format asks for a list. */
function rowsOf(value: unknown): readonly UnknownRecord[] {
  if (Array.isArray(value)) return value.filter(isUnknownRecord)
  return Object.entries(membersOf(value)).map(([name, each]) => ({ name, value: each }))
}

/** HTTP/2 pseudo-headers (`:authority`) are part of the request line and no headers. */
const isPseudo = (name: string): boolean => name.startsWith(':')

function headersIn(value: unknown, warn: Warn): HeaderPairs {
  const pairs: (readonly [string, string])[] = []
  for (const row of rowsOf(value)) {
    const name = textFrom(row['name'])
    if (name === '' || isPseudo(name)) continue
    for (const each of Array.isArray(row['value']) ? row['value'] : [row['value']]) {
      if (typeof each !== 'string') warn('a header value is no text')
      for (const line of fieldLines(textFrom(each))) pairs.push([name, line])
    }
  }
  return pairs
}

/**
 * A body marked as base64. Many programs mark plain text so. It is decoded when it is valid base64 and the stated size
 * is that of the decoded bytes, or the size does not speak for plain text.
 */
function decoded(text: string, size: unknown, warn: Warn): string | undefined {
  const bytes = bytesFromBase64(text)
  const plain = bytes && decodeUtf8(bytes)
  const isSized = typeof size === 'number' && size >= 0
  if (bytes && isSized && size === bytes.length) {
    if (plain === undefined) warn('a binary body stays in the entry alone')
    return plain
  }
  if (plain !== undefined && !(isSized && size === Buffer.byteLength(text))) return plain
  warn('a body says base64 and is plain text')
  return text
}

function bodyIn(holder: UnknownRecord, size: unknown, warn: Warn): string | undefined {
  const { text, encoding } = holder
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string') warn('a body is no text')
  const source = textFrom(text)
  return typeof encoding === 'string' && encoding.toLowerCase() === 'base64' && source !== ''
    ? decoded(source, size, warn)
    : source
}

/** Older browsers write form parameters percent-encoded, newer ones plain: encoded text is not encoded again. */
const percentEncode = (text: string): string =>
  /[^\w.~+*%-]|%(?![\da-f]{2})/i.test(text) ? encodeURIComponent(text.toWellFormed()) : text

function formOf(params: readonly UnknownRecord[]): string {
  return params
    .map(({ name, value }) => `${percentEncode(textFrom(name))}=${percentEncode(textFrom(value))}`)
    .join('&')
}

function partsOf(params: readonly UnknownRecord[], boundary: string): string {
  const parts = params.map(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? '' : `; filename="${textFrom(fileName)}"`
    const type = contentType === undefined ? '' : `\r\nContent-Type: ${textFrom(contentType)}`
    const head = `Content-Disposition: form-data; name="${textFrom(name)}"${file}${type}`
    return `--${boundary}\r\n${head}\r\n\r\n${textFrom(value)}\r\n`
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

/** `text` takes precedence over `params`, which a browser parsed from it. */
function postedIn(posted: unknown, size: unknown, warn: Warn): string | undefined {
  if (!isUnknownRecord(posted)) return undefined
  const params = rowsOf(posted['params'])
  const text = bodyIn(posted, size, warn)
  // Some programs write an empty form beside every request.
  if (text === '' && params.length === 0 && textFrom(posted['mimeType']) === '') return undefined
  if ((text !== undefined && text !== '') || params.length === 0) return text
  warn('a body was put together from its parameters')
  const boundary = /multipart\/.*boundary="?([^";]+)/i.exec(textFrom(posted['mimeType']))?.[1]
  return boundary === undefined ? formOf(params) : partsOf(params, boundary)
}

/** The request of a HAR entry. */
export function parseHarRequest(value: unknown, warn: Warn = silent): ExchangeRequest {
  const source = membersOf(value)
  const method = textFrom(source['method'])
  if (method === '') warn('a request without a method is taken for GET')
  const body = postedIn(source['postData'], source['bodySize'], warn)
  return {
    method: method === '' ? 'GET' : method,
    url: textFrom(source['url']),
    headers: headersIn(source['headers'], warn),
    ...compact({ body }),
  }
}

/** The reply of a HAR entry; undefined without one, which archives write as status 0. */
export function parseHarReply(value: unknown, warn: Warn = silent): ExchangeReply | undefined {
  const source = membersOf(value)
  const status = Number(source['status'])
  if (!Number.isInteger(status) || status <= 0) return undefined
  const content = membersOf(source['content'])
  const body = bodyIn(content, content['size'], warn)
  return {
    status,
    headers: headersIn(source['headers'], warn),
    ...compact({ body }),
  }
}

const failureMembers = ['_error', '_failureText', '_errorText', 'statusText'] as const

/** The reason for a missing reply; programs write it in different members. */
export function parseHarFailure(entry: UnknownRecord): {
  readonly code: string
  readonly message: string
} {
  const response = membersOf(entry['response'])
  for (const holder of [response, entry])
    for (const name of failureMembers) {
      const reason = textFrom(holder[name])
      if (reason !== '')
        return { code: /[A-Z][A-Z_]{3,}/.exec(reason)?.[0] ?? 'NO_REPLY', message: reason }
    }
  return { code: 'NO_REPLY', message: 'the archive has no reply' }
}
