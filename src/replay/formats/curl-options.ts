/** Reads the arguments of a curl command, option by option, into the transfers that they describe. */
import { percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'

/** Accumulates the flags of one curl transfer while its arguments are parsed. */
export interface CurlCall {
  method: string | undefined
  urls: string[]
  headers: string[]
  /** Headers of other options, which those lines replace or remove. */
  ownHeaders: (readonly [name: string, value: string])[]
  /** Body parts, joined by `&`. */
  data: string[]
  /** It sends data, of which some may be in a file that is not read. */
  hasData: boolean
  json: string[]
  hasJson: boolean
  form: { readonly text: string; readonly isPlain: boolean }[]
  user: string | undefined
  /** False for a scheme whose credentials are made when the server asks. */
  isBasic: boolean
  cookies: string[]
  query: string[]
  get: boolean
  head: boolean
  compressed: boolean
  /** Braces and brackets of its URL, and dots in its path, are sent as they are written. */
  globoff: boolean
  pathAsIs: boolean
  upload: string | undefined
  /** What the command reads from its standard input, as far as it is known. */
  readonly stdin: string | undefined
  warn: string[]
}

const emptyCurlCall = (stdin: string | undefined): CurlCall => ({
  method: undefined,
  urls: [],
  headers: [],
  ownHeaders: [],
  data: [],
  hasData: false,
  json: [],
  hasJson: false,
  form: [],
  user: undefined,
  isBasic: true,
  cookies: [],
  query: [],
  get: false,
  head: false,
  compressed: false,
  globoff: false,
  pathAsIs: false,
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

/** Any data makes it a POST, also that of a file which is not read. */
function addData(call: CurlCall, content: string | undefined): void {
  call.hasData = true
  if (content !== undefined) call.data.push(content)
}

/** Of a file it takes no line ends. */
const withoutLineEnds = (value: string, content: string | undefined): string | undefined =>
  value.startsWith('@') ? content?.replaceAll(/[\r\n\0]/g, '') : content

const dataOf: WithValue = (call, value) =>
  addData(call, withoutLineEnds(value, contentOf(call, value)))

/** As curl encodes a form: a space is a plus, and every sign but letters, digits and `-._~` is escaped. */
const formEncode = (text: string): string =>
  percentEncode(text)
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')

/** `text`, `=text`, `name=text`, `@file`, `name@file`; `what` of the request it belongs to. */
function urlencoded(call: CurlCall, value: string, what: string): string | undefined {
  const [, name = '', mark, text = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? []
  const content =
    mark === undefined ? value : mark === '=' ? text : text === '-' ? call.stdin : undefined
  if (content !== undefined) return (name === '' ? '' : `${name}=`) + formEncode(content)
  call.warn.push(`a part of the ${what} is in a file, which was not read`)
  return undefined
}

const valueFlags: Readonly<Record<string, WithValue>> = {
  request: (call, value) => (call.method = value),
  header: (call, value) => call.headers.push(value),
  data: dataOf,
  'data-ascii': dataOf,
  'data-binary': (call, value) => addData(call, contentOf(call, value)),
  'data-raw': addData,
  'data-urlencode': (call, value) => addData(call, urlencoded(call, value, 'body')),
  json: (call, value) => {
    const content = contentOf(call, value)
    call.hasJson = true
    if (content !== undefined) call.json.push(content)
  },
  form: (call, value) => call.form.push({ text: value, isPlain: false }),
  'form-string': (call, value) => call.form.push({ text: value, isPlain: true }),
  user: (call, value) => (call.user = value),
  'oauth2-bearer': (call, value) => call.ownHeaders.push(['Authorization', `Bearer ${value}`]),
  cookie: (call, value) => {
    if (value.includes('=')) call.cookies.push(value)
    else call.warn.push('cookies stand in a file, which was not read')
  },
  'user-agent': (call, value) => call.ownHeaders.push(['User-Agent', value]),
  referer: (call, value) => call.ownHeaders.push(['Referer', value.replace(/;auto$/, '')]),
  url: (call, value) => call.urls.push(value),
  'url-query': (call, value) => {
    const part = value.startsWith('+') ? value.slice(1) : urlencoded(call, value, 'query')
    if (part !== undefined) call.query.push(part)
  },
  range: (call, value) => call.ownHeaders.push(['Range', `bytes=${value}`]),
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
  globoff: (call) => (call.globoff = true),
  'path-as-is': (call) => (call.pathAsIs = true),
}

/** Of short options: those that affect the request or take a value. */
const shortNames =
  'X=request H=header d=data F=form u=user b=cookie A=user-agent e=referer r=range T=upload-file G=get I=head ' +
  'g=globoff :=next c=cookie-jar C=continue-at D=dump-header E=cert h=help K=config m=max-time n=netrc o=output ' +
  'P=ftp-port Q=quote t=telnet-option U=proxy-user w=write-out x=proxy y=speed-time Y=speed-limit z=time-cond'

const otherShortFlags = 'a q f 0 i k 4 6 j l L M N Z # p J O R S s 2 3 1 B v V'

const shortFlags: ReadonlyMap<string, string> = new Map([
  ...shortNames.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(2)] as const),
  ...otherShortFlags.split(' ').map((each) => [each, 'silent'] as const),
])

const namesIn = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.join(' ').split(' '))

/** Options with a value that do not affect the request, or that need what a paste does not have. */
const ignoredValueFlags = namesIn(
  'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to',
  'continue-at cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr',
  'dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout ftp-account',
  'ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip help',
  'hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type krb libcurl',
  'limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file',
  'noproxy output output-dir parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir',
  'proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key',
  'proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype',
  'proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file rate request-target resolve retry',
  'retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service',
  'socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers',
  'tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-flags variable vlan-priority',
  'write-out',
)

/** Options without a value that do not affect the request, or that need what a paste does not have. */
const ignoredSwitches = namesIn(
  'anyauth append basic ca-native cert-status compressed-ssh create-dirs crlf digest disable disable-eprt disable-epsv',
  'disallow-username-in-url doh-cert-status doh-insecure fail fail-early fail-with-body false-start follow form-escape',
  'ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control haproxy-protocol http0.9 http1.0',
  'http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length include insecure ipv4 ipv6',
  'junk-session-cookies list-only location location-trusted mail-rcpt-allowfails manual metalink mptcp negotiate netrc',
  'netrc-optional ntlm ntlm-wb out-null parallel parallel-immediate post301 post302 post303 progress-bar',
  'proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure proxy-negotiate proxy-ntlm',
  'proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 proxytunnel raw remote-header-name remote-name',
  'remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused sasl-ir show-error show-headers',
  'silent skip-existing socks5-basic socks5-gssapi socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert',
  'ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 styled-output suppress-connect-headers tcp-fastopen',
  'tcp-nodelay tftp-no-options tls-earlydata tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time',
  'use-ascii verbose version xattr alpn buffer clobber keepalive npn progress-meter sessionid',
)

/** Of the ignored ones those that change what is sent. */
const unreadFlags = namesIn(
  'anyauth aws-sigv4 config continue-at crlf digest etag-compare negotiate netrc netrc-file netrc-optional ntlm ntlm-wb',
  'request-target time-cond tr-encoding variable',
)

/** With these curl sends no credentials before it is asked for them, and then others than those of Basic. */
const otherSchemes = namesIn('anyauth digest negotiate ntlm ntlm-wb')

const longNames: readonly string[] = [
  ...Object.keys({ ...valueFlags, ...switchFlags, next: true }),
  ...ignoredValueFlags,
  ...ignoredSwitches,
]

/** An option by its long name, also where that is negated or cut short, as curl allows. */
function longNameOf(written: string): string | undefined {
  if (longNames.includes(written)) return written
  if (written.startsWith('no-') && longNames.includes(written.slice(3))) return 'silent'
  const [name, ...others] = longNames.filter((each) => each.startsWith(written))
  return others.length === 0 ? name : undefined
}

const takesValue = (name: string): boolean =>
  Object.hasOwn(valueFlags, name) || ignoredValueFlags.has(name)

/** Names alone: what stands behind one may be a secret. */
export const unknownOptionText = (options: readonly string[]): string =>
  `curl knows no option ${options.join(', ')} and refuses the command, which was left out${
    options.some((each) => each.endsWith('='))
      ? '; the value of an option stands behind a space'
      : ''
  }`

/** Options that each choose the method of a transfer: curl takes one of them. */
export function contradictionOf({ head, get, hasData, hasJson, form, upload }: CurlCall) {
  const chosen = [
    ...(head ? ['--head'] : []),
    ...((hasData || hasJson) && !get ? ['--data'] : []),
    ...(form.length > 0 ? ['--form'] : []),
    ...(upload === undefined ? [] : ['--upload-file']),
  ]
  if (chosen.length < 2) return undefined
  return `curl takes one of ${chosen.join(', ')} and refuses the command, which was left out`
}

/** One call for each group of arguments separated by `--next`. */
export function curlCallsOf(words: readonly string[], stdin: string | undefined) {
  const calls = [emptyCurlCall(stdin)]
  const unknownOptions: string[] = []
  const last = (): CurlCall => calls.at(-1) ?? emptyCurlCall(stdin)
  let at = 0
  /** Behind `--`. */
  let areUrls = false

  function apply(name: string, value: () => string): void {
    const onSwitch = Object.hasOwn(switchFlags, name) ? switchFlags[name] : undefined
    if (unreadFlags.has(name)) last().warn.push(`left out: what --${name} adds`)
    if (otherSchemes.has(name)) last().isBasic = false
    if (name === 'next') calls.push(emptyCurlCall(stdin))
    else if (onSwitch) onSwitch(last())
    else if (takesValue(name)) {
      const text = value()
      if (Object.hasOwn(valueFlags, name)) valueFlags[name]?.(last(), text)
    }
  }

  const nextWord = (): string => words[++at] ?? ''

  function longFlag(written: string): void {
    const name = longNameOf(written)
    if (name === undefined) unknownOptions.push(`--${/^[\w.-]{1,40}=?/.exec(written)?.[0] ?? ''}`)
    else apply(name, nextWord)
  }

  /** Combined short flags, the last with its value: `-sSXPOST`. */
  function combinedFlags(flags: string): void {
    for (let index = 0; index < flags.length; index++) {
      const name = shortFlags.get(flags.charAt(index))
      if (name === undefined) unknownOptions.push(`-${flags.charAt(index)}`)
      const rest = flags.slice(index + 1)
      const hasValue = name !== undefined && takesValue(name)
      if (name !== undefined) apply(name, () => (rest === '' ? nextWord() : rest))
      if (hasValue) return
    }
  }

  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--' && !areUrls) areUrls = true
    else if (word.startsWith('--') && !areUrls) longFlag(word.slice(2))
    else if (word.startsWith('-') && word.length > 1 && !areUrls) combinedFlags(word.slice(1))
    else if (word !== '') last().urls.push(word)
  }
  return { calls, unknownOptions }
}
