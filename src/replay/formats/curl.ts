/** Imports pasted curl commands: bash, cmd.exe and PowerShell, including those copied from browser developer tools. */
import { compact } from '../../core/base/compact.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { parsePosixCommands } from './curl-posix.ts'
import {
  type PowershellToken,
  type PowershellCommand,
  parsePowershellCommands,
} from './curl-powershell.ts'
import { type CurlRequest, parseCurlCommand } from './curl-request.ts'
import { addQuery, withScheme } from './curl-url.ts'
import {
  createLineCounter,
  lineAndColumnAt,
  type ShellCommand,
  type ShellParse,
} from './shell-command.ts'
import { addDefaultHeader, createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { createWholeFileImporter } from './whole-file-importer.ts'

/**
 * Parser for cmd.exe command lines, in two steps: the prompt removes carets, then the C runtime of the program splits
 * the rest into arguments with its own rules for quotes and backslashes.
 */
interface Line {
  readonly text: string
  /** Character offset in the input. */
  readonly at: number
}

/** Step 1. A line feed ends a command unless a caret precedes it or a quote is open. */
function splitCommandLines(paste: string): {
  readonly lines: readonly Line[]
  readonly openAt?: number
} {
  const text = paste.replaceAll('\r\n', '\n')
  const lines: Line[] = []
  let line = ''
  let lineStart = 0
  let quote = -1
  const end = (at: number): void => {
    if (line.trim() !== '') lines.push({ text: line, at: lineStart })
    line = ''
    lineStart = at
  }
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const quoted = quote >= 0
    if (char === '"') quote = quoted ? -1 : at
    if (char === '^' && !quoted) {
      // After a line continuation the next character is literal, even a line feed.
      const isContinued = text.charAt(at + 1) === '\n'
      at += isContinued ? 2 : 1
      const next = text.charAt(at)
      line += next
    } else if (!quoted && (char === '\n' || char === '&' || char === '|')) end(at + 1)
    else line += char
  }
  end(text.length)
  return quote < 0 ? { lines } : { lines: lines.slice(0, -1), openAt: quote }
}

/** Step 2: `\"` is a quote, other backslashes are literal, `""` inside quotes is a quote. */
function splitArguments(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '\\') {
      const run = /^\\+/.exec(line.slice(at))?.[0].length ?? 1
      const beforeQuote = line.charAt(at + run) === '"'
      word = (word ?? '') + '\\'.repeat(beforeQuote ? run >> 1 : run)
      at += run - 1
      if (beforeQuote && run % 2 === 1) {
        word += '"'
        at++
      }
    } else if (char === '"') {
      if (quoted && line.charAt(at + 1) === '"') {
        word = `${word ?? ''}"`
        at++
      } else {
        quoted = !quoted
        word ??= ''
      }
    } else if (!quoted && /\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}

function parseCmdCommands(paste: string): ShellParse {
  const { lines, openAt } = splitCommandLines(paste)
  const lineAt = createLineCounter(paste.replaceAll('\r\n', '\n'))
  const commands = lines.map(({ text, at }): ShellCommand => ({
    line: lineAt(at),
    words: splitArguments(text),
    unexpanded: [],
  }))
  if (openAt === undefined) return { commands }
  const place = lineAndColumnAt(paste.replaceAll('\r\n', '\n'), openAt)
  return { commands, syntaxError: { ...place, message: 'a quote is opened (") and never closed' } }
}

interface PowershellSession {
  agent: string | undefined
  cookies: string[]
}

const textOf = (token: PowershellToken | undefined): string | undefined =>
  token?.kind === 'word' ? token.text : undefined

const isWebRequest = /^(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$/i
const parameters = /^-(?:Uri|Method|Headers|Body|ContentType|UserAgent)$/i

/** `curl` counts as an alias of Invoke-WebRequest when it has parameters of that cmdlet. */
const isWebRequestCommand = ({ tokens }: PowershellCommand): boolean =>
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
function readSessionSetup(session: PowershellSession, { tokens }: PowershellCommand): boolean {
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
  /** A body that is written as a hashtable. */
  readonly fields?: FormFields
}

/** The entries of a hashtable: as a form, or as JSON where they are piped to ConvertTo-Json. */
interface FormFields {
  readonly entries: HeaderPairs
  readonly isJson: boolean
}

/** The JSON that PowerShell makes of an unquoted value. */
const jsonLiteral = (text: string): string =>
  /^-?\d+(?:\.\d+)?$/.test(text)
    ? text
    : text.replace(/^\$(?=(?:true|false|null)$)/i, '').toLowerCase()

/** Undefined where something in it has to be run: a variable, a call, a list, another hashtable. */
function fieldsOf(list: readonly PowershellToken[]): FormFields | undefined {
  const isJson = list.some((token) => /^ConvertTo-Json$/i.test(textOf(token) ?? ''))
  const isFlat = list.filter(({ kind }) => kind === 'open').length < 2
  const entries = list.flatMap((token, at) => {
    const [name, value] = [list[at - 1], list[at + 1]]
    if (token.kind !== 'equals' || name?.kind !== 'word' || value?.kind !== 'word') return []
    const literal = value.isQuoted ? JSON.stringify(value.text) : jsonLiteral(value.text)
    if (!/^(?:".*"|[-\d].*|true|false|null)$/s.test(literal)) return []
    return [[name.text, isJson ? literal : value.text] as const]
  })
  const isWhole = entries.length === list.filter(({ kind }) => kind === 'equals').length
  return isFlat && isWhole && entries.length > 0 ? { entries, isJson } : undefined
}

function bodyOfFields({ entries, isJson }: FormFields): string {
  if (isJson)
    return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
  return new URLSearchParams(entries.map(([name, value]) => [name, value])).toString()
}

const bodyIsRun = 'the body is made by PowerShell, which was not run'

function parseArguments(tokens: readonly PowershellToken[]): CmdletArguments {
  const words = new Map<string, string>()
  let headers: HeaderPairs = []
  let fields: FormFields | undefined
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word') continue
    if (token.isQuoted || !token.text.startsWith('-')) {
      // The URL may be positional.
      if (/^https?:\/\//i.test(token.text) && !words.has('uri')) words.set('uri', token.text)
      continue
    }
    const [, written = '', inline] = /^-([^:]*)(?::([^]+))?$/.exec(token.text) ?? []
    const name = written.toLowerCase()
    if (inline !== undefined) words.set(name, inline)
    else if (name === 'headers') {
      const from = tokens.findIndex((each, index) => index > at && each.kind === 'open')
      const { list, end } = tokensInside(tokens, from < 0 ? tokens.length : from)
      headers = hashtableEntries(list)
      at = end
    } else if (tokens[at + 1]?.kind === 'open') {
      const { list, end } = tokensInside(tokens, at + 1)
      const text = list.find((each) => each.kind === 'word' && each.isQuoted)
      if (!list.some(({ kind }) => kind === 'equals')) words.set(name, textOf(text) ?? '')
      else if (name !== 'body') words.set('run', '')
      else {
        fields = fieldsOf(list)
        if (!fields) words.set('run', '')
      }
      at = end
    } else if (textOf(tokens[at + 1])?.startsWith('-') !== true) {
      words.set(name, textOf(tokens[at + 1]) ?? '')
      at++
    }
  }
  return { words, headers, ...compact({ fields }) }
}

/** HTTP/2 pseudo-headers, which browsers copy as header names. */
const pseudoHeaders: ReadonlySet<string> = new Set(['authority', 'method', 'path', 'scheme'])

const isBareVariable = (token: PowershellToken): boolean =>
  token.kind === 'word' && !token.isQuoted && token.text.startsWith('$')

function webRequestOf(
  { tokens }: PowershellCommand,
  session: PowershellSession,
): CurlRequest | undefined {
  const { words, headers: allHeaders, fields } = parseArguments(tokens)
  const url = words.get('uri')
  if (url === undefined) return undefined
  const hasPseudoHeaders = allHeaders.some(([name]) => name === 'authority')
  const headers = allHeaders.filter(([name]) => !hasPseudoHeaders || !pseudoHeaders.has(name))
  const method = (words.get('custommethod') ?? words.get('method') ?? 'GET').toUpperCase()
  const isQuery = fields !== undefined && !fields.isJson && method === 'GET'
  const isVariable = tokens.some(
    (each, at) => isBareVariable(each) && /^-Body$/i.test(textOf(tokens[at - 1]) ?? ''),
  )
  const body = isVariable ? '' : fields && !isQuery ? bodyOfFields(fields) : words.get('body')
  addDefaultHeader(headers, 'Content-Type', words.get('contenttype'))
  if (fields && !fields.isJson && !isQuery)
    addDefaultHeader(headers, 'Content-Type', 'application/x-www-form-urlencoded')
  const inSession = words.has('websession')
  addDefaultHeader(
    headers,
    'User-Agent',
    words.get('useragent') ?? (inSession ? session.agent : undefined),
  )
  if (inSession && session.cookies.length > 0)
    addDefaultHeader(headers, 'Cookie', session.cookies.join('; '))
  return {
    method,
    url: addQuery(withScheme(url), fields && isQuery ? bodyOfFields(fields) : ''),
    headers,
    ...(body === undefined || body === '' ? {} : { body }),
    warn: [
      ...(words.has('infile') ? ['the body is in a file, which was not read'] : []),
      ...(words.has('run') || isVariable ? [bodyIsRun] : []),
    ],
  }
}

/** Of words of two letters a hundred and fifty times as much is held. */
const maxBytes = 8 * 1024 * 1024

type Shell = 'posix' | 'cmd' | 'powershell'

function detectShell(text: string): Shell {
  if (
    /^\s*(?:\$\w+\s*=|Invoke-|iwr\b|irm\b|curl\.exe\b)|`\r?$|\bInvoke-(?:WebRequest|RestMethod)\b/im.test(
      text,
    )
  )
    return 'powershell'
  return /\^\r?$|^\s*curl(?:\.exe)?\s.*\^"/im.test(text) || /^[A-Z]:\\[^\n]*>\s*curl/m.test(text)
    ? 'cmd'
    : 'posix'
}

interface ShellRequest {
  readonly line: number
  readonly request: CurlRequest
  readonly open: readonly string[]
}

const isCurl = (word: string): boolean => /(?:^|[/\\>])curl(?:\.exe)?$/i.test(word)
/** Words searched for `curl`; before it may be a prompt, `sudo`, `NAME=value`. */
const maxWordsBefore = 12

function fromWords({ commands }: ShellParse, problems: ProblemList): readonly ShellRequest[] {
  return commands.flatMap(({ line, words, unexpanded: open, stdin, readsPipe, isPiped }) => {
    const at = words.slice(0, readsPipe === true ? 1 : maxWordsBefore).findIndex(isCurl)
    if (at < 0) {
      // What makes the body, or reads the reply.
      if (readsPipe !== true && isPiped !== true)
        problems.add(`line ${line}`, 'it is no curl command')
      return []
    }
    const { requests, refusal } = parseCurlCommand(words.slice(at + 1), stdin)
    if (requests.length === 0)
      problems.add(`line ${line}`, refusal ?? 'the curl command names no URL')
    return requests.map((request) => ({ line, request, open }))
  })
}

/** Undoes the escaping for native programs: `\"` is a quote, and backslashes before it are doubled. */
const unescapeNativeArgument = (text: string): string =>
  text.replaceAll(/(\\*)\\"/g, (_, more: string) => `${'\\'.repeat(more.length >> 1)}"`)

const argumentsOf = (tokens: readonly PowershellToken[]): readonly string[] =>
  tokens.flatMap((token) => (token.kind === 'word' ? [unescapeNativeArgument(token.text)] : []))

function fromPowershell(text: string, problems: ProblemList): readonly ShellRequest[] {
  const { commands, syntaxError: broken } = parsePowershellCommands(text)
  const session: PowershellSession = { agent: undefined, cookies: [] }
  const found = commands.flatMap((command): readonly ShellRequest[] => {
    if (readSessionSetup(session, command)) return []
    if (!isWebRequestCommand(command)) {
      const { line, tokens } = command
      return fromWords(
        { commands: [{ line, words: argumentsOf(tokens), unexpanded: [] }] },
        problems,
      )
    }
    const request = webRequestOf(command, session)
    // Each copied command sets up a session of its own.
    session.cookies = []
    if (!request) problems.add(`line ${command.line}`, 'the command names no URL')
    return request ? [{ line: command.line, request, open: [] }] : []
  })
  reportSyntaxError(broken, problems)
  return found
}

function reportSyntaxError(broken: ShellParse['syntaxError'], problems: ProblemList): void {
  if (broken) problems.add(`line ${broken.line}, column ${broken.column}`, broken.message, true)
}

function parsePaste(text: string, problems: ProblemList): readonly ShellRequest[] {
  const shell = detectShell(text)
  if (shell === 'powershell') return fromPowershell(text, problems)
  const reading = shell === 'cmd' ? parseCmdCommands(text) : parsePosixCommands(text)
  const found = fromWords(reading, problems)
  reportSyntaxError(reading.syntaxError, problems)
  return found
}

/** The requests that pasted commands would send. */
export const requestsInPaste = (text: string, problems: ProblemList): readonly CurlRequest[] =>
  parsePaste(text, problems).map(({ request }) => request)

function importedOf({ request, open }: ShellRequest, startedAt: number): ImportedExchange {
  const { warn, ...call } = request
  return {
    exchange: createForeignExchange({ startedAt, ...call }),
    warn: [
      'no response',
      'clock inferred',
      ...warn,
      ...(open.length > 0 ? [`left as it is written: ${[...new Set(open)].join(', ')}`] : []),
    ],
  }
}

function createImporter({ now }: ImporterOptions): Importer {
  const problems = createProblemList()
  return createWholeFileImporter({
    maxBytes,
    problems,
    tooLarge: [`byte ${maxBytes}`, `a paste of more than ${maxBytes} bytes is not read`],
    creator: { name: 'curl' },
    read: (text) =>
      parsePaste(text, problems)
        .filter(({ line, request }) => {
          const isValid = URL.canParse(request.url)
          if (!isValid) problems.add(`line ${line}`, 'its address is no URL')
          return isValid
        })
        .map((each, index) => importedOf(each, now + index)),
  })
}

const curlPattern =
  /^\s*(?:[$>%#]\s+|[A-Z]:\\[^\n>]{0,200}>\s*)?(?:curl(?:\.exe)?\s|Invoke-(?:WebRequest|RestMethod)\b|\$session\s*=)/im

export const curlFormat = defineFormat({
  name: 'curl',
  summary: 'pasted curl commands: bash, Windows prompt, PowerShell (Invoke-WebRequest too)',
  fileExtensions: ['.curl', '.sh', '.ps1', '.cmd', '.bat'],
  recognises: (beginning) =>
    curlPattern.test(new TextDecoder('utf-8').decode(beginning)) ? 0.9 : 0,
  importer: createImporter,
})
