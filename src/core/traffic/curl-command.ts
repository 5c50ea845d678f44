/** One request as a curl command for a POSIX shell, as it was sent: with its token, without what curl sets itself. */
import type { Exchange } from './exchange.ts'
import { hasControls, replaceControls } from './escape-controls.ts'

/** Headers that curl makes itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

export function curlCommand({ request }: Pick<Exchange, 'request'>): string {
  const { method, url, headers, body, wire } = request
  const kept = headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()))
  const binary = wire?.base64
  const hasBody = body !== undefined || binary !== undefined
  const hasType = kept.some(([name]) => name.toLowerCase() === 'content-type')
  const parts = [
    method.toUpperCase() === 'HEAD' ? '--head' : `--request ${shellQuoted(method)}`,
    // curl leaves out a header that ends with a colon, and sends an empty one that ends with a semicolon.
    ...kept.map(
      ([name, value]) => `--header ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(hasBody && !hasType ? [`--header 'Content-Type:'`] : []),
    ...(binary === undefined ? [] : ['--data-binary @-']),
    ...(body === undefined || binary !== undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
    shellQuoted(url),
  ]
  const command = `curl --globoff --path-as-is ${parts.join(' \\\n  ')}`
  return binary === undefined
    ? command
    : `printf '%s' ${shellQuoted(binary)} | base64 -d | ${command}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const octal = (control: string): string =>
  Array.from(
    new TextEncoder().encode(control),
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  ).join('')

/**
 * Single-quoted: nothing inside is special to the shell. Characters that control a terminal are made by `printf`, since
 * `$'…'` is not known to every shell.
 */
export function shellQuoted(text: string): string {
  const whole = quoted(text)
  if (!hasControls(text)) return whole
  return replaceControls(whole, (control) =>
    control === '\n' || control === '\t' ? control : `'"$(printf '${octal(control)}')"'`,
  )
}
