/** Parses `Invoke-WebRequest` as copied by browsers; cookies and user agent are set in session lines before it. */
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import type { CurlRequest } from './curl-request.ts'
import type { PowershellToken, PowershellCommand } from './curl-powershell.ts'
import { addDefaultHeader } from './foreign-exchange.ts'

export interface PowershellSession {
  agent: string | undefined
  cookies: string[]
}

const textOf = (token: PowershellToken | undefined): string | undefined =>
  token?.kind === 'word' ? token.text : undefined

const isWebRequest = /^(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$/i
const parameters = /^-(?:Uri|Method|Headers|Body|ContentType|UserAgent)$/i

/** `curl` counts as an alias of Invoke-WebRequest when it has parameters of that cmdlet. */
export const isWebRequestCommand = ({ tokens }: PowershellCommand): boolean =>
  tokens.some((token) => isWebRequest.test(textOf(token) ?? '')) ||
  (/^curl$/i.test(textOf(tokens[0]) ?? '') &&
    tokens.some((token) => token.kind === 'word' && !token.isQuoted && parameters.test(token.text)))

/** The tokens between the brackets that open at `from`, and the index of the closing one. */
function tokensInside(
  tokens: readonly PowershellToken[],
  from: number,
): { readonly list: readonly PowershellToken[]; readonly end: number } {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const kind = tokens[at]?.kind
    if (kind === 'open') depth++
    if (kind === 'close' && --depth <= 0) return { list: tokens.slice(from + 1, at), end: at }
  }
  return { list: tokens.slice(from + 1), end: tokens.length }
}

/** `"a"="b"` entries of a hashtable. */
function hashtableEntries(list: readonly PowershellToken[]): HeaderPairs {
  return list.flatMap((token, at) => {
    const name = textOf(list[at - 1])
    const value = textOf(list[at + 1])
    return token.kind === 'equals' && name !== undefined && value !== undefined
      ? [[name, value] as const]
      : []
  })
}

/**
 * Applies a session setup line: `$session.UserAgent = "…"`, `$session.Cookies.Add((New-Object … ("a", "b", …)))`. True
 * when the line sends no request itself.
 */
export function readSessionSetup(
  session: PowershellSession,
  { tokens }: PowershellCommand,
): boolean {
  const first = textOf(tokens[0]) ?? ''
  if (!first.startsWith('$')) return false
  if (/\.UserAgent$/i.test(first)) session.agent = textOf(tokens[2])
  if (/\.Cookies\.Add$/i.test(first)) {
    const [name, value] = tokens.flatMap((token) =>
      token.kind === 'word' && token.isQuoted ? [token.text] : [],
    )
    if (name !== undefined) session.cookies.push(`${name}=${value ?? ''}`)
  }
  return !tokens.some((token) => isWebRequest.test(textOf(token) ?? ''))
}

interface CmdletArguments {
  readonly words: ReadonlyMap<string, string>
  readonly headers: HeaderPairs
}

function parseArguments(tokens: readonly PowershellToken[]): CmdletArguments {
  const words = new Map<string, string>()
  let headers: HeaderPairs = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word') continue
    if (token.isQuoted || !token.text.startsWith('-')) {
      // The URL may be positional.
      if (/^https?:\/\//i.test(token.text) && !words.has('uri')) words.set('uri', token.text)
      continue
    }
    const name = token.text.slice(1).toLowerCase()
    if (name === 'headers') {
      const from = tokens.findIndex((each, index) => index > at && each.kind === 'open')
      const { list, end } = tokensInside(tokens, from < 0 ? tokens.length : from)
      headers = hashtableEntries(list)
      at = end
    } else if (tokens[at + 1]?.kind === 'open') {
      const { list, end } = tokensInside(tokens, at + 1)
      const text = list.find((each) => each.kind === 'word' && each.isQuoted)
      words.set(name, textOf(text) ?? '')
      at = end
    } else if (textOf(tokens[at + 1])?.startsWith('-') !== true) {
      words.set(name, textOf(tokens[at + 1]) ?? '')
      at++
    }
  }
  return { words, headers }
}

/** HTTP/2 pseudo-headers, which browsers copy as header names. */
const pseudoHeaders: ReadonlySet<string> = new Set(['authority', 'method', 'path', 'scheme'])

export function webRequestOf(
  { tokens }: PowershellCommand,
  session: PowershellSession,
): CurlRequest | undefined {
  const { words, headers: allHeaders } = parseArguments(tokens)
  const url = words.get('uri')
  if (url === undefined) return undefined
  const hasPseudoHeaders = allHeaders.some(([name]) => name === 'authority')
  const headers = allHeaders.filter(([name]) => !hasPseudoHeaders || !pseudoHeaders.has(name))
  const body = words.get('body')
  addDefaultHeader(headers, 'Content-Type', words.get('contenttype'))
  const inSession = words.has('websession')
  addDefaultHeader(
    headers,
    'User-Agent',
    words.get('useragent') ?? (inSession ? session.agent : undefined),
  )
  if (inSession && session.cookies.length > 0)
    addDefaultHeader(headers, 'Cookie', session.cookies.join('; '))
  return {
    method: (words.get('method') ?? 'GET').toUpperCase(),
    url: /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`,
    headers,
    ...(body === undefined || body === '' ? {} : { body }),
    warn: words.has('infile') ? ['the body is in a file, which was not read'] : [],
  }
}
