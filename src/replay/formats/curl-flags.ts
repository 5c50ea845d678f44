/** curl command line flags: which take a value, and their effect on the request. */
import { percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'

/** Accumulates the flags of one curl transfer while its arguments are parsed. */
export interface CurlCall {
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

export const emptyCurlCall = (stdin: string | undefined): CurlCall => ({
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
function data(call: CurlCall, value: string): void {
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

export const valueFlags: Readonly<Record<string, WithValue>> = {
  request: (call, value) => (call.method = value),
  header: (call, value) => call.headers.push(value),
  data,
  'data-ascii': data,
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

export const switchFlags: Readonly<Record<string, Alone>> = {
  get: (call) => (call.get = true),
  head: (call) => (call.head = true),
  compressed: (call) => (call.compressed = true),
}

export const shortFlags: Readonly<Record<string, string>> = {
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
export const ignoredValueFlags: ReadonlySet<string> = new Set(
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
export const ignoredShortFlags: ReadonlySet<string> = new Set(
  'C D E K Q P U Y c m o t w x y z'.split(' '),
)
