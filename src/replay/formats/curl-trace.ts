/** Imports what curl reports of its transfers: `-v`, `--trace-ascii` and `--trace`. */
import { joinedBytes, createLineQueue, type NumberedLine } from './byte-queue.ts'
import type { CurlRequest } from './curl-request.ts'
import type { BodyStyle } from './curl-trace-exchange.ts'
import { CurlTransfers, requestLine } from './curl-trace-transfers.ts'
import { requestsInPaste } from './curl.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createProblemList } from './problem-list.ts'

/**
 * What stands before a line of a curl transcript: the time of day (`--trace-time`) and the transfer (`--trace-ids`).
 */
const tracePrefix = /^(?:(\d\d:\d\d:\d\d\.\d{1,9}) )?(?:\[(?:\d+|x)-(?:\d+|x)\] )?/

/** In ms, whole microseconds. */
function timeOfDayMs(text: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^(\d\d):(\d\d):([\d.]+)$/.exec(text ?? '') ?? []
  if (seconds === undefined) return undefined
  const micros = Math.round(Number(seconds) * 1_000_000)
  return (Number(hours) * 60 + Number(minutes)) * 60_000 + micros / 1000
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

const decoder = new TextDecoder()

function withoutProgress(line: string): readonly string[] {
  if (!line.includes('\r') && !progress.test(line)) return [line]
  return line
    .split('\r')
    .map((piece) => piece.replace(progress, ''))
    .filter((piece) => piece.trim() !== '')
}

/**
 * Reads the lines of `curl -v`: `*` remarks, `>` and `<` headers, and between them the response body, which curl prints
 * without a mark and often without a line end, so that its declared length decides where it ends.
 */
function createVerboseReader(
  transfers: CurlTransfers,
  requestsIn: (command: string) => readonly CurlRequest[],
) {
  /** The head whose lines follow. */
  let head: '>' | '<' | undefined
  let command: string[] | undefined
  /** A remark was behind the body, of unknown length. */
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
    take(line: string) {
      for (const piece of withoutProgress(line)) takeLine(piece)
    },
  }
}

function createImporter(options: ImporterOptions): Importer {
  const lines = createLineQueue()
  const problems = createProblemList()
  let count = 0
  /** A trace has blocks from its first line on. */
  let isTrace: boolean | undefined
  const transfers = new CurlTransfers(
    options,
    () => (isTrace === true ? blocks.style() : 'text'),
    problems,
  )
  const blocks = createTraceBlockReader(transfers)
  const verbose = createVerboseReader(transfers, (command) =>
    requestsInPaste(command, createProblemList()),
  )

  function take({ text }: NumberedLine): void {
    if (isTrace === undefined && text.trim() === '') return
    isTrace ??= startsTraceBlock(text)
    if (isTrace) blocks.take(text)
    else verbose.take(text)
  }

  function taken(): readonly ImportedExchange[] {
    const ready = transfers.takeReady()
    count += ready.length
    return ready
  }

  return {
    feed(bytes) {
      for (const line of lines.feed(bytes)) take(line)
      return taken()
    },
    finish() {
      for (const line of lines.finish()) take(line)
      blocks.finish()
      transfers.finish()
      const remaining = taken()
      if (count === 0)
        problems.add('the transcript', 'it has no request: no line such as > GET /path HTTP/1.1')
      return {
        remaining,
        problems: [...lines.problems(), ...problems.all()],
        creator: { name: 'curl' },
      }
    },
  }
}

const lineWith = (pattern: string): RegExp =>
  new RegExp(`^${tracePrefix.source.slice(1)}${pattern}`, 'm')
const sentLine = lineWith(String.raw`(?:.*\d)?> [A-Z]{3,20} \S+ HTTP/[\d.]+\r?$`)
const otherLine = lineWith(String.raw`(?:\*(?: |$)|< HTTP/|[{}] \[\d+ bytes data\])`)
const connectLine = lineWith(String.raw`(?:.*\d)?\*\s+(?:Trying|Could not resolve|Host )`)

export const curlTraceFormat = defineFormat({
  name: 'curltrace',
  summary: 'what curl reports with -v, --trace-ascii or --trace, of several transfers too',
  fileExtensions: ['.trace'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    if (text.split('\n', 5).some((line) => startsTraceBlock(line.replace(/\r$/, '')))) return 0.95
    if (sentLine.test(text)) return otherLine.test(text) ? 0.95 : 0.6
    return connectLine.test(text) ? 0.5 : 0
  },
  importer: createImporter,
})

interface Row {
  readonly offset: number
  readonly text: string
}

interface Block {
  readonly isSent: boolean
  readonly kind: 'header' | 'data' | 'tls'
  readonly size: number
  readonly at: number | undefined
  readonly rows: Row[]
}

const blockStart =
  /^(?:== Info: ?(.*)|(=>|<=) (?:Send|Recv) (SSL )?(header|data), (\d{1,12}) bytes \(0x[\da-f]+\))$/
const rowPattern = /^([\da-f]{4,8}): ?(.*)$/
const hexRow = /^(?:[\da-f]{2} ){3}/
/** Sixteen bytes of two digits and a blank; behind them they stand as ASCII. */
const hexColumns = 48

const encoder = new TextEncoder()

const startsTraceBlock = (line: string): boolean => blockStart.test(line.replace(tracePrefix, ''))

function bytesOfHex(rows: readonly Row[]): Uint8Array {
  return joinedBytes(
    rows.map(({ text }) =>
      Uint8Array.from(text.slice(0, hexColumns).trim().split(/ +/), (digits) =>
        Number.parseInt(digits, 16),
      ),
    ),
  )
}

function bytesOfAscii({ rows, size }: Block): Uint8Array {
  const text = rows.map((row, index) => {
    const gap = (rows[index + 1]?.offset ?? size) - row.offset - row.text.length
    // Editors cut blanks at the end of a line.
    return row.text + (gap >= 2 ? `${' '.repeat(Math.min(gap - 2, 64))}\r\n` : gap === 1 ? ' ' : '')
  })
  return encoder.encode(text.join(''))
}

/**
 * Reads the blocks of `curl --trace` and `--trace-ascii`: a line that says which bytes follow, and rows with their
 * offsets. In ASCII a row ends where the bytes have CR LF, which its offset and that of the next tell.
 */
function createTraceBlockReader(transfers: CurlTransfers) {
  let block: Block | undefined
  let style: BodyStyle | undefined

  function endBlock(): void {
    const ended = block
    block = undefined
    if (!ended || ended.kind === 'tls') return
    style ??= hexRow.test(ended.rows[0]?.text ?? '') ? 'wire' : 'dots'
    const bytes = style === 'wire' ? bytesOfHex(ended.rows) : bytesOfAscii(ended)
    if (ended.kind === 'header') endHeader(ended, bytes)
    else if (ended.isSent) transfers.sentData(bytes)
    else transfers.receivedData(bytes, ended.at)
  }

  function endHeader({ isSent, at }: Block, bytes: Uint8Array): void {
    const text = new TextDecoder('latin1').decode(bytes).replace(/\r?\n$/, '')
    for (const line of text.split(/\r?\n/))
      if (isSent) transfers.sentHeader(line, at)
      else transfers.receivedHeader(line, at)
  }

  function begin(line: string): boolean {
    const prefix = tracePrefix.exec(line)
    const found = blockStart.exec(line.slice(prefix?.[0].length ?? 0))
    if (!found) return false
    endBlock()
    const [, info, direction, tls, kind, size = '0'] = found
    if (info !== undefined) transfers.info(info)
    else {
      if (tls !== undefined) transfers.info('SSL connection')
      block = {
        isSent: direction === '=>',
        kind: tls === undefined ? (kind === 'header' ? 'header' : 'data') : 'tls',
        size: Number(size),
        at: timeOfDayMs(prefix?.[1]),
        rows: [],
      }
    }
    return true
  }

  return {
    take(line: string) {
      if (begin(line)) return
      const [, offset = '', text = ''] = rowPattern.exec(line) ?? []
      if (offset !== '' && block && block.kind !== 'tls')
        block.rows.push({ offset: Number.parseInt(offset, 16), text })
      else if (/^curl: \(\d+\) /.test(line)) transfers.failed(line)
    },
    finish: endBlock,
    /** Hexadecimal rows have every byte; those in ASCII have dots. */
    style: (): BodyStyle => style ?? 'dots',
  }
}
