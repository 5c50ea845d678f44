/** Converts the arguments of a curl command to the requests that it would send. */
import { compact } from '../../core/base/compact.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'
import { addDefaultHeader } from './foreign-exchange.ts'
import { encodeMultipart, type FormPart, multipartContentType } from './http-message.ts'

/** Result of the shell parsers: the arguments of each command, its line, and the first syntax error. */
export interface ShellCommand {
  /** First line, 1-based. */
  readonly line: number
  readonly words: readonly string[]
  /** Variables that are not expanded: `$TOKEN`. */
  readonly unexpanded: readonly string[]
  /** What it reads from its standard input, as far as the paste tells. */
  readonly stdin?: string
  /** It reads the output of the command before it. */
  readonly readsPipe?: boolean
  /** Another command reads its output. */
  readonly isPiped?: boolean
}

export interface ShellParse {
  readonly commands: readonly ShellCommand[]
  /** Position of an unterminated quote; nothing behind it is parsed. */
  readonly syntaxError?: {
    readonly line: number
    readonly column: number
    readonly message: string
  }
}

/** 1-based line and column of a character offset. */
export function lineAndColumnAt(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** Line number by offset for ascending offsets, in one pass over the text. */
export function createLineCounter(text: string): (at: number) => number {
  let line = 1
  let done = 0
  return (at) => {
    for (; done < at; done++) if (text.charCodeAt(done) === 10) line++
    return line
  }
}

/** Accumulates the flags of one curl transfer while its arguments are parsed. */
interface CurlCall {
  method: string | undefined
  urls: string[]
  headers: string[]
  /** Body parts, joined by `&`. */
  data: string[]
  json: string[]
  form: { readonly text: string; readonly isPlain: boolean }[]
  user: string | undefined
  cookies: string[]
  query: string[]
  get: boolean
  head: boolean
  compressed: boolean
  upload: string | undefined
  /** What the command reads from its standard input, as far as it is known. */
  readonly stdin: string | undefined
  warn: string[]
}

const emptyCurlCall = (stdin: string | undefined): CurlCall => ({
  method: undefined,
  urls: [],
  headers: [],
  data: [],
  json: [],
  form: [],
  user: undefined,
  cookies: [],
  query: [],
  get: false,
  head: false,
  compressed: false,
  upload: undefined,
  stdin,
  warn: [],
})

type WithValue = (call: CurlCall, value: string) => void
type Alone = (call: CurlCall) => void

/** The value itself, or the standard input for `@-`; other files are not read. */
function contentOf(call: CurlCall, value: string): string | undefined {
  if (!value.startsWith('@')) return value
  if (value === '@-' && call.stdin !== undefined) return call.stdin
  call.warn.push('the body is in a file, which was not read')
  return undefined
}

function binary(call: CurlCall, value: string): void {
  const content = contentOf(call, value)
  if (content !== undefined) call.data.push(content)
}

/** Of a file it takes no line ends. */
function dataOf(call: CurlCall, value: string): void {
  const content = contentOf(call, value)
  if (content !== undefined)
    call.data.push(value.startsWith('@') ? content.replaceAll(/[\r\n\0]/g, '') : content)
}

/** `text`, `=text`, `name=text`, `@file`, `name@file`. */
function urlencoded(call: CurlCall, value: string): void {
  const [, name = '', mark, text = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? []
  const content = mark === '@' && text === '-' ? call.stdin : undefined
  if (content !== undefined)
    call.data.push((name === '' ? '' : `${name}=`) + percentEncode(content))
  else if (mark === '@') call.warn.push('a part of the body is in a file, which was not read')
  else if (mark === undefined) call.data.push(percentEncode(value))
  else call.data.push(name === '' ? percentEncode(text) : `${name}=${percentEncode(text)}`)
}

const valueFlags: Readonly<Record<string, WithValue>> = {
  request: (call, value) => (call.method = value),
  header: (call, value) => call.headers.push(value),
  data: dataOf,
  'data-ascii': dataOf,
  'data-binary': binary,
  'data-raw': (call, value) => call.data.push(value),
  'data-urlencode': urlencoded,
  json: (call, value) => {
    const content = contentOf(call, value)
    if (content !== undefined) call.json.push(content)
  },
  form: (call, value) => call.form.push({ text: value, isPlain: false }),
  'form-string': (call, value) => call.form.push({ text: value, isPlain: true }),
  user: (call, value) => (call.user = value),
  'oauth2-bearer': (call, value) => call.headers.push(`Authorization: Bearer ${value}`),
  cookie: (call, value) => {
    if (value.includes('=')) call.cookies.push(value)
    else call.warn.push('cookies stand in a file, which was not read')
  },
  'user-agent': (call, value) => call.headers.push(`User-Agent: ${value}`),
  referer: (call, value) => call.headers.push(`Referer: ${value.replace(/;auto$/, '')}`),
  url: (call, value) => call.urls.push(value),
  'url-query': (call, value) => call.query.push(value.startsWith('+') ? value.slice(1) : value),
  range: (call, value) => call.headers.push(`Range: bytes=${value}`),
  'upload-file': (call, value) => {
    call.upload = value
    if (value !== '-' || call.stdin === undefined)
      call.warn.push('the body is in a file, which was not read')
  },
}

const switchFlags: Readonly<Record<string, Alone>> = {
  get: (call) => (call.get = true),
  head: (call) => (call.head = true),
  compressed: (call) => (call.compressed = true),
}

const shortFlags: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  b: 'cookie',
  A: 'user-agent',
  e: 'referer',
  r: 'range',
  T: 'upload-file',
  G: 'get',
  I: 'head',
  ':': 'next',
}

/** Flags with a value that do not affect the request. */
const ignoredValueFlags: ReadonlySet<string> = new Set(
  (
    'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to ' +
    'continue-at cookie-jar create-file-mode crlfile curves delegation dns-interface dns-servers doh-url dump-header ' +
    'ech egd-file engine expect100-timeout happy-eyeballs-timeout-ms hostpubmd5 hsts interface ipfs-gateway ' +
    'keepalive-time key key-type limit-rate local-port login-options max-filesize max-redirs max-time netrc-file ' +
    'noproxy output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy ' +
    'proxy-cacert proxy-cert proxy-header proxy-key proxy-user proxy1.0 random-file rate request-target resolve retry ' +
    'retry-delay retry-max-time socks4 socks4a socks5 socks5-hostname speed-limit speed-time stderr tls-max ' +
    'tls13-ciphers trace trace-ascii trace-config unix-socket variable write-out'
  ).split(' '),
)

/** Their short forms. */
const ignoredShortFlags: ReadonlySet<string> = new Set('C D E K Q P U Y c m o t w x y z'.split(' '))

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
