/** Imports pasted curl commands: bash, cmd.exe and PowerShell, including those copied from browser developer tools. */
import { parseCmdCommands } from './curl-cmd.ts'
import { parsePosixCommands } from './curl-posix.ts'
import { parsePowershellCommands, type PowershellToken } from './curl-powershell.ts'
import { type CurlRequest, curlRequests } from './curl-request.ts'
import type { ShellParse } from './shell-command.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createProblemList, type ProblemList } from './problem-list.ts'
import { createWholeFileImporter } from './whole-file-importer.ts'
import {
  isWebRequestCommand,
  readSessionSetup,
  type PowershellSession,
  webRequestOf,
} from './curl-web-request.ts'

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
    const requests = curlRequests(words.slice(at + 1), stdin)
    if (requests.length === 0) problems.add(`line ${line}`, 'the curl command names no URL')
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
