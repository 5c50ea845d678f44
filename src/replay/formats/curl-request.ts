/** Converts the arguments of a curl command to the requests that it would send. */
import { compact } from '../../core/base/compact.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { type CurlCall, curlCallsOf, contradictionOf, unknownOptionText } from './curl-options.ts'
import { expandGlobs, urlOf } from './curl-url.ts'
import { addDefaultHeader } from './foreign-exchange.ts'
import { encodeMultipart, type FormPart, multipartContentType } from './http-message.ts'

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body?: string
  readonly warn: readonly string[]
}

/** What a command asks curl for, or why curl refuses it as a whole. */
export interface CurlCommand {
  readonly requests: readonly CurlRequest[]
  readonly refusal?: string
}

/** `Name: value`; `Name;` is a header with an empty value, `Name:` removes a default header. */
function headersOf(lines: readonly string[], warn: string[]): (readonly [string, string])[] {
  return lines.flatMap((line) => {
    if (line.startsWith('@')) {
      warn.push('headers stand in a file, which was not read')
      return []
    }
    if (/^[^:]+;$/.test(line)) return [[line.slice(0, -1), ''] as const]
    const cut = line.startsWith(':') ? line.indexOf(':', 1) : line.indexOf(':')
    const name = line.slice(0, cut)
    const value = line.slice(cut + 1).trim()
    // HTTP/2 pseudo-headers in requests copied from browsers are not headers.
    return cut <= 0 || value === '' || name.startsWith(':') ? [] : [[name.trim(), value] as const]
  })
}

/** Names of the headers that curl would send and that `-H 'Name:'` removes. */
const removedHeaders = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => /^([^:]+):\s*$/.exec(line)?.[1]?.trim().toLowerCase() ?? []))

/** `name=value`, `name=@file;type=…;filename=…`, `name=<file`. */
function formPartOf({ text, isPlain }: CurlCall['form'][number], warn: string[]): FormPart {
  const cut = text.indexOf('=')
  const name = cut < 0 ? text : text.slice(0, cut)
  const rest = cut < 0 ? '' : text.slice(cut + 1)
  if (isPlain) return { name, value: rest }
  const [value = '', ...extras] = rest.split(';')
  const extra = (key: string): string | undefined =>
    extras
      .map((each) => each.trim())
      .find((each) => each.startsWith(`${key}=`))
      ?.slice(key.length + 1)
      .replaceAll(/^"|"$/g, '')
  const type = extra('type')
  const known = type === undefined ? {} : { type }
  if (!/^[@<]/.test(value)) {
    const isExtra = type !== undefined || extra('filename') !== undefined
    return { name, value: (isExtra ? value : rest).replaceAll(/^"|"$/g, ''), ...known }
  }
  warn.push('a part of the form is in a file, which was not read')
  const fileName = extra('filename') ?? value.slice(1)
  return { name, value: '', ...(value.startsWith('@') ? { fileName } : {}), ...known }
}

interface Body {
  readonly text?: string
  readonly type?: string
}

function bodyOf(call: CurlCall, warn: string[]): Body {
  const { data, json, form, get, upload, stdin } = call
  if (form.length > 0)
    return {
      text: encodeMultipart(form.map((each) => formPartOf(each, warn))),
      type: multipartContentType,
    }
  if (call.hasJson)
    return { ...compact({ text: json.join('') || undefined }), type: 'application/json' }
  if (upload === '-') return compact({ text: stdin })
  if (!call.hasData || get) return {}
  const type = 'application/x-www-form-urlencoded'
  return data.length === 0 ? { type } : { text: data.join('&'), type }
}

const defaultMethod = (call: CurlCall, body: Body): string =>
  call.head
    ? 'HEAD'
    : call.upload === undefined
      ? body.type === undefined || (call.get && call.form.length === 0)
        ? 'GET'
        : 'POST'
      : 'PUT'

function requestOf(call: CurlCall, url: string, globWarn: readonly string[]): CurlRequest {
  const warn = [...call.warn, ...globWarn]
  const body = bodyOf(call, warn)
  const headers = headersOf(call.headers, warn)
  const removed = removedHeaders(call.headers)
  const add = (name: string, value: string | undefined): void => {
    if (!removed.has(name.toLowerCase())) addDefaultHeader(headers, name, value)
  }
  if (call.user !== undefined && call.isBasic)
    add('Authorization', `Basic ${textToBase64(call.user, 'plain')}`)
  for (const [name, value] of call.ownHeaders) add(name, value || undefined)
  if (call.cookies.length > 0) add('Cookie', call.cookies.join('; '))
  add('Content-Type', body.type)
  if (call.hasJson) add('Accept', 'application/json')
  if (call.compressed) add('Accept-Encoding', 'deflate, gzip, br, zstd')
  if (/[\s\p{Cc}]/u.test(url)) warn.push('curl refuses a blank in its URL, which is encoded')
  return {
    method: (call.method ?? defaultMethod(call, body)).toUpperCase(),
    url: urlOf(call, url),
    headers,
    ...compact({ body: body.text }),
    warn,
  }
}

const globRefusal = ['curl refuses a brace or bracket of its URL, which is left as it is written']

function requestsOf(call: CurlCall): readonly CurlRequest[] {
  return call.urls.flatMap((written) => {
    const urls = call.globoff ? [written] : expandGlobs(written)
    return urls
      ? urls.map((url) => requestOf(call, url, []))
      : [requestOf(call, written, globRefusal)]
  })
}

export function parseCurlCommand(words: readonly string[], stdin?: string): CurlCommand {
  const { calls, unknownOptions } = curlCallsOf(words, stdin)
  const refusal =
    unknownOptions.length > 0
      ? unknownOptionText(unknownOptions)
      : calls.flatMap((call) => contradictionOf(call) ?? [])[0]
  return refusal === undefined ? { requests: calls.flatMap(requestsOf) } : { requests: [], refusal }
}
