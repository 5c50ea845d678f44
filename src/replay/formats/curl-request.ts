/** Converts the arguments of a curl command to the requests that it would send. */
import { compact } from '../../core/base/compact.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import {
  switchFlags,
  type CurlCall,
  emptyCurlCall,
  ignoredShortFlags,
  ignoredValueFlags,
  shortFlags,
  valueFlags,
} from './curl-flags.ts'
import { type FormPart, encodeMultipart, multipartContentType } from './multipart.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { addDefaultHeader } from './foreign-exchange.ts'

export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body?: string
  readonly warn: readonly string[]
}

/** One call for each group of arguments separated by `--next`. */
function callsOf(words: readonly string[], stdin: string | undefined): readonly CurlCall[] {
  const calls = [emptyCurlCall(stdin)]
  const last = (): CurlCall => calls.at(-1) ?? emptyCurlCall(stdin)
  let at = 0

  function longFlag(name: string): void {
    const onValue = Object.hasOwn(valueFlags, name) ? valueFlags[name] : undefined
    const onSwitch = Object.hasOwn(switchFlags, name) ? switchFlags[name] : undefined
    if (onValue) onValue(last(), words[++at] ?? '')
    else if (onSwitch) onSwitch(last())
    else if (name === 'next') calls.push(emptyCurlCall(stdin))
    else if (ignoredValueFlags.has(name)) at++
  }

  /** Combined short flags, the last with its value: `-sSXPOST`. */
  function combinedFlags(flags: string): void {
    for (let index = 0; index < flags.length; index++) {
      const flag = flags.charAt(index)
      const name = Object.hasOwn(shortFlags, flag) ? shortFlags[flag] : undefined
      const takesValue =
        (name !== undefined && Object.hasOwn(valueFlags, name)) || ignoredShortFlags.has(flag)
      const rest = flags.slice(index + 1)
      if (!takesValue) {
        if (name !== undefined) longFlag(name)
        continue
      }
      const value = rest === '' ? (words[++at] ?? '') : rest
      if (name !== undefined) valueFlags[name]?.(last(), value)
      return
    }
  }

  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word.startsWith('--') && word.length > 2) longFlag(word.slice(2))
    else if (word.startsWith('-') && word.length > 1) combinedFlags(word.slice(1))
    else if (word !== '' && word !== '--') last().urls.push(word)
  }
  return calls
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

function bodyOf({ data, json, form, get, upload, stdin }: CurlCall, warn: string[]): Body {
  if (form.length > 0)
    return {
      text: encodeMultipart(form.map((each) => formPartOf(each, warn))),
      type: multipartContentType,
    }
  if (json.length > 0) return { text: json.join(''), type: 'application/json' }
  if (upload === '-') return compact({ text: stdin })
  if (data.length === 0 || get) return {}
  return { text: data.join('&'), type: 'application/x-www-form-urlencoded' }
}

const defaultMethod = (call: CurlCall, body: Body): string =>
  call.head
    ? 'HEAD'
    : call.upload === undefined
      ? body.text === undefined || call.get
        ? 'GET'
        : 'POST'
      : 'PUT'

function urlOf(rawUrl: string, { query, data, get }: CurlCall): string {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(rawUrl) ? rawUrl : `http://${rawUrl}`
  const queryString = [...query, ...(get ? data : [])].join('&')
  if (queryString === '') return url
  const [bare = '', ...fragment] = url.split('#')
  const mark = bare.includes('?') ? (/[?&]$/.test(bare) ? '' : '&') : '?'
  return [bare + mark + queryString, ...fragment].join('#')
}

function requestOf(call: CurlCall, rawUrl: string): CurlRequest {
  const warn = [...call.warn]
  const body = bodyOf(call, warn)
  const headers = headersOf(call.headers, warn)
  if (call.user !== undefined)
    addDefaultHeader(headers, 'Authorization', `Basic ${textToBase64(call.user, 'plain')}`)
  if (call.cookies.length > 0) addDefaultHeader(headers, 'Cookie', call.cookies.join('; '))
  addDefaultHeader(headers, 'Content-Type', body.type)
  if (call.json.length > 0) addDefaultHeader(headers, 'Accept', 'application/json')
  if (call.compressed) addDefaultHeader(headers, 'Accept-Encoding', 'deflate, gzip, br, zstd')
  return {
    method: (call.method ?? defaultMethod(call, body)).toUpperCase(),
    url: urlOf(rawUrl, call),
    headers,
    ...compact({ body: body.text }),
    warn,
  }
}

export const curlRequests = (words: readonly string[], stdin?: string): readonly CurlRequest[] =>
  callsOf(words, stdin).flatMap((call) => call.urls.map((url) => requestOf(call, url)))
