/**
 * Reads the lines of `curl -v`: `*` remarks, `>` and `<` headers, and between them the response body, which curl prints
 * without a mark and often without a line end, so that its declared length decides where it ends.
 */
import type { CurlRequest } from './curl-request.ts'
import { type CurlTransfers, requestLine } from './curl-trace-transfers.ts'
import { timeOfDayMs, tracePrefix } from './curl-trace-prefix.ts'

export interface VerboseReader {
  readonly take: (line: string) => void
}

/** The progress meter, which shares its last line with what follows. */
const progress = /^\s*[\d.]+(?:\s+[\d.]+[kMGTP]?){7}(?: [-\d:dh ]{8}){3}\s+[\d.]+[kMGTP]?/
const progressHeads = /^\s*(?:% Total\s+% Received|Dload\s+Upload\s+Total)/
const dataNote = /^[{}] \[\d+ bytes data\]$/
const lineMark = /^([*<>])(?: (.*))?$/
const replyStart = /^HTTP\/[\d.]+ \d{3}(?: |$)/
/** A remark may share a line with the end of a body, which often has no line end. */
const remarkOf = (...texts: readonly string[]): RegExp =>
  new RegExp(String.raw`\*\s+(?:${texts.join('|')})$`)

const remarkBehindBody = remarkOf(
  'Connection #.* left intact',
  'Closing connection.*',
  'shutting down connection.*',
  'Found bundle for host.*',
  'Re-using existing .*',
  'Issue another request to this URL.*',
  'Host(?:name)? .* was .*',
  String.raw`Trying \S+\.\.\.`,
)
/** Other lines with a star may be text of the body. */
const remarkInBody = remarkOf(
  String.raw`TLSv1\.\d \((?:IN|OUT)\).*`,
  'old SSL session .*',
  'Mark bundle .*',
  '(?:Recv|Send) failure.*',
  'transfer closed with .*',
  'HTTP/2 stream .*',
  'Leftovers after .*',
)
const failure = /^curl: \(\d+\) /
const commandLine =
  /^(?:[^\s'"<>]{0,80}[$%#>]\s+|[A-Z]:\\[^>]{0,200}>\s*)?(?:\w+=\S*\s+|sudo\s+|time\s+)*curl(?:\.exe)?\s/
const maxCommandLines = 200
/** In characters. */
const maxRemark = 500

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function withoutProgress(line: string): readonly string[] {
  if (!line.includes('\r') && !progress.test(line)) return [line]
  return line
    .split('\r')
    .map((piece) => piece.replace(progress, ''))
    .filter((piece) => piece.trim() !== '')
}

export function createVerboseReader(
  transfers: CurlTransfers,
  requestsIn: (command: string) => readonly CurlRequest[],
): VerboseReader {
  /** The head whose lines follow. */
  let head: '>' | '<' | undefined
  let command: string[] | undefined
  /** A remark was behind the body, whose length nobody told. */
  let isBodyOver = false

  function endCommand(): void {
    if (command) transfers.command(requestsIn(command.join('\n')))
    command = undefined
  }

  /** The body has begun and, as far as is known, not ended. */
  const isInBody = (): boolean => missing() !== 0 && transfers.received() > 0

  const missing = (): number | undefined => (isBodyOver ? 0 : transfers.missing())

  function takeBody(text: string): void {
    const length = missing()
    const remark = length === undefined ? remarkBehindBody.exec(text.slice(-maxRemark))?.[0] : ''
    if (remark && remark.length < text.length) {
      takeBody(text.slice(0, -remark.length))
      takeLine(remark)
      return
    }
    // The line end before this line belongs to the body, and the one behind it if a byte is missing.
    const bytes = encoder.encode(transfers.received() > 0 ? `\n${text}` : text)
    const own = Math.min(bytes.length, length ?? bytes.length)
    transfers.receivedData(bytes.subarray(0, own))
    if (length !== undefined && length - own === 1) transfers.receivedData(encoder.encode('\n'))
    if (own < bytes.length) takeLine(decoder.decode(bytes.subarray(own)))
  }

  function takeUnmarked(text: string): void {
    if (failure.test(text)) {
      endCommand()
      transfers.failed(text)
    } else if (isInBody() && missing() !== undefined) takeBody(text)
    else if (commandLine.test(text)) {
      endCommand()
      isBodyOver = true
      command = [text]
    } else if (command && command.length < maxCommandLines) command.push(text)
    else if (missing() !== 0) takeBody(text)
  }

  /** Whether a line with a mark is one of curl, and not of a body. */
  function isMarked(mark: string, text: string): boolean {
    if (mark === '>' && requestLine.test(text)) return true
    if (mark === '<' && replyStart.test(text)) return true
    if (!isInBody()) return mark === '*' || head === mark
    return mark === '*' && (remarkBehindBody.test(`* ${text}`) || remarkInBody.test(`* ${text}`))
  }

  function takeLine(line: string): void {
    const prefix = tracePrefix.exec(line)
    const bare = line.slice(prefix?.[0].length ?? 0)
    const [, mark = '', text = ''] = lineMark.exec(bare) ?? []
    if (dataNote.test(bare) || progressHeads.test(bare)) return
    if (mark === '' || !isMarked(mark, text)) return takeUnmarked(line)
    endCommand()
    const at = timeOfDayMs(prefix?.[1])
    if (mark === '*') {
      isBodyOver ||= isInBody() && missing() === undefined && remarkBehindBody.test(`* ${text}`)
      transfers.info(text)
    } else {
      isBodyOver = false
      head = text === '' ? undefined : mark === '>' ? '>' : '<'
      if (mark === '>') transfers.sentHeader(text, at)
      else transfers.receivedHeader(text, at)
    }
  }

  return {
    take(line) {
      for (const piece of withoutProgress(line)) takeLine(piece)
    },
  }
}
